import WhereaboutsCore
import WhereaboutsFormats

/// One recording on its way through a session: the summary, the way and the map are gathered as it goes.
struct RecordingTour {
  private var session: ReplaySession
  private var findings = Findings()
  private let activity: Activity

  /// - Parameters:
  ///   - terms: how to measure the way; `nil` not at all.
  ///   - fences: what to watch.
  init(measuring terms: TrackTerms? = nil, watching fences: FencePart? = nil) {
    activity = terms?.activity ?? .other
    session = ReplaySession(measuring: terms, watching: fences)
    if terms != nil { findings.tally = WayTally() }
  }

  var summary: RecordingSummary { findings.summary }

  /// What happened at the fences, where some are watched.
  var fences: FenceTally { findings.fences }

  /// The number of the event that was told last.
  var lastNumber: UInt64 { session.fences?.lastNumber ?? 0 }

  /// The way so far, where it is measured.
  var way: Way? {
    findings.tally.map { tally in
      let plain = UntimedShare(summary.untimed, of: summary.accepted).map {
        PlainLength(length: summary.length, share: $0)
      }
      return Way(
        totals: session.totals, tally: tally, late: session.late, doubled: session.doubled,
        activity: activity,
        plain: plain)
    }
  }

  /// Takes the element in that time was moved on to.
  ///
  /// - Parameters:
  ///   - pictures: gathers what is drawn.
  ///   - event: called with what the engine made of it.
  mutating func take(
    _ element: RecordingElement, pictures: inout Pictures, event: (ReplaySession.Event) throws -> Void
  ) rethrows {
    switch element {
    case .fix(let fix):
      findings.fences.advance(to: fix.time)
      try session.take(fix) {
        findings.take($0)
        pictures.take($0)
        try event($0)
      }
    case .trackBegan:
      try beginSegment(pictures: &pictures, event: event)
      findings.summary.beginTrack()
    case .segmentBegan:
      try beginSegment(pictures: &pictures, event: event)
      findings.summary.beginSegment()
    case .waypoint: findings.summary.countWaypoint()
    case .routePoint: findings.summary.countRoutePoint()
    case .routeBegan, .heading, .satellites: break
    }
    pictures.take(element)
  }

  /// The recording is over: what of the way is not settled yet is now.
  mutating func finish(
    pictures: inout Pictures, event: (ReplaySession.Event) throws -> Void
  ) rethrows {
    try session.finish {
      findings.take($0)
      pictures.take($0)
      try event($0)
    }
    findings.tally?.finish()
    findings.fences.finish()
  }

  private mutating func beginSegment(
    pictures: inout Pictures, event: (ReplaySession.Event) throws -> Void
  ) rethrows {
    try session.beginSegment {
      findings.take($0)
      pictures.take($0)
      try event($0)
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

/// What was found out about a recording.
private struct Findings {
  var summary = RecordingSummary()
  /// How the way goes, where it is measured.
  var tally: WayTally?
  /// What happened at the fences.
  var fences = FenceTally()

  mutating func take(_ event: ReplaySession.Event) {
    switch event {
    case .accepted(let fix): summary.accept(fix)
    case .settled(let point): tally?.take(point)
    case .refused(let refusal): summary.refuse(refusal.reason.rawValue)
    case .restarted: summary.restart()
    case .answered(let level, _, let after): summary.reach(level, after: after.inSeconds)
    case .told(let event): fences.take(event)
    case .decided(let decision): fences.take(decision)
    }
  }
}
