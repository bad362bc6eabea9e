#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The time of a manager over a live source: the machine's, or in a test a clock that the test moves.
///
/// A source with ``SourceTiming/recorded`` timing brings its own time; a manager over it uses no clock.
public struct ManagerClock: Sendable {
  enum Kind: Sendable {
    case free(FreeClock)
    case drivenBySource
  }

  /// A clock that goes by itself, or by a test.
  struct FreeClock: Sendable {
    let now: @Sendable () -> Moment
    let sleep: @Sendable (Instant) async throws -> Void
    /// Sleeps for a watchdog, which a test that looks for sleepers does not mean.
    let watch: @Sendable (Instant) async throws -> Void
    /// Whether deadlines that a step of the clock has passed are met one by one, each at its own instant.
    let meetsEachDeadline: Bool
  }

  let kind: Kind

  /// The machine's clocks: a monotonic one that goes on while the machine sleeps, and its wall clock.
  public static var system: ManagerClock {
    ManagerClock(ContinuousClock()) { UTCTime(secondsSince1970: Date().timeIntervalSince1970) }
  }

  /// Time passes only as the source says: for recorded sources, at any speed, always with the same result.
  static let drivenBySource = ManagerClock(kind: .drivenBySource)

  /// Any clock, together with what the wall clock says; ``Instant/start`` is now.
  public init<C: Clock>(_ clock: C, wall: @escaping @Sendable () -> UTCTime?) where C.Duration == Duration {
    self.init(clock, wall: wall, meetsEachDeadline: false) {
      try await clock.sleep(until: $0, tolerance: nil)
    }
  }

  /// A clock of a test kit.
  ///
  /// - Parameters:
  ///   - meetsEachDeadline: whether deadlines that a step of the clock has passed are met one by one.
  ///   - watch: sleeps for a watchdog.
  package init<C: Clock>(
    _ clock: C, wall: @escaping @Sendable () -> UTCTime?, meetsEachDeadline: Bool,
    watch: @escaping @Sendable (C.Instant) async throws -> Void
  ) where C.Duration == Duration {
    let start = clock.now
    kind = .free(
      FreeClock(
        now: { Moment(instant: Instant(start.duration(to: clock.now)), wall: wall()) },
        sleep: { try await clock.sleep(until: start.advanced(by: $0.since(.start)), tolerance: nil) },
        watch: { try await watch(start.advanced(by: $0.since(.start))) },
        meetsEachDeadline: meetsEachDeadline))
  }

  /// The clock of a manager over a source: the source's own time where the source is recorded.
  func matching(_ timing: SourceTiming) -> ManagerClock {
    switch timing {
    case .live: self
    case .recorded: .drivenBySource
    }
  }

  private init(kind: Kind) {
    self.kind = kind
  }

  /// The moment to stamp on what happens now; `nil` where the source's last moment goes on.
  func stamp() -> Moment? {
    switch kind {
    case .free(let clock): clock.now()
    case .drivenBySource: nil
    }
  }

  /// Whether every deadline on the way to a moment is met at its own instant. Where a machine has slept it is not: its
  /// source had no chance to answer in between.
  var meetsEachDeadline: Bool {
    switch kind {
    case .free(let clock): clock.meetsEachDeadline
    case .drivenBySource: true
    }
  }
}
