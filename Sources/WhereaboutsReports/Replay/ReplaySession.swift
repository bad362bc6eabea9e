import WhereaboutsEngine
package import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsSources

/// A run of a recording through the engine. The run determines the accepted fixes, the times of the answers, and the
/// length of the track.
///
/// The session begins with a request for each standard level without a timeout, and a subscription to every fix. A
/// tracker is added if the track is measured. Time is the time of the recording, however fast the recording is read,
/// so equal recordings always give equal events.
package struct ReplaySession {
  /// An event of the session.
  package enum Event {
    /// A fix was accepted.
    case accepted(Fix)
    /// A fix was refused.
    case refused(Refusal)
    /// A point of the track was settled.
    case settled(TrackPoint)
    /// The recording's time went back permanently. The next fix does not continue the earlier fixes.
    case restarted
    /// The request for a level was answered at this time after the recording's first fix.
    case answered(AccuracyLevel, Answer, after: Duration)
    /// A fence event was settled. No later fix can change the event.
    case fenceEvent(ReportedFenceEvent)
    /// A decision about a fence that is no event.
    case fenceDecision(FenceDecision)
  }

  private var engine = Engine()
  private var effects: [Effect] = []
  private var timeline = ReplayTimeline()
  private var now = Moment(instant: .start, wall: nil)
  private let fixSubscription = SubscriptionID(1)
  private let trackSubscription = SubscriptionID(2)
  private let levels = AccuracyLevel.standard

  /// Whether the track begins with the next timed fix.
  private var waitsForTimedFix = false
  /// The totals of the settled track; 0 if no track is measured.
  private(set) var totals = TrackTotals()
  private(set) var lateFixes = 0
  private(set) var duplicates = 0
  /// The watched fences, if any.
  private(set) var fences: FenceReplay?

  /// - Parameters:
  ///   - terms: the terms of the track; `nil` to measure no track. The session reports each settled point.
  ///   - fences: the fences to watch.
  init(measuring terms: TrackTerms? = nil, watching fences: FenceReplay? = nil) {
    self.fences = fences
    let activity = terms?.activity ?? .other
    for (index, level) in levels.enumerated() {
      let terms = RequestTerms(level: level, timeout: nil, activity: activity)
      engine.handle(.request(RequestID(UInt64(index + 1)), terms), at: now, into: &effects)
    }
    engine.handle(
      .subscribe(fixSubscription, .fixes(FixTerms(level: .city, activity: activity))), at: now, into: &effects
    )
    if let fences { engine.handle(.fences(.update(fences.fences)), at: now, into: &effects) }
    guard let terms else { return }
    engine.handle(.subscribe(trackSubscription, .track(terms)), at: now, into: &effects)
    waitsForTimedFix = true
  }

  /// The time from the recording's first fix to the last fix.
  var elapsed: Duration { timeline.now.instant.since(.start) }

  /// Advances time to the next fix, and returns the time since the recording's beginning. Call once for each fix.
  mutating func advance(to fix: Fix) -> Duration {
    timeline.advance(to: fix.time)
    return elapsed
  }

  /// Sends the engine the fix to which time was advanced, and reports the events in order.
  mutating func process(_ fix: Fix, event: (Event) throws -> Void) rethrows {
    if waitsForTimedFix, fix.time != nil {
      // Fixes before the first stated time cannot be placed on the track. A late fix may still belong to the
      // beginning, so the track's start has no time.
      waitsForTimedFix = false
      now = Moment(instant: timeline.now.instant, wall: nil)
      effects.removeAll(keepingCapacity: true)
      engine.handle(.track(trackSubscription, .start), at: now, into: &effects)
    }
    var fix = fix
    fix.isSimulated = true
    try handle(.signal(.fix(fix, age: .sinceArrival)), event)
    try fences?.advance(to: fix.time, event: event)
  }

  /// Begins a segment. The next fixes do not continue the earlier fixes.
  mutating func beginSegment(event: (Event) throws -> Void) rethrows {
    try handle(.signal(.segmentBegan), event)
    try fences?.interrupt(event: event)
  }

  /// Ends the recording and settles the whole track.
  mutating func finish(event: (Event) throws -> Void) rethrows {
    try handle(.signal(.ended), event)
    try fences?.interrupt(event: event)
  }

  /// Advances time and processes an input. Each deadline on the way is processed at its own instant, as in a manager
  /// driven by a recording.
  private mutating func handle(_ input: Input, _ event: (Event) throws -> Void) rethrows {
    let next = timeline.now
    while let wake = engine.nextWake, wake <= next.instant, wake > now.instant {
      now = Moment(instant: wake, wall: now.wall?.advanced(by: wake.since(now.instant)))
      try handleNow(.wake, event)
    }
    now = next
    try handleNow(input, event)
  }

  private mutating func handleNow(_ input: Input, _ event: (Event) throws -> Void) rethrows {
    effects.removeAll(keepingCapacity: true)
    engine.handle(input, at: now, into: &effects)
    var isBroken = false
    for effect in effects {
      switch effect {
      case .notify(fixSubscription, .fix(let fix)): try event(.accepted(fix))
      case .notify(trackSubscription, .trackPoint(let point)): try event(.settled(point))
      case .notify(trackSubscription, .track(let update)):
        totals = update.totals
        (lateFixes, duplicates) = (update.lateFixes, update.duplicates)
      case .decided(.refused(_, let refusal)): try event(.refused(refusal))
      case .decided(.timelineRestarted):
        try event(.restarted)
        isBroken = true
      case .fence(let record): fences?.process(record)
      case .decided(.fence(let decision)): try event(.fenceDecision(decision))
      case .finish(let ids, .reached(let answer)):
        for id in ids { try event(.answered(levels[Int(id.number) - 1], answer, after: elapsed)) }
      default: break
      }
    }
    if isBroken { try fences?.interrupt(event: event) }
  }
}
