import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsSources

/// A recording run through the engine: which fixes it accepts, when it would have answered whom, and how far the way is.
///
/// At its beginning somebody asks for each standard level, without a timeout, somebody for every fix, and somebody for
/// the way where that is wanted. Time is that of the recording: a second passes in the engine as one passed when it was
/// recorded, however fast it is read. So the same recording always gives the same events.
struct ReplaySession {
  /// What the engine made of the recording.
  enum Event {
    /// A fix was used.
    case accepted(Fix)
    /// A fix was not used.
    case refused(Refusal)
    /// A point of the way is settled.
    case settled(TrackPoint)
    /// The recording's time went back for good: the fix that comes next does not continue those before.
    case restarted
    /// The request for a level was answered, so long after the recording's first fix.
    case answered(AccuracyLevel, Answer, after: Duration)
    /// Something happened at a fence, and no fix can change it any more.
    case told(ToldEvent)
    /// Something was decided about a fence besides.
    case decided(FenceDecision)
  }

  private var engine = Engine()
  private var effects: [Effect] = []
  private var timeline = ReplayTimeline()
  private var now = Moment(instant: .start, wall: nil)
  private let fixes = SubscriptionID(1)
  private let way = SubscriptionID(2)
  private let levels = AccuracyLevel.standard

  /// Whether the way is still to begin, with the first fix that says when it was made.
  private var waitsForTime = false
  /// What the way amounts to as far as it is settled; nothing where it is not measured.
  private(set) var totals = TrackTotals()
  private(set) var late = 0
  private(set) var doubled = 0
  /// The fences that are watched, where some are.
  private(set) var fences: FencePart?

  /// - Parameters:
  ///   - terms: how to measure the way, each point of it told; `nil` not at all.
  ///   - fences: what to watch.
  init(measuring terms: TrackTerms? = nil, watching fences: FencePart? = nil) {
    self.fences = fences
    let activity = terms?.activity ?? .other
    for (index, level) in levels.enumerated() {
      let terms = RequestTerms(level: level, timeout: nil, activity: activity)
      engine.handle(.request(RequestID(UInt64(index + 1)), terms), at: now, into: &effects)
    }
    engine.handle(
      .subscribe(fixes, .fixes(FixTerms(level: .city, activity: activity))), at: now, into: &effects)
    if let fences { engine.handle(.fences(.update(fences.fences)), at: now, into: &effects) }
    guard let terms else { return }
    engine.handle(.subscribe(way, .track(terms)), at: now, into: &effects)
    waitsForTime = true
  }

  /// When the last fix came, counted from the recording's first fix.
  var elapsed: Duration { timeline.now.instant.since(.start) }

  /// Moves time on to a fix that comes next, once, and says how long after the recording's beginning that is.
  mutating func advance(to fix: Fix) -> Duration {
    timeline.advance(to: fix.time)
    return elapsed
  }

  /// Gives the engine the fix that time was moved on to, and calls with what it made of it, in its order.
  mutating func take(_ fix: Fix, event: (Event) throws -> Void) rethrows {
    if waitsForTime, fix.time != nil {
      // Where it was before the first time that is told, can't be placed. A late fix may yet be of the beginning, so
      // that is of no time.
      waitsForTime = false
      now = Moment(instant: timeline.now.instant, wall: nil)
      effects.removeAll(keepingCapacity: true)
      engine.handle(.track(way, .start), at: now, into: &effects)
    }
    var fix = fix
    fix.isSimulated = true
    try handle(.signal(.fix(fix, age: .sinceArrival)), event)
    try fences?.advance(to: fix.time, event: event)
  }

  /// What comes next does not continue what came before.
  mutating func beginSegment(event: (Event) throws -> Void) rethrows {
    try handle(.signal(.segmentBegan), event)
    try fences?.breakOff(event: event)
  }

  /// The recording is over: all of the way is settled.
  mutating func finish(event: (Event) throws -> Void) rethrows {
    try handle(.signal(.ended), event)
    try fences?.breakOff(event: event)
  }

  /// Lets time pass to where the timeline is, meeting each deadline on the way at its own instant, as a manager that is
  /// driven by a recording does.
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
      case .tell(fixes, .fix(let fix)): try event(.accepted(fix))
      case .tell(way, .trackPoint(let point)): try event(.settled(point))
      case .tell(way, .track(let update)):
        totals = update.totals
        (late, doubled) = (update.leftOut, update.doubled)
      case .decided(.refused(_, let refusal)): try event(.refused(refusal))
      case .decided(.timelineRestarted):
        try event(.restarted)
        isBroken = true
      case .fence(let note): fences?.take(note)
      case .decided(.fence(let decision)): try event(.decided(decision))
      case .finish(let ids, .reached(let answer)):
        for id in ids { try event(.answered(levels[Int(id.number) - 1], answer, after: elapsed)) }
      default: break
      }
    }
    if isBroken { try fences?.breakOff(event: event) }
  }
}
