import WhereaboutsEngine
package import WhereaboutsModel

/// The summary of a finished track.
package struct TrackSummary: Sendable {
  var totals: TrackTotals
  var statistics: TrackStatistics
  /// The number of fixes that were too late to count.
  var lateFixes = 0
  /// The number of fixes with a duplicate time.
  var duplicates = 0
  /// The activity of the device as stated by the caller.
  var activity = Activity.other
  /// The plain length in place of an estimate, if most fixes are untimed.
  var plain: PlainLength?
  /// The provisional distance of a trip that stays open, in metres.
  var ahead = 0.0

  package init(
    totals: TrackTotals, statistics: TrackStatistics, lateFixes: Int = 0, duplicates: Int = 0,
    activity: Activity = Activity.other, plain: PlainLength? = nil, ahead: Double = 0
  ) {
    self.totals = totals
    self.statistics = statistics
    self.lateFixes = lateFixes
    self.duplicates = duplicates
    self.activity = activity
    self.plain = plain
    self.ahead = ahead
  }

  /// Whether the track was faster than the activity allows.
  var contradictsActivity: Bool { activity.sustainedSpeed.map { totals.fastest > $0 } ?? false }

  /// Whether the summary has an estimate.
  var isMeasured: Bool { plain == nil && statistics.points > 0 }

  /// The totals for a sum over several tracks.
  var combinableTotals: TrackTotals {
    guard let plain else { return totals }
    var figures = TrackTotals()
    figures.distance = plain.metres(besides: totals)
    return figures
  }
}

/// The sum of the steps between fixes, including noise: the only length of a track without times.
package struct PlainLength: Hashable, Sendable {
  /// The length in metres.
  var length: Double
  var share: UntimedShare

  /// Returns the length in metres, at least the distance of the totals, which was already reported.
  func metres(besides totals: TrackTotals) -> Double { max(length, totals.distance) }
}

/// The share of untimed fixes in a recording where most fixes are untimed.
package struct UntimedShare: Hashable, Sendable {
  let untimed: Int
  let fixes: Int

  /// - Returns: `nil` if most fixes have a time, or if there is only one fix.
  package init?(_ untimed: Int, of fixes: Int) {
    guard fixes > 1, untimed > fixes - untimed else { return nil }
    (self.untimed, self.fixes) = (untimed, fixes)
  }

  /// The text: `none of its 25 fixes says when it was made`.
  package var reason: String {
    untimed == fixes
      ? "none of its \(fixes.grouped) fixes says when it was made"
      : "\(untimed.grouped) of its \(fixes.grouped) fixes don't say when they were made"
  }
}

extension TrackTotals {
  /// Creates the sum of several tracks. The errors of the tracks are assumed to be independent.
  init(together tracks: [TrackTotals]) {
    self.init()
    var variance = 0.0
    for track in tracks {
      distance += track.distance
      variance += track.uncertainty * track.uncertainty
      bridged += track.bridged
      gaps += track.gaps
      elapsed += track.elapsed
      moving += track.moving
      fastest = max(fastest, track.fastest)
      segments += track.segments
      if let climbed = track.ascent { ascent = (ascent ?? 0) + climbed }
      if let descended = track.descent { descent = (descent ?? 0) + descended }
    }
    uncertainty = variance.squareRoot()
  }
}
