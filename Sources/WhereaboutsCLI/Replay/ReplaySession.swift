import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsSources

/// A recording run through the engine: which fixes it accepts, and when it would have answered whom.
///
/// At its beginning somebody asks for each standard level, without a timeout, and somebody for every fix. Time is that
/// of the recording: a second passes in the engine as one passed when it was recorded, however fast it is read. So the
/// same recording always gives the same events.
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
  }

  private var engine = Engine()
  private var effects: [Effect] = []
  private var timeline = ReplayTimeline()
  private let subscription = SubscriptionID(1)
  private let levels = AccuracyLevel.standard
  private var odometer: Odometer?
  private var settled: [TrackPoint] = []

  /// - Parameter terms: how to measure the way; `nil` not at all.
  init(measuring terms: TrackTerms? = nil) {
    if let terms, case .estimated(let settings) = terms.method {
      odometer = Odometer(settings, activity: terms.activity)
    }
    let beginning = Moment(instant: .start, wall: nil)
    for (index, level) in levels.enumerated() {
      let terms = RequestTerms(level: level, timeout: nil)
      engine.handle(.request(RequestID(UInt64(index + 1)), terms), at: beginning, into: &effects)
    }
    let everything = SubscriptionTerms.fixes(FixTerms(level: .city))
    engine.handle(.subscribe(subscription, everything), at: beginning, into: &effects)
  }

  /// When the last fix came, counted from the recording's first fix.
  var elapsed: Duration { timeline.now.instant.since(.start) }

  /// What the way amounts to so far; nothing where it is not measured.
  var totals: TrackTotals { odometer?.totals ?? TrackTotals() }

  /// How many fixes could not be placed on the way.
  var leftOut: Int { odometer?.leftOut ?? 0 }

  /// Moves time on to a fix that comes next, once, and says how long after the recording's beginning that is.
  mutating func advance(to fix: Fix) -> Duration {
    timeline.advance(to: fix.time)
    return elapsed
  }

  /// Gives the engine the fix that time was moved on to, and calls with what it made of it, in its order.
  mutating func take(_ fix: Fix, event: (Event) throws -> Void) rethrows {
    var fix = fix
    fix.isSimulated = true
    effects.removeAll(keepingCapacity: true)
    engine.handle(.signal(.fix(fix, age: .sinceArrival)), at: timeline.now, into: &effects)
    for effect in effects {
      switch effect {
      case .tell(subscription, .fix(let fix)):
        try event(.accepted(fix))
        odometer?.take(fix) { settled.append($0) }
      case .decided(.refused(let fix, let refusal)):
        try event(.refused(refusal))
        // The odometer has an order of its own.
        if [.duplicate, .outOfOrder].contains(refusal.reason) { odometer?.take(fix) { settled.append($0) } }
      case .decided(.timelineRestarted):
        try breakOff(event: event)
        try event(.restarted)
      case .finish(let ids, .reached(let answer)):
        for id in ids { try event(.answered(levels[Int(id.number) - 1], answer, after: elapsed)) }
      default: break
      }
      try tellSettled(event)
    }
  }

  /// What comes next does not continue what came before, or nothing comes: all of the way is settled.
  mutating func breakOff(event: (Event) throws -> Void) rethrows {
    odometer?.breakOff { settled.append($0) }
    try tellSettled(event)
  }

  private mutating func tellSettled(_ event: (Event) throws -> Void) rethrows {
    defer { settled.removeAll(keepingCapacity: true) }
    for point in settled { try event(.settled(point)) }
  }
}
