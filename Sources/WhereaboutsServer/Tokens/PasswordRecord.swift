import Crypto
import CryptoExtras
import Foundation

/// The stored form of a password: its scrypt value with the parameters (RFC 7914).
struct PasswordRecord: Hashable, Sendable {
  /// The binary logarithm of the rounds of new passwords. With 8 blocks and 3 lanes, a recommendation of OWASP: one
  /// check needs 32 MiB and some tenths of a second.
  static let standardCost = 15
  /// The accepted costs. The lowest is for tests; the highest needs 256 MiB.
  static let costs = 4...18
  private static let blockSize = 8
  private static let lanes = 3
  private static let saltLength = 16
  private static let hashLength = 32

  let salt: [UInt8]
  /// The binary logarithm of the rounds.
  let cost: Int
  let hash: [UInt8]

  init(salt: [UInt8], cost: Int, hash: [UInt8]) {
    self.salt = salt
    self.cost = cost
    self.hash = hash
  }

  /// Creates the record of a new password. Takes as long as a check.
  ///
  /// - Throws: an error of the cryptographic library, such as no memory.
  init(of password: [UInt8], cost: Int) throws {
    var generator = SystemRandomNumberGenerator()
    let salt = (0..<Self.saltLength).map { _ in generator.next() as UInt8 }
    self.init(salt: salt, cost: cost, hash: try Self.hash(password, salt: salt, cost: cost))
  }

  /// Creates a record that no password matches, for the same work as that of an existing user.
  init(impossibleFor user: String, key: SymmetricKey, cost: Int) {
    let salt = HMAC<SHA256>.authenticationCode(for: Data(user.utf8), using: key).prefix(Self.saltLength)
    self.init(salt: Array(salt), cost: cost, hash: [])
  }

  /// Returns whether a password is the right one. Compares in constant time.
  func matches(_ password: [UInt8]) -> Bool {
    guard let found = try? Self.hash(password, salt: salt, cost: cost), found.count == hash.count else {
      return false
    }
    var difference: UInt8 = 0
    for (left, right) in zip(found, hash) { difference |= left ^ right }
    return difference == 0
  }

  private static func hash(_ password: [UInt8], salt: [UInt8], cost: Int) throws -> [UInt8] {
    try KDF.Scrypt.deriveKey(
      from: password, salt: salt, outputByteCount: hashLength, rounds: 1 << cost, blockSize: blockSize,
      parallelism: lanes
    ).withUnsafeBytes { Array($0) }
  }
}
