package import WhereaboutsModel
package import WhereaboutsFormats

/// The analysis of one recording. The summary, the track and the pictures are built element by element.
package struct RecordingAnalysis {
  private var session: ReplaySession
  private var findings = Findings()
  private let activity: Activity

  /// - Parameters:
  ///   - terms: the terms of the track; `nil` to measure no track.
  ///   - fences: the fences to watch.
  package init(measuring terms: TrackTerms? = nil, watching fences: FenceReplay? = nil) {
    activity = terms?.activity ?? .other
    session = ReplaySession(measuring: terms, watching: fences)
    if terms != nil { findings.trackStatistics = TrackStatistics() }
  }

  /// The summary so far.
  package var summary: RecordingSummary { findings.summary }

  /// The fence statistics; empty without fences.
  package var fences: FenceStatistics { findings.fences }

  /// The number of the last reported event; 0 without fences.
  package var lastEventNumber: UInt64 { session.fences?.lastNumber ?? 0 }

  /// The track so far; `nil` if no track is measured.
  package var trackSummary: TrackSummary? {
    findings.trackStatistics.map { statistics in
      let plain = UntimedShare(summary.untimed, of: summary.accepted).map {
        PlainLength(length: summary.length, share: $0)
      }
      return TrackSummary(
        totals: session.totals, statistics: statistics, lateFixes: session.lateFixes,
        duplicates: session.duplicates,
        activity: activity,
        plain: plain)
    }
  }

  /// Processes the element to which time was advanced.
  ///
  /// - Parameters:
  ///   - pictures: the collector of the pictures.
  ///   - event: called with each event of the session.
  package mutating func process(
    _ element: RecordingElement, pictures: inout PictureCollector, event: (ReplaySession.Event) throws -> Void
  ) rethrows {
    switch element {
    case .fix(let fix):
      findings.fences.advance(to: fix.time)
      try session.process(fix) {
        findings.process($0)
        pictures.process($0)
        try event($0)
      }
    case .trackBegan:
      try beginSegment(pictures: &pictures, event: event)
      findings.summary.beginTrack()
    case .segmentBegan:
      try beginSegment(pictures: &pictures, event: event)
      findings.summary.beginSegment()
    case .deviceBegan:
      try beginSegment(pictures: &pictures, event: event)
      findings.summary.beginDevice()
    case .waypoint: findings.summary.countWaypoint()
    case .routePoint: findings.summary.countRoutePoint()
    case .routeBegan, .heading, .satellites, .visit, .offset: break
    }
    pictures.process(element)
  }

  /// Ends the recording and settles the rest of the track.
  package mutating func finish(
    pictures: inout PictureCollector, event: (ReplaySession.Event) throws -> Void
  ) rethrows {
    try session.finish {
      findings.process($0)
      pictures.process($0)
      try event($0)
    }
    findings.trackStatistics?.finish()
    findings.fences.finish(watching: session.fences?.fences ?? [])
  }

  private mutating func beginSegment(
    pictures: inout PictureCollector, event: (ReplaySession.Event) throws -> Void
  ) rethrows {
    try session.beginSegment {
      findings.process($0)
      pictures.process($0)
      try event($0)
    }
  }

  /// Advances time to an element that is not processed yet.
  ///
  /// - Returns: the time from the recording's first fix to the element; `nil` if the element belongs to the previous
  ///   time.
  package mutating func advance(to element: RecordingElement) -> Duration? {
    guard case .fix(let fix) = element else { return nil }
    return session.advance(to: fix)
  }
}

/// The results for a recording.
private struct Findings {
  var summary = RecordingSummary()
  /// The statistics of the track, if a track is measured.
  var trackStatistics: TrackStatistics?
  /// The statistics of the fences.
  var fences = FenceStatistics()

  mutating func process(_ event: ReplaySession.Event) {
    switch event {
    case .accepted(let fix): summary.accept(fix)
    case .settled(let point): trackStatistics?.process(point)
    case .refused(let refusal): summary.refuse(refusal.reason.rawValue)
    case .restarted: summary.restart()
    case .answered(let level, _, let after): summary.reach(level, after: after.inSeconds)
    case .fenceEvent(let event): fences.process(event)
    case .fenceDecision(let decision): fences.process(decision)
    }
  }
}
