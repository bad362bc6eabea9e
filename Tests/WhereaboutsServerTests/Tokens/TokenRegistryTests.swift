import GRDB
import Logging
import Synchronization
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsServer

@Suite struct TokenRegistryTests {
  @Test func secretVerifiesAsItsToken() throws {
    let fixture = try TokenFixture(), registry = try fixture.registry()
    let terms = TokenTerms(
      label: "Ann's phone", device: "phone", scopes: [.write, .read], accuracyCap: 500, expires: t(100))
    let (token, secret) = try registry.create(terms, at: t(0))
    let (other, otherSecret) = try registry.create(TokenTerms(device: nil, scopes: [.admin]), at: t(1))
    #expect(token.terms == terms && token.created == t(0))
    #expect(registry.verify(secret, at: t(1)) == token)
    #expect(registry.verify(otherSecret, at: t(1)) == other)
    #expect(other.terms.label == "all" && other.id > token.id)
    #expect(registry.list() == [token, other])
    // The same after a restart.
    let next = try fixture.otherRegistry()
    #expect(next.verify(secret, at: t(1)) == token && next.list() == [token, other])
  }

  @Test(
    arguments: ["scopes = 'x'", "scopes = ''", "link = '{'", "prefix = NULL"])
  func damagedTokenIsAFaultAndCanBeRevoked(change: String) throws {
    let fixture = try TokenFixture(), registry = try fixture.registry()
    let (token, _) = try registry.create(.phone, at: t(0))
    _ = try registry.create(.phone, at: t(1))
    #expect(try fixture.store.serverFaults().isEmpty)
    try fixture.store.write {
      try $0.execute(sql: "UPDATE token SET \(change) WHERE id = ?", arguments: [token.id])
    }
    let faults = try fixture.store.serverFaults()
    #expect(faults.map(\.command) == [["token", "revoke", "\(token.id)"]])
    #expect(try fixture.store.tokenFaults() == faults)
    try fixture.otherRegistry().revoke(token.id)
    #expect(try fixture.store.serverFaults().isEmpty)
  }

  @Test func damagedProgressOfAnAlertIsAFault() throws {
    let fixture = try TokenFixture()
    try fixture.store.write {
      try $0.execute(sql: "INSERT INTO alert_progress (alert, device, progress) VALUES ('school', 0, '{')")
    }
    let faults = try fixture.store.serverFaults()
    #expect(faults.map(\.kind) == [.row] && faults.first?.message.contains("alert school") == true)
    // The next crossing replaces it, and no other data has to go.
    #expect(faults.map(\.isReplaced) == [true])
  }

  @Test func secretIsRecognizableAndInNoFile() throws {
    let fixture = try TokenFixture()
    let (token, secret) = try fixture.registry().create(.phone, at: t(0))
    #expect(secret.hasPrefix("wht_") && secret.utf8.count == 44)
    #expect(secret.dropFirst(4).utf8.allSatisfy("abcdefghijkmnpqrstuvwxyz23456789".utf8.contains))
    #expect(try !fixture.holds(secret) && !fixture.holds(String(secret.dropFirst(12))))
    #expect(token.credential == .secret(hint: String(secret.prefix(8)) + "…"))
  }

  @Test func firstTokenIsRevokedUnlessItIsShown() async throws {
    try await TestServer.withStore { store in
      let server = try LocationServer(
        settings: .test, store: store, source: nil,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, passwordCost: 4)
      #expect(throws: CancellationError.self) {
        try server.createFirstToken { _ in throw CancellationError() }
      }
      #expect(server.core.tokens.list().isEmpty)
      try server.createFirstToken { _ in false }
      #expect(server.core.tokens.list().isEmpty)
      var shown: [String] = []
      for _ in 0..<2 {
        try server.createFirstToken { secret in
          shown.append(secret)
          return true
        }
      }
      #expect(shown.count == 1 && server.core.tokens.list().count == 1)
    }
  }

  /// Texts that are made of a right secret and are wrong.
  static let alterations: [(String, @Sendable (String) -> String)] = [
    ("empty", { _ in "" }),
    ("cut", { String($0.dropLast()) }),
    ("longer", { $0 + "a" }),
    ("blank", { $0 + " " }),
    ("upper case", { $0.uppercased() }),
    ("no marker", { String($0.dropFirst(4)) + "wht_" }),
    ("proof", { String($0.dropLast()) + ($0.hasSuffix("a") ? "b" : "a") }),
    ("prefix", { "wht_" + ($0.dropFirst(4).hasPrefix("a") ? "b" : "a") + $0.dropFirst(5) }),
    ("proof of another", { String($0.prefix(12)) + String(repeating: "a", count: 32) }),
    ("not ASCII", { String($0.dropLast(2)) + "é" }),
  ]

  @Test(arguments: alterations.map(\.0)) func alteredSecretIsRefused(name: String) throws {
    let registry = try TokenFixture().registry()
    let (_, secret) = try registry.create(.phone, at: t(0))
    let alteration = try #require(Self.alterations.first { $0.0 == name }?.1)
    #expect(registry.verify(alteration(secret), at: t(0)) == nil)
    #expect(registry.verify(secret, at: t(0)) != nil)
  }

  @Test(arguments: [(Int64(0), true), (99, true), (100, false), (101, false)])
  func tokenExpires(second: Int64, isValid: Bool) throws {
    let registry = try TokenFixture().registry()
    let (_, secret) = try registry.create(
      TokenTerms(device: "phone", scopes: [.read], expires: t(100)), at: t(0))
    #expect((registry.verify(secret, at: t(second)) != nil) == isValid)
  }

  @Test func revokedTokenIsRefused() throws {
    let fixture = try TokenFixture(), registry = try fixture.registry()
    let (token, secret) = try registry.create(.phone, at: t(0))
    try registry.revoke(token.id)
    #expect(registry.verify(secret, at: t(0)) == nil && registry.list().isEmpty)
    let error = #expect(throws: StoreError.self) { try registry.revoke(token.id) }
    #expect(error?.code == .missing)
    // The number is never used again.
    #expect(try registry.create(.phone, at: t(0)).token.id > token.id)
  }

  @Test func changesOfOtherProcessesNeedARefresh() throws {
    let fixture = try TokenFixture(), registry = try fixture.registry(), other = try fixture.otherRegistry()
    let (token, secret) = try other.create(.phone, at: t(0))
    #expect(registry.verify(secret, at: t(0)) == nil)
    try registry.refresh()
    #expect(registry.verify(secret, at: t(0)) == token)
    try other.revoke(token.id)
    try registry.refresh()
    #expect(registry.verify(secret, at: t(0)) == nil)
  }

  @Test func onlyATokenThatMemoryLacksIsUnread() throws {
    let fixture = try TokenFixture(), registry = try fixture.registry(), other = try fixture.otherRegistry()
    let (_, secret) = try other.create(TokenTerms(device: "phone", scopes: [.read], expires: t(10)), at: t(0))
    #expect(registry.hasUnreadToken(of: secret) && !other.hasUnreadToken(of: secret))
    try registry.refresh()
    // An expired token, and a secret with the prefix of a token, need no refresh.
    #expect(registry.verify(secret, at: t(20)) == nil && !registry.hasUnreadToken(of: secret))
    let wrong = String(secret.prefix(12)) + String(repeating: "a", count: 32)
    #expect(!registry.hasUnreadToken(of: wrong))
    var random = SystemRandomNumberGenerator()
    #expect(!registry.hasUnreadToken(of: TokenSecret(using: &random).text))
  }

  @Test func verificationNeedsNoStore() throws {
    let fixture = try TokenFixture(), registry = try fixture.registry()
    let (token, secret) = try registry.create(.phone, at: t(0))
    fixture.store.close()
    #expect(registry.verify(secret, at: t(0)) == token)
  }

  @Test func refresherNoticesChangesWithinASecond() async throws {
    let fixture = try TokenFixture(), registry = try fixture.registry(),
      zones = try ZoneRegistry(fixture.store)
    let clock = StepClock()
    let refresher = RegistryRefresher(tokens: registry, zones: zones) { Issue.record("\($0)") }
    let task = Task { await refresher.run(clock: clock) }
    _ = await clock.nextDeadline()
    let (token, secret) = try fixture.otherRegistry().create(.phone, at: t(0))
    await clock.advance(by: .seconds(1))
    _ = await clock.nextDeadline()
    #expect(registry.verify(secret, at: t(0)) == token)
    task.cancel()
    await task.value
  }

  /// Otherwise a zone and a token that are written between the two reads would come into memory one without the other.
  @Test func twoSnapshotsAreReadFromOneState() throws {
    let fixture = try TokenFixture(), other = try fixture.otherStore()
    let second = try TableSnapshot(of: fixture.store) { try Self.deviceCount($0) }
    let first = try TableSnapshot(of: fixture.store) { database in
      let count = try Self.deviceCount(database)
      // Another process writes before the read of the second snapshot.
      try other.write {
        try $0.execute(sql: "INSERT INTO device (name) VALUES (?)", arguments: ["device \(count)"])
      }
      return count
    }
    try first.refresh(with: second)
    #expect(first.value == 1 && second.value == 1)
    other.close()
    withExtendedLifetime(fixture) {}
  }

  private static func deviceCount(_ database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM device") ?? 0
  }

  @Test func revokedTokenIsRefusedAlsoIfAZoneIsUnreadable() throws {
    let fixture = try TokenFixture(), zones = try ZoneRegistry(fixture.store)
    let registry = try fixture.registry(zones: zones)
    let (token, secret) = try registry.create(.phone, at: t(0))
    try zones.add(try DisclosureFixture.zone(.hide))
    try fixture.store.write { try $0.execute(sql: "UPDATE privacy_zone SET cover_lat = 91") }
    try registry.revoke(token.id)
    #expect(registry.verify(secret, at: t(0)) == nil)
    // The zone in memory still protects.
    #expect(zones.zones.count == 1)
  }

  /// A zone that can't be read may apply to a new token.
  @Test func noTokenIsAddedWhileAZoneIsUnreadable() async throws {
    let fixture = try TokenFixture(), zones = try ZoneRegistry(fixture.store)
    let registry = try fixture.registry(zones: zones)
    let revoked = try registry.create(.phone, at: t(0)).token
    let kept = try registry.create(.phone, at: t(0)).token
    try zones.add(try DisclosureFixture.zone(.hide))
    try fixture.store.write { try $0.execute(sql: "UPDATE privacy_zone SET cover_lat = 91") }
    let (new, secret) = try fixture.otherRegistry().create(.phone, at: t(0))
    try registry.revoke(revoked.id)
    #expect(registry.verify(secret, at: t(0)) == nil && registry.list() == [kept])
    let error = #expect(throws: StoreError.self) { try registry.create(.phone, at: t(0)) }
    #expect(error?.code == .corrupt)
    let passwordError = await #expect(throws: StoreError.self) {
      try await registry.create(.phone, password: "correct horse", at: t(0))
    }
    #expect(passwordError?.code == .corrupt && registry.list() == [kept])
    try ZoneRegistry.remove("home", from: fixture.store)
    try registry.refresh()
    // The refused creations have left nothing.
    #expect(registry.verify(secret, at: t(0)) == new && registry.list() == [kept, new])
  }

  /// A new token would be newer than the zones in memory, and is refused.
  @Test func refresherRefusesRevokedTokensAlsoIfAZoneIsUnreadable() async throws {
    let fixture = try TokenFixture(), zones = try ZoneRegistry(fixture.store)
    let registry = try fixture.registry(zones: zones)
    let (kept, keptSecret) = try registry.create(.phone, at: t(0))
    let (token, secret) = try registry.create(.phone, at: t(0))
    try zones.add(try DisclosureFixture.zone(.hide))
    let other = try fixture.otherRegistry()
    try fixture.otherStore().write { try $0.execute(sql: "UPDATE privacy_zone SET cover_lat = 91") }
    try other.revoke(token.id)
    let newSecret = try other.create(.phone, at: t(0)).secret
    let clock = StepClock(), reported = Mutex<[StoreError.Code]>([])
    let refresher = RegistryRefresher(tokens: registry, zones: zones) { error in
      reported.withLock { $0.append(error.code) }
    }
    let task = Task { await refresher.run(clock: clock) }
    for _ in 0..<2 {
      _ = await clock.nextDeadline()
      #expect(registry.verify(secret, at: t(0)) == nil)
      #expect(registry.verify(keptSecret, at: t(0)) == kept && registry.verify(newSecret, at: t(0)) == nil)
      // The zone in memory still protects.
      #expect(zones.zones.count == 1)
      await clock.advance(by: .seconds(1))
    }
    _ = await clock.nextDeadline()
    #expect(reported.withLock { $0 } == [.corrupt])
    try ZoneRegistry.remove("home", from: fixture.otherStore())
    await clock.advance(by: .seconds(1))
    _ = await clock.nextDeadline()
    #expect(registry.verify(newSecret, at: t(0)) != nil && zones.zones.isEmpty)
    task.cancel()
    await task.value
  }

  @Test(arguments: [ErasureScope.device("phone"), .everything])
  func tokenOfForgottenDeviceIsRefused(what: ErasureScope) throws {
    let fixture = try TokenFixture(), registry = try fixture.registry()
    let (_, secret) = try registry.create(.phone, at: t(0))
    let (all, allSecret) = try registry.create(TokenTerms(device: nil, scopes: [.admin]), at: t(0))
    try fixture.store.forget(what)
    try registry.refresh()
    #expect(registry.verify(secret, at: t(0)) == nil)
    #expect(registry.verify(allSecret, at: t(0)) == all)
    // A new device of the same name does not get the token.
    _ = try registry.create(.phone, at: t(1))
    #expect(registry.verify(secret, at: t(1)) == nil)
  }

  @Test func tokenWithoutItsDeviceIsNotOneOfEveryDevice() throws {
    let fixture = try TokenFixture(), registry = try fixture.registry()
    let (_, secret) = try registry.create(.phone, at: t(0))
    try fixture.store.write { try $0.execute(sql: "DELETE FROM device") }
    try registry.refresh()
    #expect(registry.verify(secret, at: t(0)) == nil && registry.list().isEmpty)
  }

  static let invalidTerms: [(TokenTerms, String)] = [
    (TokenTerms(device: "phone", scopes: []), "at least one of the scopes"),
    (TokenTerms(device: "", scopes: [.read]), "a device has a name"),
    (TokenTerms(device: "..", scopes: [.read]), "no URL can hold the device name"),
    (
      TokenTerms(label: "long", device: DeviceID(String(repeating: "a", count: 1025)), scopes: [.read]),
      "at most 1024"
    ),
    (TokenTerms(label: "", device: nil, scopes: [.read]), "a label has 1 to 100 bytes"),
    (TokenTerms(label: "a\nb", device: nil, scopes: [.read]), "one line"),
    (TokenTerms(label: String(repeating: "é", count: 51), device: nil, scopes: [.read]), "1 to 100 bytes"),
    (TokenTerms(device: nil, scopes: [.read], accuracyCap: 9), "10 m to 1000 km"),
    (TokenTerms(device: nil, scopes: [.read], accuracyCap: .nan), "10 m to 1000 km"),
    (TokenTerms(device: nil, scopes: [.admin], accuracyCap: 500), "does not limit an administrator"),
    (TokenTerms(device: nil, scopes: [.read], expires: t(0)), "expired already"),
  ]

  @Test(arguments: invalidTerms) func invalidTermsAreRefused(terms: TokenTerms, words: String) throws {
    let registry = try TokenFixture().registry()
    let error = #expect(throws: StoreError.self) { try registry.create(terms, at: t(0)) }
    #expect(error?.code == .failed && error?.message.contains(words) == true, "\(String(describing: error))")
    #expect(registry.list().isEmpty)
  }

  /// Earlier versions added such devices, and their phones may need a new token.
  @Test(arguments: ["..", String(repeating: "a", count: 1025)])
  func deviceOfAnEarlierVersionGetsATokenUnderItsName(_ name: String) async throws {
    let fixture = try TokenFixture(), registry = try fixture.registry()
    try fixture.store.write {
      try $0.execute(sql: "INSERT INTO device (name) VALUES (?)", arguments: [name])
    }
    let terms = TokenTerms(label: "old", device: DeviceID(name), scopes: [.write])
    let (token, secret) = try registry.create(terms, at: t(0))
    #expect(registry.verify(secret, at: t(1)) == token && token.terms.device == DeviceID(name))
    _ = try await registry.create(terms, password: "correct horse", at: t(0))
    #expect(registry.list().map(\.terms.device) == [DeviceID(name), DeviceID(name)])
  }

  @Test func readOnlyStoreListsTokensAndRefusesChanges() throws {
    let fixture = try TokenFixture()
    let (token, secret) = try fixture.registry().create(.phone, at: t(0))
    let reader = try TokenRegistry(SQLiteStore.open(at: fixture.store.path, access: .readOnly))
    #expect(reader.list() == [token] && reader.verify(secret, at: t(0)) == token)
    let error = #expect(throws: StoreError.self) { try reader.revoke(token.id) }
    #expect(error?.code == .readOnly)
  }
}

@Suite struct AccessTokenTests {
  typealias Scope = AccessToken.Scope
  static let rows:
    [(device: DeviceID?, scopes: Set<Scope>, allowed: Set<Scope>, allowedOfOther: Set<Scope>)] = [
      ("phone", [.read], [.read], []),
      ("phone", [.write], [.write], []),
      ("phone", [.admin], [.read, .write, .admin], []),
      (nil, [.read], [.read], [.read]),
      (nil, [.read, .write], [.read, .write], [.read, .write]),
      (nil, [.admin], [.read, .write, .admin], [.read, .write, .admin]),
    ]

  @Test(arguments: rows)
  func scopesAreForTheDevice(
    device: DeviceID?, scopes: Set<Scope>, allowed: Set<Scope>, allowedOfOther: Set<Scope>
  ) {
    let token = AccessToken(
      id: 1, terms: TokenTerms(device: device, scopes: scopes), created: t(0), credential: .secret(hint: ""))
    #expect(Set(Scope.allCases.filter { token.allows($0, of: "phone") }) == allowed)
    #expect(Set(Scope.allCases.filter { token.allows($0, of: "other") }) == allowedOfOther)
  }
}
