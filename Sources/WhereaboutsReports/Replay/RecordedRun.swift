package import WhereaboutsEngine
package import WhereaboutsModel
package import WhereaboutsFormats
import WhereaboutsSources

/// A recording as the inputs of an engine, in the recording's time. The inputs include a request for one fix and a
/// subscription to every fix.
package struct RecordedRun {
  private var engine = Engine()
  private var effects: [Effect] = []
  private var timeline = ReplayTimeline()
  private var now = Moment(instant: .start, wall: nil)
  private let marksFixes: Bool

  /// - Parameter marksFixes: whether fixes are marked as simulated, as those of a recording are.
  package init(marksFixes: Bool = true) { self.marksFixes = marksFixes }

  /// A closure that receives each input, its moment, the engine's effects, and the engine after the input.
  package typealias Step = (Input, Moment, [Effect], Engine) throws -> Void

  /// Adds the request, the subscription and the fences.
  package mutating func begin(_ terms: RequestTerms, watching fences: [Fence] = [], step: Step) rethrows {
    try openRequest(terms, step)
    if !fences.isEmpty { try handle(.fences(.update(fences)), step) }
  }

  /// Adds the request, the subscription and the fences of a registry.
  package mutating func begin(_ terms: RequestTerms, sharing fences: FenceRegistry, step: Step) rethrows {
    try openRequest(terms, step)
    if fences.count > 0 { try handle(.fences(.share(fences)), step) }
  }

  private mutating func openRequest(_ terms: RequestTerms, _ step: Step) rethrows {
    try handle(.request(RequestID(1), terms), step)
    try handle(.subscribe(SubscriptionID(2), .fixes(FixTerms(level: terms.level))), step)
  }

  /// Processes the next element of the recording.
  package mutating func process(_ element: RecordingElement, step: Step) rethrows {
    switch element {
    case .fix(var fix):
      if marksFixes { fix.isSimulated = true }
      timeline.advance(to: fix.time)
      try advance(to: timeline.now, step)
      try handle(.signal(.fix(fix, age: .sinceArrival)), step)
    case .heading(let heading): try handle(.signal(.heading(heading)), step)
    case .satellites(let sky): try handle(.signal(.satellites(sky)), step)
    case .trackBegan, .segmentBegan, .deviceBegan: try handle(.signal(.segmentBegan), step)
    case .waypoint, .routeBegan, .routePoint, .visit, .offset: break  // No positions of the device.
    }
  }

  /// Ends the run with the end of the recording.
  package mutating func end(step: Step) rethrows {
    try handle(.signal(.ended), step)
  }

  /// Advances time. Each deadline on the way is processed at its own instant.
  private mutating func advance(to moment: Moment, _ step: Step) rethrows {
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
