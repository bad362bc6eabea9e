import Crypto
import Foundation

/// The secret text of an access token: `wht_`, 8 characters by which the token is found, and 32 that prove it.
///
/// The alphabet has 32 letters and digits without 0, 1, l and o. The text is safe in a URL, and a double click selects
/// all of it. The first part has 40 random bits, the second 160.
struct TokenSecret: Hashable, Sendable {
  static let marker = "wht_"
  static let prefixLength = 8
  private static let proofLength = 32
  private static let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)

  /// The whole text.
  let text: String

  /// Creates a random secret.
  init(using generator: inout some RandomNumberGenerator) {
    let letters = (0..<Self.prefixLength + Self.proofLength).map { _ in
      Self.alphabet[Int(generator.next() as UInt8) % Self.alphabet.count]
    }
    text = Self.marker + String(decoding: letters, as: UTF8.self)
  }

  /// Creates a secret from a client's text; `nil` if the text has another form.
  init?(_ text: String) {
    let bytes = text.utf8
    guard bytes.count == Self.marker.utf8.count + Self.prefixLength + Self.proofLength,
      text.hasPrefix(Self.marker), bytes.dropFirst(Self.marker.utf8.count).allSatisfy(Self.alphabet.contains)
    else { return nil }
    self.text = text
  }

  /// The part by which the token is found, which is no secret.
  var prefix: String {
    String(text.dropFirst(Self.marker.count).prefix(Self.prefixLength))
  }

  /// Returns the beginning of a secret with a prefix, for people.
  static func hint(prefix: String) -> String { "\(marker)\(prefix.prefix(4))…" }

  /// Returns the stored form.
  func hash(with key: SymmetricKey) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
  }

  /// Returns whether a stored form is that of this secret, in constant time.
  func matches(_ hash: [UInt8], with key: SymmetricKey) -> Bool {
    HMAC<SHA256>.isValidAuthenticationCode(hash, authenticating: Data(text.utf8), using: key)
  }
}
