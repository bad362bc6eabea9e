import WhereaboutsCore
import WhereaboutsFormats

/// One recording on its way through a session: the summary and the map are gathered as it goes.
struct RecordingTour {
  private(set) var summary = RecordingSummary()
  private var session = ReplaySession()

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
        case .answered(let level, _, let after):
          summary.reach(level, after: after.inSeconds)
        }
        try event(made)
      }
    case .trackBegan:
      summary.beginTrack()
      collector?.beginTrack()
    case .segmentBegan:
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

  /// Moves time on to an element, before it is taken.
  ///
  /// - Returns: how long after the recording's first fix it comes, for those that wait for it; `nil` where it comes
  ///   with what came before.
  mutating func advance(to element: RecordingElement) -> Duration? {
    guard case .fix(let fix) = element else { return nil }
    return session.advance(to: fix)
  }
}
