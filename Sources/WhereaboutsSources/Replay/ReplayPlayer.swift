import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats

/// A player of one recording's elements, at the recording's pace.
struct ReplayPlayer {
  /// The longest step of time without a fix, so that a deadline set meanwhile is met.
  private static let longestStep = Duration.seconds(1)

  private let link: SourceLink
  private let speed: ReplaySpeed
  private let longestPause: Duration?
  private let clock = ContinuousClock()

  private var demands: AsyncStream<Demand>.Iterator
  private var timeline = ReplayTimeline()
  private var status = SourceLink.Status.ended
  /// The time at which the recording's present moment was due.
  private var due: ContinuousClock.Instant

  init(link: SourceLink, speed: ReplaySpeed, longestPause: Duration?) {
    self.link = link
    self.speed = speed
    self.longestPause = longestPause
    demands = link.demands.makeAsyncIterator()
    due = clock.now
  }

  /// Whether the demand includes headings.
  var wantsHeadings: Bool { status.demand.headings != nil }

  /// Waits until there is demand.
  ///
  /// - Returns: false if demands have ended.
  mutating func waitForDemand() async -> Bool {
    while let demand = await demands.next() {
      guard demand != .off else { continue }
      status.demand = demand
      due = clock.now
      return true
    }
    return false
  }

  /// Plays one element: waits until the element is due, delivers it, and pauses without demand.
  ///
  /// - Returns: false once demands have ended.
  mutating func play(_ element: RecordingElement) async throws -> Bool {
    try Task.checkCancellation()
    switch element {
    case .fix(var fix):
      fix.isSimulated = true
      let before = timeline.now
      timeline.advance(to: fix.time)
      try await advance(from: before)
      if isIdle {
        // Time advances, and a deadline may need this very fix.
        status = await link.advance(to: timeline.now)
        if isIdle { return true }
      }
      if status.demand == .off, !(await waitForDemand()) { return false }
      status = await link.send(.fix(fix, age: .sinceArrival), at: timeline.now)
    case .heading(let heading):
      if !isIdle { status = await link.send(.heading(heading), at: timeline.now) }
    case .satellites(let satellites):
      if !isIdle { status = await link.send(.satellites(satellites), at: timeline.now) }
    case .trackBegan, .segmentBegan, .deviceBegan:
      status = await link.send(.segmentBegan, at: timeline.now)
    case .waypoint, .routeBegan, .routePoint, .visit, .offset:
      return true  // Not where the device was.
    }
    return status.demand == .off && !isIdle ? await waitForDemand() : true
  }

  /// Whether there is no present demand, but a known time at which one begins. Meanwhile time passes with the
  /// recording, and its fixes are dropped, as if a receiver were off.
  private var isIdle: Bool {
    status.demand == .off && status.nextWake != nil && (link.drivesTime || speed != .asFastAsPossible)
  }

  /// Advances the time since a moment: real time by the speed, recorded time step by step.
  private mutating func advance(from start: Moment) async throws {
    let recorded = timeline.now.instant.since(start.instant)
    guard speed != .asFastAsPossible, recorded > .zero else { return }
    let whole = speed.trueDuration(of: recorded)
    let waited = longestPause.map { min($0, whole) } ?? whole
    var passed = Duration.zero
    while passed < waited {
      let step = min(Self.longestStep, waited - passed)
      passed += step
      due = due.advanced(by: step)
      if due > clock.now { try await clock.sleep(until: due) }
      guard passed < waited else { break }
      let share = recorded * (passed / waited)
      status = await link.advance(
        to: Moment(instant: start.instant.advanced(by: share), wall: start.wall?.advanced(by: share)))
      if status.demand == .off, !isIdle { return }
    }
  }
}
