public import Whereabouts

/// A clock that moves only on request.
///
/// Sleepers wake in the order of their deadlines. A woken sleeper runs on its own task. To observe its work, wait for
/// an effect, never for real time.
///
/// All copies are the same clock.
public struct StepClock: Clock, Sendable {
  /// An instant of a step clock, counted from its start.
  public struct Instant: InstantProtocol, Sendable {
    /// The time since the clock's start.
    public var offset: Swift.Duration

    /// Creates an instant at an offset from the clock's start.
    public init(_ offset: Swift.Duration) { self.offset = offset }

    /// Returns this instant moved by a duration.
    public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset + duration) }
    /// Returns the time from this instant to another; negative if the other is earlier.
    public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    /// Returns whether the left instant is earlier.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let timeline: StepTimeline

  /// Creates a clock at its start.
  ///
  /// - Parameter wall: the wall-clock time at the start; `nil` for a host without a wall clock.
  public init(wall: UTCTime? = nil) {
    timeline = StepTimeline(wall: wall)
  }

  /// The current instant.
  public var now: Instant { Instant(timeline.now) }

  /// The smallest unit, one nanosecond; a step clock has no resolution of its own.
  public var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// Waits until the clock reaches a deadline.
  ///
  /// - Throws: `CancellationError` if the task is cancelled first.
  public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
    try await timeline.sleep(until: deadline.offset)
  }

  /// Moves the clock and wakes every sleeper whose deadline has passed.
  ///
  /// Returns before the woken tasks have run. To see the effect on a manager, wait for
  /// ``Whereabouts/LocationManager/waitUntilProcessed()``.
  public func advance(by duration: Swift.Duration) async {
    await timeline.advance(by: duration)
  }

  /// Waits until a task sleeps, and returns the earliest deadline.
  ///
  /// - Cancellation: A task that is cancelled while it waits gets the current instant.
  public func nextDeadline() async -> Instant {
    Instant(await timeline.nextDeadline())
  }

  /// Makes a manager stop waiting for a hanging store (``MemoryStore/hold(_:)``), waiting for such a manager if
  /// necessary.
  ///
  /// Time does not pass. Moving the clock never ends a wait for a store.
  ///
  /// - Cancellation: A task that is cancelled while it waits continues at once.
  public func expireStoreTimeouts() async {
    await timeline.wakeWatchdogs()
  }

  /// The number of sleepers, which should be 0 at the end of a test.
  public var sleepers: Int {
    get async { await timeline.sleeperCount }
  }

  /// Waits until no task sleeps, for example until cancelled sleepers have woken. Waits forever if a task stays
  /// asleep.
  ///
  /// - Cancellation: A task that is cancelled while it waits continues at once.
  public func waitUntilNoSleepers() async {
    await timeline.waitUntilNoSleepers()
  }

  /// Sets the wall clock, as NTP or a person would; the clock itself does not move.
  public func setWall(_ time: UTCTime?) {
    timeline.setWall(time)
  }

  /// A manager clock that follows this clock.
  ///
  /// However long a step is, the manager meets every deadline within it at the deadline's instant, and in order.
  public var managerClock: ManagerClock {
    ManagerClock(self, wall: { [timeline] in timeline.wall }, meetsEachDeadline: true) { [timeline] _ in
      try await timeline.sleepAsWatchdog()
    }
  }
}
