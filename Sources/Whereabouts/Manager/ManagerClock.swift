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
    /// Begins to watch for a deadline, at which the action runs unless the watch has ended. A test that counts sleepers
    /// ignores the watch.
    let watch: @Sendable (Instant, _ action: @escaping @Sendable () async -> Void) async -> Watch
    /// Whether each deadline that a step of the clock passes is processed at its own instant.
    let meetsEachDeadline: Bool
  }

  /// A watch for a deadline.
  struct Watch: Sendable {
    /// Ends the watch. The action does not run afterwards, unless it runs already.
    let end: @Sendable () async -> Void
  }

  let kind: Kind

  /// The machine's clocks: a monotonic clock that also runs while the machine sleeps, and the wall clock.
  public static var system: ManagerClock {
    let clock = ContinuousClock(), timer = SharedTimer.ofProcess
    return ManagerClock(
      clock, wall: { UTCTime(secondsSince1970: Date().timeIntervalSince1970) }, meetsEachDeadline: false
    ) { deadline, action in
      let entry = await timer.add(deadline) { Task { await action() } }
      return Watch { await timer.remove(entry) }
    }
  }

  /// A clock that the source alone advances. A recorded source has the same results at any speed.
  static let drivenBySource = ManagerClock(kind: .drivenBySource)

  /// Creates a clock from any Swift clock and a wall clock. ``Instant/start`` is the moment of
  /// creation.
  public init<C: Clock>(_ clock: C, wall: @escaping @Sendable () -> UTCTime?) where C.Duration == Duration {
    self.init(clock, wall: wall, meetsEachDeadline: false) { deadline, action in
      .sleeping({ try await clock.sleep(until: deadline, tolerance: nil) }, action)
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
    self.init(clock, wall: wall, meetsEachDeadline: meetsEachDeadline) { deadline, action in
      .sleeping({ try await watchdogSleep(deadline) }, action)
    }
  }

  private init<C: Clock>(
    _ clock: C, wall: @escaping @Sendable () -> UTCTime?, meetsEachDeadline: Bool,
    watch: @escaping @Sendable (C.Instant, _ action: @escaping @Sendable () async -> Void) async -> Watch
  ) where C.Duration == Duration {
    let start = clock.now
    kind = .free(
      FreeClock(
        now: { Moment(instant: Instant(start.duration(to: clock.now)), wall: wall()) },
        sleep: { try await clock.sleep(until: start.advanced(by: $0.since(.start)), tolerance: nil) },
        watch: { await watch(start.advanced(by: $0.since(.start)), $1) },
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

extension ManagerClock.Watch {
  /// Returns a watch with a task of its own, which sleeps until the deadline.
  fileprivate static func sleeping(
    _ sleep: @escaping @Sendable () async throws -> Void, _ action: @escaping @Sendable () async -> Void
  ) -> ManagerClock.Watch {
    let task = Task {
      do { try await sleep() } catch { return }
      await action()
    }
    // Wait, so that at most one such task is alive.
    return ManagerClock.Watch {
      task.cancel()
      await task.value
    }
  }
}
