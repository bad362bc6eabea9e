import WhereaboutsModel

/// The caption above the pictures of some recordings.
package struct PictureCaption {
  private let summaries: [RecordingSummary]
  private let trackSummaries: [TrackSummary]
  /// Whether there is a measured track.
  package let hasTrack: Bool
  /// The reason why no track could be measured, if any.
  private let problem: String?

  /// - Parameter analyses: the analyses of the drawn recordings.
  package init(_ analyses: [RecordingAnalysis]) {
    summaries = analyses.map(\.summary)
    let tracks = analyses.compactMap(\.trackSummary)
    hasTrack = tracks.contains(where: \.isMeasured)
    // Without a measured track the caption shows plain figures.
    self.trackSummaries = hasTrack ? tracks : []
    problem =
      hasTrack || tracks.isEmpty
      ? nil
      : tracks.contains { $0.plain != nil }
        ? "the fixes don't say when they were made" : "too few fixes that belong together"
  }

  /// Returns a map of the collected track.
  package func map(of track: TrackCollector, stops: [TrackStop], fences: FenceLayer? = nil) -> TrackMap {
    TrackMap(
      track: track, caption: caption, gapThreshold: summaries.map(\.gaps.threshold).max() ?? 10, stops: stops,
      fences: fences)
  }

  /// Returns a plot of the track measured in these recordings.
  package func plot(of collector: PlotCollector) -> TrackPlot {
    TrackPlot(collector: collector, caption: caption, emptyReason: problem)
  }

  private var caption: TrackMap.Caption { TrackMap.Caption(title: title, subtitle: subtitle) }

  /// The earliest and the latest time in the picture.
  private var times: (first: UTCTime, last: UTCTime)? {
    let firsts = trackSummaries.isEmpty ? summaries.map(\.firstTime) : trackSummaries.map(\.statistics.first)
    let lasts = trackSummaries.isEmpty ? summaries.map(\.lastTime) : trackSummaries.map(\.statistics.last)
    guard let first = firsts.compactMap(\.self).min(), let last = lasts.compactMap(\.self).max() else {
      return nil
    }
    return (first, last)
  }

  private var totals: TrackTotals? {
    trackSummaries.isEmpty ? nil : TrackTotals(together: trackSummaries.map(\.combinableTotals))
  }

  /// The title: `14 May 2024 · 12.35 km`, or with `±12 m` for a measured track.
  private var title: String {
    var parts: [String] = []
    if let times {
      let (from, to) = (Self.date(times.first), Self.date(times.last))
      parts.append(from == to ? from : "\(from) to \(to)")
    }
    if let totals {
      parts.append(TrackSummaryText.distance(totals.distance, totals.uncertainty))
    } else if summaries.contains(where: { $0.accepted > 1 }) {
      parts.append(Quantities.length(summaries.map(\.length).reduce(0, +)))
    }
    if !parts.isEmpty { return parts.joined(separator: " · ") }
    return summaries.contains { $0.accepted > 0 } ? "Track" : "Places and routes"
  }

  /// The subtitle: `08:15:06 to 08:26:59 UTC · 11 min 53 s · 671 fixes · typical accuracy 4.2 m`.
  private var subtitle: String {
    var parts: [String] = []
    if let times {
      parts.append("\(times.first.clockText) to \(times.last.clockText) UTC")
      parts.append(Quantities.duration(times.last.seconds(since: times.first).rounded()))
    }
    if let totals {
      parts += Self.motion(totals)
    } else {
      parts += contents
      if let problem { parts.append("not measured: \(problem)") }
    }
    return parts.joined(separator: " · ")
  }

  /// Returns `moving 10 min 40 s`, `38.5 km/h while moving`, `at most 62.2 km/h`.
  private static func motion(_ totals: TrackTotals) -> [String] {
    var parts = ["moving \(Quantities.duration(totals.moving.rounded()))"]
    if let average = totals.averageMovingSpeed { parts.append("\(Quantities.speed(average)) while moving") }
    if totals.fastest > 0 { parts.append("at most \(Quantities.speed(totals.fastest))") }
    return parts
  }

  private var contents: [String] {
    var parts: [String] = []
    let fixes = summaries.map(\.accepted).reduce(0, +)
    let places = summaries.map(\.waypoints).reduce(0, +),
      routePoints = summaries.map(\.routePoints).reduce(0, +)
    if fixes > 0 || places + routePoints == 0 { parts.append(Quantities.count(fixes, "fix", "fixes")) }
    if fixes == 0, places > 0 { parts.append(Quantities.count(places, "place")) }
    if fixes == 0, routePoints > 0 { parts.append(Quantities.count(routePoints, "route point")) }
    if summaries.count == 1, let typical = summaries[0].accuracies.quantile(0.5) {
      parts.append("typical accuracy \(Quantities.accuracy(typical))")
    }
    return parts
  }

  private static func date(_ time: UTCTime) -> String {
    let civil = time.civil
    return "\(civil.day) \(CivilTime.months[civil.month - 1]) \(civil.year)"
  }
}
