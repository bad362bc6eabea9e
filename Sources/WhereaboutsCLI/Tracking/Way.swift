import WhereaboutsCore

/// What is known of a way when it is over.
struct Way: Sendable {
  var totals: TrackTotals
  var tally: WayTally
  /// Fixes that came too late to count.
  var late = 0
  /// Fixes of whose time there was one already.
  var doubled = 0
}

extension TrackTotals {
  /// What several ways amount to. Their errors are taken for independent.
  init(together ways: [TrackTotals]) {
    self.init()
    var variance = 0.0
    for way in ways {
      distance += way.distance
      variance += way.uncertainty * way.uncertainty
      bridged += way.bridged
      gaps += way.gaps
      elapsed += way.elapsed
      moving += way.moving
      fastest = max(fastest, way.fastest)
      segments += way.segments
      if let climbed = way.ascent { ascent = (ascent ?? 0) + climbed }
      if let descended = way.descent { descent = (descent ?? 0) + descended }
    }
    uncertainty = variance.squareRoot()
  }
}
