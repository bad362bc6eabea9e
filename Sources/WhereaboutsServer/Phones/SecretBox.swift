#if PhoneEncryption
  import CSodium
#endif

/// The encryption of OwnTracks: libsodium's secret box, XSalsa20 with Poly1305.
///
/// - Source: https://owntracks.org/booklet/features/encrypt/ and https://doc.libsodium.org/secret-key_cryptography/secretbox.
enum SecretBox {
  /// The length of a key in bytes.
  static let keyLength = 32

  /// Whether this program was built with libsodium.
  static var isAvailable: Bool {
    #if PhoneEncryption
      isReady
    #else
      false
    #endif
  }

  /// Returns the content of a nonce of 24 bytes with a ciphertext behind it; `nil` if the key is wrong or a byte was
  /// changed.
  static func opened(_ bytes: [UInt8], key: [UInt8]) -> [UInt8]? {
    #if PhoneEncryption
      let nonceLength = Int(crypto_secretbox_NONCEBYTES)
      let codeLength = Int(crypto_secretbox_MACBYTES)
      guard isReady, key.count == keyLength, bytes.count >= nonceLength + codeLength else { return nil }
      let ciphertext = Array(bytes[nonceLength...])
      var plain = [UInt8](repeating: 0, count: ciphertext.count - codeLength)
      let code = crypto_secretbox_open_easy(
        &plain, ciphertext, UInt64(ciphertext.count), Array(bytes[..<nonceLength]), key)
      return code == 0 ? plain : nil
    #else
      return nil
    #endif
  }

  #if PhoneEncryption
    /// Whether the library could be initialized, which must precede its other functions.
    private static let isReady = sodium_init() >= 0
  #endif
}
