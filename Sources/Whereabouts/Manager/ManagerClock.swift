#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The clock of a manager over a live source: the machine's, or a stepped clock in a test.
///
/// A source with ``SourceTiming/recorded`` timing brings its own time, and its manager uses no clock.
public struct ManagerClock: Sendable {
  enum Kind: Sendable {
    case free(FreeClock)
    case drivenBySource
  }

  /// A clock that runs by itself or is stepped by a test.
  struct FreeClock: Sendable {
    let now: @Sendable () -> Moment
    let sleep: @Sendable (Instant) async throws -> Void
    /// Sleeps for a watchdog. A test that looks for sleepers ignores this sleep.
    let watchdogSleep: @Sendable (Instant) async throws -> Void
    /// Whether each deadline that a step of the clock passes is processed at its own instant.
    let meetsEachDeadline: Bool
  }

  let kind: Kind

  /// The machine's clocks: a monotonic clock that also runs while the machine sleeps, and the wall clock.
  public static var system: ManagerClock {
    ManagerClock(ContinuousClock()) { UTCTime(secondsSince1970: Date().timeIntervalSince1970) }
  }

  /// A clock that the source alone advances. A recorded source has the same results at any speed.
  static let drivenBySource = ManagerClock(kind: .drivenBySource)

  /// Creates a clock from any Swift clock and a wall clock. ``Instant/start`` is the moment of
  /// creation.
  public init<C: Clock>(_ clock: C, wall: @escaping @Sendable () -> UTCTime?) where C.Duration == Duration {
    self.init(clock, wall: wall, meetsEachDeadline: false) {
      try await clock.sleep(until: $0, tolerance: nil)
    }
  }

  /// Creates a clock for a test kit.
  ///
  /// - Parameters:
  ///   - meetsEachDeadline: whether each deadline that a step of the clock passes is processed at its own instant.
  ///   - watchdogSleep: sleeps for a watchdog.
  package init<C: Clock>(
    _ clock: C, wall: @escaping @Sendable () -> UTCTime?, meetsEachDeadline: Bool,
    watchdogSleep: @escaping @Sendable (C.Instant) async throws -> Void
  ) where C.Duration == Duration {
    let start = clock.now
    kind = .free(
      FreeClock(
        now: { Moment(instant: Instant(start.duration(to: clock.now)), wall: wall()) },
        sleep: { try await clock.sleep(until: start.advanced(by: $0.since(.start)), tolerance: nil) },
        watchdogSleep: { try await watchdogSleep(start.advanced(by: $0.since(.start))) },
        meetsEachDeadline: meetsEachDeadline))
  }

  /// Returns the clock of a manager over a source: for a recorded source, the source's own time.
  func matching(_ timing: SourceTiming) -> ManagerClock {
    switch timing {
    case .live: self
    case .recorded: .drivenBySource
    }
  }

  private init(kind: Kind) {
    self.kind = kind
  }

  /// Returns the moment to stamp on a new entry; `nil` if the source's last moment remains valid.
  func stamp() -> Moment? {
    switch kind {
    case .free(let clock): clock.now()
    case .drivenBySource: nil
    }
  }

  /// Whether each deadline up to a moment is processed at its own instant. False for the machine's clock,
  /// because a source can't answer while the machine sleeps.
  var meetsEachDeadline: Bool {
    switch kind {
    case .free(let clock): clock.meetsEachDeadline
    case .drivenBySource: true
    }
  }
}
