package import WhereaboutsModel

/// The settings of a segmenter.
package struct SegmenterSettings: Hashable, Sendable {
  /// The circle and the least duration of a visit.
  package var visits: VisitTerms
  /// The silence from which a journey does not continue, and which a visit states.
  package var gap: Duration
  /// The longest silence that a visit continues through, if the device is at the same place afterwards.
  package var longestSilence: Duration

  /// The standard settings: 100 m and five minutes; 30 minutes; three days.
  package static let standard = SegmenterSettings()

  /// Creates settings.
  ///
  /// - Parameters:
  ///   - visits: the circle and the least duration of a visit; below a minute counts as a minute.
  ///   - gap: below a minute counts as a minute, above a day as a day.
  ///   - longestSilence: below `gap` counts as `gap`, above 60 days as 60 days.
  package init(
    visits: VisitTerms = .standard, gap: Duration = .seconds(1800),
    longestSilence: Duration = .seconds(3 * 86_400)
  ) {
    self.visits = VisitTerms(
      radius: visits.radius, minimumStay: max(visits.minimumStay, .seconds(60)))
    self.gap = min(max(gap, .seconds(60)), .seconds(86_400))
    self.longestSilence = min(max(longestSilence, self.gap), .seconds(60 * 86_400))
  }

  /// The radius of a stay in metres.
  var radius: Double { visits.radius }
  /// The minimum stay in seconds.
  var minimumStay: Double { visits.minimumStay.inSeconds }
  /// The gap in seconds.
  var gapSeconds: Double { gap.inSeconds }
}
