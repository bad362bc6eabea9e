import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats

/// Plays the elements of one recording, at its pace.
struct ReplayPlayer {
  /// Even where nothing comes for long, time moves on at least this often, so that a deadline set meanwhile is met.
  private static let longestStep = Duration.seconds(1)

  private let link: SourceLink
  private let speed: ReplaySpeed
  private let longestPause: Duration?
  private let clock = ContinuousClock()

  private var demands: AsyncStream<Demand>.Iterator
  private var timeline = ReplayTimeline()
  private var status = EngineStatus.over
  /// When the present moment of the recording was due.
  private var due: ContinuousClock.Instant

  init(link: SourceLink, speed: ReplaySpeed, longestPause: Duration?) {
    self.link = link
    self.speed = speed
    self.longestPause = longestPause
    demands = link.demands.makeAsyncIterator()
    due = clock.now
  }

  /// Whether somebody wants headings.
  var wantsHeadings: Bool { status.demand.headings != nil }

  /// Stands still until something is needed.
  ///
  /// - Returns: false where nothing will ever be.
  mutating func waitForDemand() async -> Bool {
    while let demand = await demands.next() {
      guard demand != .off else { continue }
      status.demand = demand
      due = clock.now
      return true
    }
    return false
  }

  /// Plays one element: waits until it is due, hands it over, and stands still while nothing is needed.
  ///
  /// - Returns: false once nothing will ever be needed again.
  mutating func play(_ element: RecordingElement) async throws -> Bool {
    try Task.checkCancellation()
    switch element {
    case .fix(var fix):
      fix.isSimulated = true
      let before = timeline.now
      timeline.advance(to: fix.time)
      try await pass(from: before)
      if isResting {
        // Time goes on, and what is due may need this very fix.
        status = await link.advance(to: timeline.now)
        if isResting { return true }
      }
      if status.demand == .off, !(await waitForDemand()) { return false }
      status = await link.send(.fix(fix, age: .sinceArrival), at: timeline.now)
    case .heading(let heading):
      if !isResting { status = await link.send(.heading(heading), at: timeline.now) }
    case .satellites(let satellites):
      if !isResting { status = await link.send(.satellites(satellites), at: timeline.now) }
    case .trackBegan, .segmentBegan:
      status = await link.send(.segmentBegan, at: timeline.now)
    case .waypoint, .routeBegan, .routePoint:
      return true  // Places, not where the device was.
    }
    return status.demand == .off && !isResting ? await waitForDemand() : true
  }

  /// Whether nothing is needed for now only, and the time until something is passes with the recording: what it has
  /// meanwhile a receiver that is off would not have given.
  private var isResting: Bool {
    status.demand == .off && status.nextWake != nil && (link.drivesTime || speed != .asFastAsPossible)
  }

  /// Lets the time since a moment pass: in truth by the speed, in the recording step by step.
  private mutating func pass(from start: Moment) async throws {
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
      if status.demand == .off, !isResting { return }
    }
  }
}
