import Crypto
import Dispatch
import Foundation
import WhereaboutsModel

/// The checks of passwords, which are slow and need much memory.
///
/// A few checks run at once on threads of their own, some more wait, and the rest is refused. Equal checks at the same
/// time run once. Results are kept for some minutes under an HMAC with a key of this process. So a phone that sends its
/// password with every request costs microseconds.
actor PasswordVerifier {
  /// The number of checks at once, which bounds the memory.
  private static let maximumRunning = 2
  /// The number of different checks that run or wait.
  static let maximumPending = 16

  private let queue = DispatchQueue(label: "whereabouts.server.passwords", attributes: .concurrent)
  private let key = SymmetricKey(size: .bits256)
  private let check: @Sendable ([UInt8], PasswordRecord) -> Bool
  private var results = PasswordResults()
  private var pending: [Data: Task<Bool, Never>] = [:]
  private var running = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameter check: the slow check, for tests.
  init(check: @escaping @Sendable ([UInt8], PasswordRecord) -> Bool = { $1.matches($0) }) {
    self.check = check
  }

  /// Returns whether a password matches a record.
  ///
  /// - Throws: ``PasswordCheckBusyError`` if too many checks wait.
  func matches(
    _ password: [UInt8], _ record: PasswordRecord, at time: UTCTime
  ) async throws(PasswordCheckBusyError) -> Bool {
    let pair = identity(of: password, record)
    if let known = results.result(of: pair, at: time) { return known }
    if let running = pending[pair] { return await running.value }
    guard pending.count < Self.maximumPending else { throw PasswordCheckBusyError() }
    let new = Task { [check] in await self.run { check(password, record) } }
    pending[pair] = new
    let isRight = await new.value
    pending[pair] = nil
    results.insert(isRight, for: pair, at: time)
    return isRight
  }

  /// Returns whether a check of the last minutes has found that a password matches a record.
  func isKnown(_ password: [UInt8], _ record: PasswordRecord, at time: UTCTime) -> Bool {
    results.result(of: identity(of: password, record), at: time) == true
  }

  /// Returns the record of a new password.
  func record(of password: [UInt8], cost: Int) async throws -> PasswordRecord {
    try await run { Result { try PasswordRecord(of: password, cost: cost) } }.get()
  }

  /// Returns a record for a nonexistent user.
  func impossibleRecord(for user: String, cost: Int) -> PasswordRecord {
    PasswordRecord(impossibleFor: user, key: key, cost: cost)
  }

  /// Runs slow work on a thread of its own, after the work before it.
  private func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    if running < Self.maximumRunning {
      running += 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
    let value = await withCheckedContinuation { done in queue.async { done.resume(returning: work()) } }
    // The turn goes to the next one, or ends.
    if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
    return value
  }

  /// Returns the identity of a check: the password, the salt and the stored hash, in a form that reveals none.
  private func identity(of password: [UInt8], _ record: PasswordRecord) -> Data {
    var hash = HMAC<SHA256>(key: key)
    // All parts but the last have one length.
    hash.update(data: SHA256.hash(data: record.salt).withUnsafeBytes { Data($0) })
    hash.update(data: SHA256.hash(data: record.hash).withUnsafeBytes { Data($0) })
    hash.update(data: password)
    return Data(hash.finalize())
  }
}

/// The error of a password check while too many others run. Trying again later helps.
public struct PasswordCheckBusyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason and the remedy.
  public var description: String { "check the password: too many checks run; try again in a few seconds" }
}
