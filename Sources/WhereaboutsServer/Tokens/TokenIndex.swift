import Crypto
import GRDB
import Whereabouts
import WhereaboutsModel

/// All tokens in memory, by the text that a client sends.
struct TokenIndex: Sendable {
  let tokens: [AccessToken]
  /// The key of the stored secrets; a random one while the store has none.
  let key: SymmetricKey
  private let ids: Set<AccessToken.ID>
  /// The devices with writing tokens of their own, also expired ones.
  private let writers: Set<DeviceID>
  private var secrets: [String: (token: AccessToken, hash: [UInt8])] = [:]
  private var passwords: [String: (token: AccessToken, record: PasswordRecord)] = [:]

  /// - Parameter known: the index whose tokens are the only ones to read; `nil` for all tokens.
  init(_ database: Database, knownTo known: TokenIndex? = nil) throws {
    let stored = try TokenRow.all(database).filter { known?.contains($0.token.id) ?? true }
    tokens = stored.map(\.token)
    ids = Set(tokens.map(\.id))
    writers = Set(
      tokens.compactMap { token in token.device.flatMap { token.allows(.write, of: $0) ? $0 : nil } })
    key = try TokenRow.key(database) ?? SymmetricKey(size: .bits256)
    for stored in stored {
      switch stored.proof {
      case .secret(let prefix, let hash): secrets[prefix] = (stored.token, hash)
      case .password(let record):
        passwords[UserText.normalized(stored.token.terms.label)] = (stored.token, record)
      }
    }
    // A label has precedence over a device of the same name, and an older token over a newer one of the same device.
    for stored in stored {
      guard case .password(let record) = stored.proof, let device = stored.token.device else { continue }
      let user = UserText.normalized(device.rawValue)
      if passwords[user] == nil { passwords[user] = (stored.token, record) }
    }
  }

  /// Returns the token of a secret. An unknown secret takes as long as a wrong one.
  func token(of secret: TokenSecret) -> AccessToken? {
    let found = secrets[secret.prefix]
    let isRight = secret.matches(found?.hash ?? [UInt8](repeating: 0, count: SHA256.byteCount), with: key)
    return isRight ? found?.token : nil
  }

  /// Returns whether a token has the prefix of a secret, whatever its proof.
  func hasSecret(prefix: String) -> Bool { secrets[prefix] != nil }

  /// Returns whether a token has not been revoked.
  func contains(_ id: AccessToken.ID) -> Bool { ids.contains(id) }

  /// Returns whether a device has a writing token of its own, also an expired one.
  func hasWriter(of device: DeviceID) -> Bool { writers.contains(device) }

  /// Returns the token and the password of a user.
  func password(of user: String) -> (token: AccessToken, record: PasswordRecord)? {
    passwords[UserText.normalized(user)]
  }
}
