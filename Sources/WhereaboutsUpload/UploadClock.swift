#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import WhereaboutsCore

/// What an uploader takes for the time: chosen by the program or the test.
public struct UploadClock: Sendable {
  private let read: @Sendable () -> Moment
  private let rest: @Sendable (Instant) async throws -> Void

  /// The machine's clocks.
  public static var system: UploadClock {
    UploadClock(ContinuousClock()) { UTCTime(secondsSince1970: Date().timeIntervalSince1970) }
  }

  /// Any clock, together with what the wall clock says; ``Whereabouts/Instant/start`` is now.
  public init<C: Clock>(_ clock: C, wall: @escaping @Sendable () -> UTCTime?) where C.Duration == Duration {
    let start = clock.now
    read = { Moment(instant: Instant(start.duration(to: clock.now)), wall: wall()) }
    rest = { try await clock.sleep(until: start.advanced(by: $0.since(.start)), tolerance: nil) }
  }

  /// Now.
  var now: Instant { read().instant }

  /// Now by the wall clock; the beginning of 1970 where it does not know, as a machine without a battery says too.
  var wall: UTCTime { read().wall ?? UTCTime(nanosecondsSince1970: 0) }

  /// Waits until then, or until the task is cancelled.
  func sleep(until instant: Instant) async throws { try await rest(instant) }

  /// Does something that may take so long and no longer.
  ///
  /// - Throws: ``TookTooLong``, or what it throws.
  func limit<Value: Sendable>(
    _ duration: Duration, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let deadline = now.advanced(by: duration)
    return try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await sleep(until: deadline)
        throw TookTooLong()
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }

  /// There was no answer in time.
  struct TookTooLong: Error {}
}
