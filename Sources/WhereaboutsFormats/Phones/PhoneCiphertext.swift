/// An encrypted message, which only a holder of the key can open.
///
/// Both apps use the secret box of libsodium (XSalsa20 and Poly1305): the first 24 bytes are the nonce. The key of
/// OwnTracks is the passphrase, padded with zeros to 32 bytes. Home Assistant's is the registration's secret, decoded
/// from hexadecimal. ``PhoneDialect/report(fromOpened:of:in:settings:)`` reads the opened bytes.
public struct PhoneCiphertext: Hashable, Sendable {
  /// The nonce and the ciphertext.
  public var bytes: [UInt8]
  /// The type of a Home Assistant message, which is not encrypted; `nil` if the ciphertext holds it.
  public var messageType: String?
  /// The index of the row in its request, from 0.
  public var row: Int

  /// Creates an encrypted message.
  public init(_ bytes: [UInt8], messageType: String? = nil, row: Int) {
    self.bytes = bytes
    self.messageType = messageType
    self.row = row
  }
}
