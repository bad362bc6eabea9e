#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import WhereaboutsModel

/// The clock of an uploader, chosen by the program or the test.
public struct UploadClock: Sendable {
  private let currentMoment: @Sendable () -> Moment
  private let sleepUntil: @Sendable (Instant) async throws -> Void

  /// The machine's clocks.
  public static var system: UploadClock {
    UploadClock(ContinuousClock()) { UTCTime(secondsSince1970: Date().timeIntervalSince1970) }
  }

  /// Creates a clock from any Swift clock and a wall clock. ``Whereabouts/Instant/start`` is the present.
  public init<C: Clock>(_ clock: C, wall: @escaping @Sendable () -> UTCTime?) where C.Duration == Duration {
    let start = clock.now
    currentMoment = { Moment(instant: Instant(start.duration(to: clock.now)), wall: wall()) }
    sleepUntil = { try await clock.sleep(until: start.advanced(by: $0.since(.start)), tolerance: nil) }
  }

  /// The present instant.
  var now: Instant { currentMoment().instant }

  /// The present time of the wall clock; the beginning of 1970 if unknown, as on a machine without a battery.
  var wall: UTCTime { currentMoment().wall ?? UTCTime(nanosecondsSince1970: 0) }

  /// Sleeps until an instant or until the task is cancelled.
  func sleep(until instant: Instant) async throws { try await sleepUntil(instant) }

  /// Runs an operation with a time limit.
  ///
  /// - Throws: ``TimeoutError``, or the operation's error.
  func withTimeout<Value: Sendable>(
    _ duration: Duration, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let deadline = now.advanced(by: duration)
    return try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await sleep(until: deadline)
        throw TimeoutError()
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }

  /// An error: the operation exceeded its time limit.
  struct TimeoutError: Error {}
}
