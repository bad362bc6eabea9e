import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsSources

/// A recording as the inputs of an engine, in the recording's time: somebody asks for a fix at its beginning, and somebody
/// for every fix.
struct RecordedRun {
  private var engine = Engine()
  private var effects: [Effect] = []
  private var timeline = ReplayTimeline()
  private var now = Moment(instant: .start, wall: nil)

  /// Called with each input, the moment it came and what the engine made of it, and the engine then.
  typealias Step = (Input, Moment, [Effect], Engine) throws -> Void

  /// Asks for a fix, and for every fix, and watches fences.
  mutating func begin(_ terms: RequestTerms, watching fences: [Fence] = [], step: Step) rethrows {
    try handle(.request(RequestID(1), terms), step)
    try handle(.subscribe(SubscriptionID(2), .fixes(FixTerms(level: terms.level))), step)
    if !fences.isEmpty { try handle(.fences(.update(fences)), step) }
  }

  /// Takes the next element of the recording.
  mutating func take(_ element: RecordingElement, step: Step) rethrows {
    switch element {
    case .fix(var fix):
      fix.isSimulated = true
      timeline.advance(to: fix.time)
      try pass(to: timeline.now, step)
      try handle(.signal(.fix(fix, age: .sinceArrival)), step)
    case .heading(let heading): try handle(.signal(.heading(heading)), step)
    case .satellites(let sky): try handle(.signal(.satellites(sky)), step)
    case .trackBegan, .segmentBegan: try handle(.signal(.segmentBegan), step)
    case .waypoint, .routeBegan, .routePoint: break  // Places, not where the device was.
    }
  }

  /// The recording is over.
  mutating func end(step: Step) rethrows {
    try handle(.signal(.ended), step)
  }

  /// Lets time pass; each deadline on the way is met at its own instant.
  private mutating func pass(to moment: Moment, _ step: Step) rethrows {
    while let wake = engine.nextWake, wake <= moment.instant, wake > now.instant {
      now = Moment(instant: wake, wall: now.wall?.advanced(by: wake.since(now.instant)))
      try handle(.wake, step)
    }
    now = moment
  }

  private mutating func handle(_ input: Input, _ step: Step) rethrows {
    effects.removeAll(keepingCapacity: true)
    engine.handle(input, at: now, into: &effects)
    try step(input, now, effects, engine)
  }
}
