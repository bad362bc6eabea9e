import WhereaboutsCore
import WhereaboutsFormats

/// One recording on its way through a session: the summary and the map are gathered as it goes.
struct RecordingTour {
  private(set) var summary = RecordingSummary()
  private var session: ReplaySession

  /// - Parameter terms: how to measure the way; `nil` not at all.
  init(measuring terms: TrackTerms? = nil) {
    session = ReplaySession(measuring: terms)
  }

  /// What the way amounts to so far; nothing where it is not measured.
  var totals: TrackTotals { session.totals }

  /// How many fixes could not be placed on the way.
  var leftOut: Int { session.leftOut }

  /// Takes the element in that time was moved on to.
  ///
  /// - Parameters:
  ///   - collector: gathers the map, if one is wanted.
  ///   - event: called with what the engine made of it.
  mutating func take(
    _ element: RecordingElement, collector: inout TrackCollector?, event: (ReplaySession.Event) throws -> Void
  ) rethrows {
    switch element {
    case .fix(let fix):
      try session.take(fix) { made in
        switch made {
        case .accepted(let fix):
          summary.accept(fix)
          collector?.add(fix)
        case .refused(let refusal):
          summary.refuse(refusal.reason.rawValue)
        case .restarted:
          summary.restart()
          collector?.beginTrack()
        case .settled: break
        case .answered(let level, _, let after):
          summary.reach(level, after: after.inSeconds)
        }
        try event(made)
      }
    case .trackBegan:
      try session.breakOff(event: event)
      summary.beginTrack()
      collector?.beginTrack()
    case .segmentBegan:
      try session.breakOff(event: event)
      summary.beginSegment()
      collector?.beginSegment()
    case .waypoint(let waypoint):
      summary.countWaypoint()
      collector?.add(waypoint)
    case .routeBegan:
      collector?.beginRoute()
    case .routePoint(let point):
      summary.countRoutePoint()
      collector?.addRoutePoint(point)
    case .heading, .satellites:
      break
    }
  }

  /// The recording is over: what of the way is not settled yet is now.
  mutating func finish(event: (ReplaySession.Event) throws -> Void) rethrows {
    try session.breakOff(event: event)
  }

  /// Moves time on to an element, before it is taken.
  ///
  /// - Returns: how long after the recording's first fix it comes, for those that wait for it; `nil` where it comes
  ///   with what came before.
  mutating func advance(to element: RecordingElement) -> Duration? {
    guard case .fix(let fix) = element else { return nil }
    return session.advance(to: fix)
  }
}
