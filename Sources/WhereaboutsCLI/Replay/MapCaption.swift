import WhereaboutsCore

/// What stands above the picture of some recordings.
enum MapCaption {
  /// A map of what was gathered from these recordings.
  static func map(of track: TrackCollector, _ summaries: [RecordingSummary]) -> TrackMap {
    TrackMap(
      track: track, caption: TrackMap.Caption(title: title(summaries), subtitle: subtitle(summaries)),
      gapThreshold: summaries.map(\.gaps.threshold).max() ?? 10)
  }

  /// `14 May 2024 · 12.35 km`
  private static func title(_ summaries: [RecordingSummary]) -> String {
    let length = summaries.map(\.length).reduce(0, +)
    var parts: [String] = []
    if let first = summaries.compactMap(\.firstTime).min(), let last = summaries.compactMap(\.lastTime).max()
    {
      let (from, to) = (date(first), date(last))
      parts.append(from == to ? from : "\(from) to \(to)")
    }
    if summaries.contains(where: { $0.accepted > 1 }) { parts.append(Quantities.length(length)) }
    if !parts.isEmpty { return parts.joined(separator: " · ") }
    return summaries.contains { $0.accepted > 0 } ? "Track" : "Places and routes"
  }

  /// `08:15:06 to 08:26:59 UTC · 11 min 53 s · 671 fixes · typical accuracy 4.2 m`
  private static func subtitle(_ summaries: [RecordingSummary]) -> String {
    var parts: [String] = []
    if let first = summaries.compactMap(\.firstTime).min(), let last = summaries.compactMap(\.lastTime).max()
    {
      parts.append("\(first.clockText) to \(last.clockText) UTC")
      parts.append(Quantities.duration(last.seconds(since: first).rounded()))
    }
    let fixes = summaries.map(\.accepted).reduce(0, +)
    let places = summaries.map(\.waypoints).reduce(0, +),
      routePoints = summaries.map(\.routePoints).reduce(0, +)
    if fixes > 0 || places + routePoints == 0 { parts.append(Quantities.count(fixes, "fix", "fixes")) }
    if fixes == 0, places > 0 { parts.append(Quantities.count(places, "place")) }
    if fixes == 0, routePoints > 0 { parts.append(Quantities.count(routePoints, "route point")) }
    if summaries.count == 1, let typical = summaries[0].accuracies.quantile(0.5) {
      parts.append("typical accuracy \(Quantities.accuracy(typical))")
    }
    return parts.joined(separator: " · ")
  }

  private static func date(_ time: UTCTime) -> String {
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
      "November",
      "December",
    ]
    let civil = time.civil
    return "\(civil.day) \(months[civil.month - 1]) \(civil.year)"
  }
}
