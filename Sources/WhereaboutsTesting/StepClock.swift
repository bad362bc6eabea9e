public import Whereabouts

/// A clock that moves only when it is told to.
///
/// Sleepers wake in the order of their deadlines. What a sleeper does then happens on its own task: to see it, wait for
/// something it brings about, never for real time.
///
/// Any number of copies are the same clock.
public struct StepClock: Clock, Sendable {
  /// An instant of a step clock, counted from its start.
  public struct Instant: InstantProtocol, Sendable {
    /// The time since the clock's start.
    public var offset: Swift.Duration

    /// The instant so long after the clock's start.
    public init(_ offset: Swift.Duration) { self.offset = offset }

    /// This instant moved by a duration.
    public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset + duration) }
    /// The time from this instant until another; negative where the other is earlier.
    public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    /// Which comes first.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let timeline: StepTimeline

  /// A clock at its start.
  ///
  /// - Parameter wall: what the wall clock says at the start; `nil` for a host that does not know.
  public init(wall: UTCTime? = nil) {
    timeline = StepTimeline(wall: wall)
  }

  /// Now.
  public var now: Instant { Instant(timeline.now) }

  /// A step clock has no resolution of its own.
  public var minimumResolution: Swift.Duration { .nanoseconds(1) }

  /// Waits until the clock has been moved to the deadline.
  ///
  /// - Throws: `CancellationError` where the task is cancelled first.
  public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
    try await timeline.sleep(until: deadline.offset)
  }

  /// Moves the clock, waking whoever's deadline comes.
  ///
  /// Returns before those who woke have done anything. To see what a manager did, wait for it with
  /// ``Whereabouts/LocationManager/settled()``.
  public func advance(by duration: Swift.Duration) async {
    await timeline.advance(by: duration)
  }

  /// Waits until somebody sleeps, and says until when the first of them does.
  ///
  /// - Cancellation: a task that is cancelled while it waits gets the present instant.
  public func nextDeadline() async -> Instant {
    Instant(await timeline.nextDeadline())
  }

  /// Lets a manager give up its wait for a store that hangs (``MemoryStore/hold(_:)``); waits for such a wait where there is
  /// none. Time does not pass; and however far the clock is moved, no store is given up by that.
  ///
  /// - Cancellation: a task that is cancelled while it waits goes on at once.
  public func giveUpStores() async {
    await timeline.wakeWatchdogs()
  }

  /// How many are asleep. At the end of a test nobody should be.
  public var sleepers: Int {
    get async { await timeline.sleeperCount }
  }

  /// Waits until nobody sleeps: until those who were cancelled are known to be awake, say. For ever where somebody
  /// sleeps on.
  ///
  /// - Cancellation: a task that is cancelled while it waits goes on at once.
  public func untilNobodySleeps() async {
    await timeline.waitUntilNobodySleeps()
  }

  /// Steps the wall clock, as NTP or a person would; the clock itself does not notice.
  public func setWall(_ time: UTCTime?) {
    timeline.setWall(time)
  }

  /// This clock as a manager's.
  ///
  /// However far one step goes, the manager meets every deadline on the way at its own instant, and in order.
  public var managerClock: ManagerClock {
    ManagerClock(self, wall: { [timeline] in timeline.wall }, meetsEachDeadline: true) { [timeline] _ in
      try await timeline.keepWatch()
    }
  }
}
