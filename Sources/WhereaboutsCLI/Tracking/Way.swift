import WhereaboutsCore

/// What is known of a way when it is over.
struct Way: Sendable {
  var totals: TrackTotals
  var tally: WayTally
  /// Fixes that came too late to count.
  var late = 0
  /// Fixes of whose time there was one already.
  var doubled = 0
  /// How the device was carried, as the caller said.
  var activity = Activity.other
  /// What is known in place of an estimate, where most fixes do not say when they were made.
  var plain: PlainLength?

  /// Whether it was faster than the activity allows.
  var contradictsActivity: Bool { activity.sustainedSpeed.map { totals.fastest > $0 } ?? false }

  /// Whether there is an estimate.
  var isMeasured: Bool { plain == nil && tally.points > 0 }

  /// What it comes to, among others.
  var figures: TrackTotals {
    guard let plain else { return totals }
    var figures = TrackTotals()
    figures.distance = plain.metres(besides: totals)
    return figures
  }
}

/// The sum of the steps from fix to fix, noise and all: what can be said of a way without times.
struct PlainLength: Hashable, Sendable {
  /// Metres.
  var length: Double
  var share: UntimedShare

  /// No less than has been told already.
  func metres(besides totals: TrackTotals) -> Double { max(length, totals.distance) }
}

/// Most of a recording's fixes, which do not say when they were made.
struct UntimedShare: Hashable, Sendable {
  let untimed: Int
  let fixes: Int

  /// - Returns: `nil` where they are not most of them, or one fix is all there is.
  init?(_ untimed: Int, of fixes: Int) {
    guard fixes > 1, untimed > fixes - untimed else { return nil }
    (self.untimed, self.fixes) = (untimed, fixes)
  }

  /// `none of its 25 fixes says when it was made`
  var reason: String {
    untimed == fixes
      ? "none of its \(fixes.grouped) fixes says when it was made"
      : "\(untimed.grouped) of its \(fixes.grouped) fixes don't say when they were made"
  }
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
