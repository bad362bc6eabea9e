import Dispatch
import Foundation
import Synchronization
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

@Suite struct PasswordTests {
  /// Counts the checks, and holds them up as long as a test wants.
  private final class CountedChecks: Sendable {
    private let counter = Mutex(0)
    private let gate: DispatchSemaphore?

    init(gate: DispatchSemaphore? = nil) { self.gate = gate }

    var count: Int { counter.withLock { $0 } }

    func check(_ password: [UInt8], _ record: PasswordRecord) -> Bool {
      counter.withLock { $0 += 1 }
      gate?.wait()
      return record.matches(password)
    }
  }

  @Test func labelOrDeviceIsTheUserName() async throws {
    let registry = try TokenFixture().registry()
    let terms = TokenTerms(label: "Ann", device: "phone", scopes: [.write])
    let token = try await registry.create(terms, password: "correct horse", at: t(0))
    #expect(token.credential == .password(user: "Ann") && registry.list() == [token])
    for user in ["Ann", "phone"] {
      #expect(try await registry.verify(user: user, password: "correct horse", at: t(0)) == token)
    }
    for (user, password) in [
      ("Ann", "correct hors"), ("Ann", "Correct horse"), ("Ann", ""), ("ann", "correct horse"),
      ("", "correct horse"), ("all", "correct horse"), ("Ann", String(repeating: "a", count: 2_000)),
    ] {
      #expect(
        try await registry.verify(user: user, password: password, at: t(0)) == nil, "\(user) \(password)")
    }
  }

  @Test func labelHasPrecedenceOverDevice() async throws {
    let registry = try TokenFixture().registry()
    let ofDevice = try await registry.create(
      TokenTerms(label: "Ann", device: "phone", scopes: [.write]), password: "password of Ann", at: t(0))
    let second = try await registry.create(
      TokenTerms(label: "Bob", device: "phone", scopes: [.write]), password: "password of Bob", at: t(0))
    // The older token of the device, until a label has the name.
    #expect(try await registry.verify(user: "phone", password: "password of Ann", at: t(0)) == ofDevice)
    #expect(try await registry.verify(user: "phone", password: "password of Bob", at: t(0)) == nil)
    #expect(try await registry.verify(user: "Bob", password: "password of Bob", at: t(0)) == second)
    let byLabel = try await registry.create(
      TokenTerms(label: "phone", device: nil, scopes: [.read]), password: "password of all", at: t(0))
    #expect(try await registry.verify(user: "phone", password: "password of all", at: t(0)) == byLabel)
    #expect(try await registry.verify(user: "phone", password: "password of Ann", at: t(0)) == nil)
  }

  @Test func compositionOfCharactersDoesNotMatter() async throws {
    let registry = try TokenFixture().registry()
    let terms = TokenTerms(label: "Zo\u{E9}", device: nil, scopes: [.read])
    let token = try await registry.create(terms, password: "caf\u{E9} noir", at: t(0))
    #expect(try await registry.verify(user: "Zoe\u{301}", password: "cafe\u{301} noir", at: t(0)) == token)
  }

  @Test func secretIsAcceptedAsPassword() async throws {
    let registry = try TokenFixture().registry()
    let (token, secret) = try registry.create(.phone, at: t(0))
    #expect(try await registry.verify(user: "whoever", password: secret, at: t(0)) == token)
    try registry.revoke(token.id)
    #expect(try await registry.verify(user: "whoever", password: secret, at: t(0)) == nil)
  }

  @Test func passwordIsInNoFile() async throws {
    let fixture = try TokenFixture()
    _ = try await fixture.registry().create(.phone, password: "correct horse", at: t(0))
    #expect(try !fixture.holds("correct horse"))
  }

  @Test(
    arguments: [
      ("phone", "1234567", "at least 8 characters"), ("phone", "1234567\n", "one line"),
      ("phone", String(repeating: "a", count: 1_025), "at most 1024 bytes"), ("a:b", "12345678", "colon"),
      ("phone", "wht_" + String(repeating: "a", count: 40), "random secret"),
    ])
  func invalidPasswordIsRefused(label: String, password: String, words: String) async throws {
    let registry = try TokenFixture().registry()
    let terms = TokenTerms(label: label, device: nil, scopes: [.read])
    let error = await #expect(throws: StoreError.self) {
      try await registry.create(terms, password: password, at: t(0))
    }
    #expect(error?.message.contains(words) == true && error?.message.contains(password) == false)
  }

  @Test func userNameIsUnique() async throws {
    let registry = try TokenFixture().registry()
    let token = try await registry.create(.phone, password: "correct horse", at: t(0))
    let error = await #expect(throws: StoreError.self) {
      try await registry.create(.phone, password: "battery staple", at: t(0))
    }
    #expect(error?.code == .failed && error?.message.contains("revoke that token") == true)
    try registry.revoke(token.id)
    _ = try await registry.create(.phone, password: "battery staple", at: t(0))
    #expect(try await registry.verify(user: "phone", password: "correct horse", at: t(0)) == nil)
  }

  @Test func expiredAndRevokedPasswordsAreRefusedDespiteTheCache() async throws {
    let registry = try TokenFixture().registry()
    let terms = TokenTerms(device: "phone", scopes: [.write], expires: t(10))
    let token = try await registry.create(terms, password: "correct horse", at: t(0))
    #expect(try await registry.verify(user: "phone", password: "correct horse", at: t(9)) == token)
    #expect(try await registry.verify(user: "phone", password: "correct horse", at: t(10)) == nil)
    try registry.revoke(token.id)
    #expect(try await registry.verify(user: "phone", password: "correct horse", at: t(9)) == nil)
  }

  // MARK: Work

  @Test func repeatedPairIsCheckedOnce() async throws {
    let checks = CountedChecks(), registry = try TokenFixture().registry(check: checks.check)
    let token = try await registry.create(.phone, password: "correct horse", at: t(0))
    for second: Int64 in [0, 1, 599] {
      #expect(try await registry.verify(user: "phone", password: "correct horse", at: t(second)) == token)
      #expect(try await registry.verify(user: "phone", password: "wrong horse", at: t(second)) == nil)
    }
    #expect(checks.count == 2)
    #expect(try await registry.verify(user: "phone", password: "correct horse", at: t(600)) == token)
    #expect(checks.count == 3)
  }

  @Test func unknownUserCostsOneCheck() async throws {
    let checks = CountedChecks(), registry = try TokenFixture().registry(check: checks.check)
    _ = try await registry.create(.phone, password: "correct horse", at: t(0))
    for (done, user) in ["phone", "nobody", "other"].enumerated() {
      #expect(try await registry.verify(user: user, password: "wrong horse", at: t(0)) == nil)
      #expect(checks.count == done + 1)
    }
  }

  @Test func equalChecksAtOnceRunOnce() async throws {
    let gate = DispatchSemaphore(value: 0), checks = CountedChecks(gate: gate)
    let registry = try TokenFixture().registry(check: checks.check)
    let token = try await registry.create(.phone, password: "correct horse", at: t(0))
    let results = Task {
      await withTaskGroup(of: AccessToken?.self) { group in
        for _ in 0..<20 {
          group.addTask { try? await registry.verify(user: "phone", password: "correct horse", at: t(0)) }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    gate.signal()
    #expect(await results.value == Array(repeating: token, count: 20))
    #expect(checks.count == 1)
  }

  @Test func floodOfChecksIsRefused() async throws {
    let gate = DispatchSemaphore(value: 0), checks = CountedChecks(gate: gate)
    let verifier = PasswordVerifier(check: checks.check)
    let record = try PasswordRecord(of: Array("correct horse".utf8), cost: 4)
    let refused = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<40 {
        group.addTask {
          do throws(PasswordCheckBusyError) {
            _ = try await verifier.matches(Array("guess \(number)".utf8), record, at: t(0))
            return false
          } catch {
            return true
          }
        }
      }
      // Nothing runs to its end before as many are refused as must be.
      var refused = 0
      for _ in 0..<40 - PasswordVerifier.maximumPending where await group.next() == true { refused += 1 }
      for _ in 0..<PasswordVerifier.maximumPending { gate.signal() }
      for await isRefused in group where isRefused { refused += 1 }
      return refused
    }
    #expect(refused == 40 - PasswordVerifier.maximumPending)
    #expect(checks.count == PasswordVerifier.maximumPending)
    // And afterwards there is room again.
    gate.signal()
    #expect(try await verifier.matches(Array("correct horse".utf8), record, at: t(0)))
  }

  @Test func recordsOfOnePasswordDiffer() throws {
    #expect(PasswordRecord.standardCost == 15 && PasswordRecord.costs.contains(15))
    let record = try PasswordRecord(of: Array("correct horse".utf8), cost: 10)
    #expect(record.salt.count == 16 && record.hash.count == 32)
    #expect(record.matches(Array("correct horse".utf8)) && !record.matches(Array("correct hors".utf8)))
    let other = try PasswordRecord(of: Array("correct horse".utf8), cost: 10)
    #expect(other.salt != record.salt && other.hash != record.hash)
  }
}

@Suite struct PasswordResultsTests {
  private func pair(_ number: Int) -> Data { Data("\(number)".utf8) }

  @Test(arguments: [(Int64(-1), nil), (0, true), (599, true), (600, nil), (10_000, nil)] as [(Int64, Bool?)])
  func resultIsCachedForSomeMinutes(second: Int64, expected: Bool?) {
    var results = PasswordResults()
    results.insert(true, for: pair(1), at: t(0))
    results.insert(false, for: pair(2), at: t(0))
    #expect(results.result(of: pair(1), at: t(second)) == expected)
    #expect(results.result(of: pair(2), at: t(second)) == expected.map(!))
    #expect(results.result(of: pair(3), at: t(second)) == nil)
  }

  @Test func floodOfWrongPasswordsDisplacesNoRightOne() {
    var results = PasswordResults()
    results.insert(true, for: pair(-1), at: t(0))
    for number in 0..<1_000 { results.insert(false, for: pair(number), at: t(Int64(number) / 10)) }
    #expect(results.count == PasswordResults.capacity + 1)
    #expect(results.result(of: pair(-1), at: t(100)) == true)
    #expect(results.result(of: pair(999), at: t(100)) == false)
    #expect(results.result(of: pair(0), at: t(100)) == nil)
  }
}
