import Crypto
import GRDB
public import Whereabouts
public import WhereaboutsModel
public import WhereaboutsStore

/// The access tokens of a store.
///
/// Verification reads memory only. ``refresh()`` reads changes by other processes; call it about once a second, as
/// ``RegistryRefresher`` does. Several processes may create and revoke tokens of one store.
public final class TokenRegistry: Sendable {
  /// The least number of characters of a password.
  public static let minimumPasswordLength = 8
  /// The greatest number of bytes of a password.
  public static let maximumPasswordLength = 1_024

  private let store: SQLiteStore
  private let index: TableSnapshot<TokenIndex>
  /// The zones that are read with the tokens; `nil` for none.
  private let zones: ZoneRegistry?
  private let passwords: PasswordVerifier
  private let passwordCost: Int

  /// Creates the registry of a store, and reads its tokens.
  ///
  /// - Parameter store: a store; one opened for reading allows no changes.
  /// - Throws: ``Whereabouts/StoreError`` if the store can't be read.
  public convenience init(_ store: SQLiteStore) throws(StoreError) {
    try self.init(store, passwordCost: PasswordRecord.standardCost)
  }

  /// - Parameters:
  ///   - passwordCost: the cost of new passwords and of checks for unknown users.
  ///   - passwords: the checks of passwords.
  ///   - zones: the zones that are read with the tokens, so that no token is newer than the zones that it is served with;
  ///     `nil` for none.
  init(
    _ store: SQLiteStore, passwordCost: Int, passwords: PasswordVerifier = PasswordVerifier(),
    zones: ZoneRegistry? = nil
  ) throws(StoreError) {
    self.store = store
    self.zones = zones
    self.passwords = passwords
    self.passwordCost = passwordCost
    index = try TableSnapshot(of: store) { try TokenIndex($0) }
    // A zone may have been added since the zones were read.
    if let zones { try refresh(with: zones) }
  }

  /// Returns every token, oldest first. Expired tokens are included.
  public func list() -> [AccessToken] { index.value.tokens }

  /// Reads the tokens again if another process has changed the store. Does next to nothing otherwise.
  ///
  /// While a zone of the server can't be read, revoked tokens are removed and no token is added.
  ///
  /// - Throws: ``Whereabouts/StoreError`` if the store can't be read. The tokens in memory stay.
  public func refresh() throws(StoreError) {
    guard let zones else { return try index.refresh() }
    do throws(StoreError) { try index.refresh(with: zones.snapshot) } catch { try removeRevoked() }
  }

  /// Reads the tokens and zones of the same store again, both from one state of the store.
  ///
  /// - Throws: ``Whereabouts/StoreError`` if either can't be read. The zones in memory stay, and so do the tokens in
  ///   memory, without the revoked ones.
  func refresh(with zones: ZoneRegistry) throws(StoreError) {
    do throws(StoreError) { try index.refresh(with: zones.snapshot) } catch {
      try? removeRevoked()
      throw error
    }
  }

  /// Removes the revoked tokens from memory. A new token would be newer than the zones that it is served with.
  private func removeRevoked() throws(StoreError) {
    try index.replace { try TokenIndex($0, knownTo: $1) }
  }

  // MARK: Creation and revocation

  /// Creates a token with a random secret.
  ///
  /// - Parameters:
  ///   - terms: the rights.
  ///   - time: the current time.
  /// - Returns: the token, and the secret for the client. The secret is stored nowhere.
  /// - Throws: ``Whereabouts/StoreError``: `failed` if the terms are invalid (``TokenTerms/problem``), `corrupt` while a
  ///   zone of the server can't be read.
  public func create(
    _ terms: TokenTerms, at time: UTCTime
  ) throws(StoreError) -> (token: AccessToken, secret: String) {
    try Self.check(terms, at: time)
    try refuseBesideUnreadableZone()
    var generator = SystemRandomNumberGenerator()
    let secret = TokenSecret(using: &generator)
    let id = try store.write { database in
      let hash = secret.hash(with: try TokenRow.madeKey(database))
      return try TokenRow.insert(terms, .secret(prefix: secret.prefix, hash: hash), at: time, into: database)
    }
    // The token exists. If it can't be read now, the next refresh reads it.
    try? refresh()
    let hint = TokenSecret.hint(prefix: secret.prefix)
    return (AccessToken(id: id, terms: terms, created: time, credential: .secret(hint: hint)), secret.text)
  }

  /// Creates a token with a password that a person chose, for HTTP Basic. The user name is the token's label. The name
  /// of the token's device is a second user name, unless another token has it.
  ///
  /// - Parameters:
  ///   - terms: the rights.
  ///   - password: the password, of at least 8 characters.
  ///   - time: the current time.
  /// - Throws: ``Whereabouts/StoreError``: `failed` if the terms or the password are invalid, or if another password
  ///   has this label; `corrupt` while a zone of the server can't be read.
  public func create(
    _ terms: TokenTerms, password: String, at time: UTCTime
  ) async throws(StoreError) -> AccessToken {
    try Self.check(terms, password: password, at: time)
    try refuseBesideUnreadableZone()
    var terms = terms
    terms.label = UserText.normalized(terms.label)
    let record: PasswordRecord
    do {
      record = try await passwords.record(of: Self.bytes(password), cost: passwordCost)
    } catch {
      throw Self.creationError("there is not enough memory to compute its scrypt value")
    }
    let id = try store.write { [terms] database in
      guard try !TokenRow.hasUser(terms.label, database) else {
        throw Self.creationError(
          "there is a password for the user \(terms.label) already; revoke that token, or give another label")
      }
      return try TokenRow.insert(terms, .password(record), at: time, into: database)
    }
    try? refresh()
    return AccessToken(id: id, terms: terms, created: time, credential: .password(user: terms.label))
  }

  /// Revokes a token. Other processes refuse the token within a second.
  ///
  /// - Parameter id: the number of the token.
  /// - Throws: ``Whereabouts/StoreError``: `missing` if there is no such token.
  public func revoke(_ id: AccessToken.ID) throws(StoreError) {
    try store.write { database in
      try database.execute(sql: "DELETE FROM token WHERE id = ?", arguments: [id])
      guard database.changesCount > 0 else {
        throw StoreError(
          .missing,
          message:
            "revoke token \(id): no token has this number. Run `whereabouts token list` to list the tokens.")
      }
    }
    try refresh()
  }

  /// Returns whether a device has a writing token of its own, also an expired one.
  ///
  /// - Complexity: O(1), without access to the store.
  func hasWriter(of device: DeviceID) -> Bool { index.value.hasWriter(of: device) }

  // MARK: Verification

  /// Returns whether a token that was verified earlier has neither been revoked nor expired since.
  ///
  /// - Complexity: O(1), without access to the store.
  public func isValid(_ token: AccessToken, at time: UTCTime) -> Bool {
    !token.isExpired(at: time) && (token.id == AccessToken.owner.id || index.value.contains(token.id))
  }

  /// Returns the token of a secret; `nil` for an unknown, revoked or expired one.
  ///
  /// - Parameters:
  ///   - secret: the text that the client sent.
  ///   - time: the current time.
  /// - Complexity: some microseconds, without access to the store.
  public func verify(_ secret: String, at time: UTCTime) -> AccessToken? {
    guard let secret = TokenSecret(secret), let token = index.value.token(of: secret) else { return nil }
    return token.isExpired(at: time) ? nil : token
  }

  /// Returns whether the store has a token with the prefix of a secret, and memory has none: another process has created
  /// the token since the last refresh. An expired token is in memory.
  ///
  /// - Complexity: O(log n) in the number of tokens, with a read of the store.
  func hasUnreadToken(of secret: String) -> Bool {
    guard let secret = TokenSecret(secret), !index.value.hasSecret(prefix: secret.prefix) else {
      return false
    }
    return (try? store.read { try TokenRow.hasSecret(prefix: secret.prefix, $0) }) ?? false
  }

  /// Returns the token of a user name and a password, as HTTP Basic sends them; `nil` if the pair is wrong.
  ///
  /// A random secret is also accepted as a password, with any user name. An unknown user costs the same work as a
  /// wrong password, so that the duration does not tell whether a user exists.
  ///
  /// - Parameters:
  ///   - user: the user name: a token's label, or the name of its device.
  ///   - password: the password, or a random secret.
  ///   - time: the current time.
  /// - Throws: ``PasswordCheckBusyError`` if too many checks run.
  public func verify(
    user: String, password: String, at time: UTCTime
  ) async throws(PasswordCheckBusyError) -> AccessToken? {
    if password.hasPrefix(TokenSecret.marker), TokenSecret(password) != nil {
      return verify(password, at: time)
    }
    guard password.utf8.count <= Self.maximumPasswordLength, user.utf8.count <= TokenTerms.maximumLabelLength
    else { return nil }
    let found = index.value.password(of: user)
    let impossible = await passwords.impossibleRecord(for: user, cost: passwordCost)
    let isRight = try await passwords.matches(Self.bytes(password), found?.record ?? impossible, at: time)
    guard isRight, let found, !found.token.isExpired(at: time) else { return nil }
    // The token may have been revoked during the check.
    return index.value.password(of: user)?.token == found.token ? found.token : nil
  }

  /// Returns the number of the token whose password a user name has.
  func passwordID(of user: String) -> AccessToken.ID? { index.value.password(of: user)?.token.id }

  /// Returns the token of a user name and a password that a check of the last minutes has found right; `nil` for
  /// others, without a check.
  func knownToken(of user: String, password: String, at time: UTCTime) async -> AccessToken? {
    guard password.utf8.count <= Self.maximumPasswordLength, let found = index.value.password(of: user),
      !found.token.isExpired(at: time)
    else { return nil }
    let isKnown = await passwords.isKnown(Self.bytes(password), found.record, at: time)
    // The token may have been revoked meanwhile.
    return isKnown && index.value.password(of: user)?.token == found.token ? found.token : nil
  }

  // MARK: Conditions

  private static func bytes(_ password: String) -> [UInt8] { Array(UserText.normalized(password).utf8) }

  /// Throws if no store can have a token of such terms and such a password; `nil` for a random secret.
  package static func check(
    _ terms: TokenTerms, password: String? = nil, at time: UTCTime
  ) throws(StoreError) {
    if let problem = terms.problem { throw creationError(problem) }
    if let expires = terms.expires, expires <= time { throw creationError("it would have expired already") }
    if let password, let problem = problem(ofPassword: password, user: terms.label) {
      throw creationError(problem)
    }
  }

  /// Throws while a zone can't be read. A new token would be refused until then.
  private func refuseBesideUnreadableZone() throws(StoreError) {
    if let zones { try refresh(with: zones) }
  }

  private static func problem(ofPassword password: String, user: String) -> String? {
    if password.count < minimumPasswordLength {
      return "a password has at least \(minimumPasswordLength) characters"
    }
    if password.utf8.count > maximumPasswordLength {
      return "a password has at most \(maximumPasswordLength) bytes"
    }
    if password.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return "a password is one line of text"
    }
    if TokenSecret(password) != nil {
      return "the password has the form of a random secret; choose another one"
    }
    // HTTP Basic separates the user name from the password by a colon.
    return user.contains(":") ? "the label of a password has no colon" : nil
  }

  private static func creationError(_ problem: String) -> StoreError {
    StoreError(.failed, message: "create a token: \(problem)")
  }
}
