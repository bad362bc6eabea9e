import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy

/// The summary of a track as text: one line for each available value.
package struct TrackSummaryText {
  /// The maximum number of listed gaps and of listed stops.
  private static let listedLimit = 5

  let track: TrackSummary

  package init(track: TrackSummary) {
    self.track = track
  }

  private var totals: TrackTotals { track.totals }
  private var statistics: TrackStatistics { track.statistics }

  /// The labels and their values. A value may have several lines.
  var entries: [(label: String, text: String)] {
    guard track.plain == nil else { return [("Distance", distance ?? "")] }
    let all: [(String, String?)] = [
      ("Distance", distance), ("Ahead", ahead), ("Moving", moving), ("Speed", speed), ("Activity", activity),
      ("Climb", climb), ("Motion", motion), ("Stops", stops), ("Gaps", gaps), ("Unused", unused),
    ]
    return all.compactMap { label, text in text.map { (label, $0) } }
  }

  /// The entries as lines, for a track that is printed alone.
  package var lines: [String] {
    entries.flatMap { label, text in
      text.split(separator: "\n").enumerated().map { index, line in
        "\((index == 0 ? label : "").padded(to: 10))\(line)"
      }
    }
  }

  /// Returns the distance and its standard deviation: `6.86 km ±12 m`.
  static func distance(_ metres: Double, _ uncertainty: Double) -> String {
    "\(Quantities.length(metres)) ±\(Quantities.length(uncertainty))"
  }

  /// Returns the provisional distance of an open trip; `nil` below a metre.
  static func ahead(_ metres: Double) -> String? {
    metres >= 1 ? "\(Quantities.length(metres)) more if it ended now; not settled yet" : nil
  }

  /// Returns a point on a line with aligned columns: `08:15:06  6.86 km ±12 m  42.1 km/h  driving`.
  static func line(_ point: TrackPoint) -> String {
    var columns = [
      point.time.clockText,
      distance(point.distance, point.uncertainty).padded(to: 17, onLeft: true),
      Quantities.speed(point.speed).padded(to: 10, onLeft: true),
      point.motion == .unknown ? "" : point.motion.rawValue.padded(to: 7),
    ]
    switch point.link {
    case .follows: break
    case .begins: columns.append("a segment begins")
    case .bridges(let gap): columns.append(bridge(gap))
    }
    var line = columns.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Returns `1.20 km bridged (1.10 km straight)`, or a statement that the gap does not count.
  static func bridge(_ gap: TrackPoint.Gap) -> String {
    let straight = Quantities.length(gap.geodesic)
    guard gap.counted > 0 else {
      return gap.geodesic > 0 ? "not counted (\(straight) straight)" : "nothing to bridge"
    }
    return "\(distance(gap.counted, gap.uncertainty)) bridged (\(straight) straight)"
  }

  private var distance: String? {
    if let plain = track.plain {
      return "\(Quantities.length(plain.metres(besides: totals))) (plain sum of the steps, noise and all)\n"
        + "no estimate: \(plain.share.reason)"
    }
    guard statistics.points > 0 else {
      return ahead == nil ? "none: too few fixes that belong together" : "none settled yet"
    }
    let text = Self.distance(totals.distance, totals.uncertainty)
    return totals.bridged > 0 ? "\(text), \(Quantities.length(totals.bridged)) of it over gaps" : text
  }

  private var ahead: String? { Self.ahead(track.ahead) }

  private var activity: String? {
    guard track.contradictsActivity, let limit = track.activity.sustainedSpeed else { return nil }
    return
      "not only \(track.activity.rawValue), which keeps below \(Quantities.speed(limit)); all of it is counted"
  }

  private var moving: String? {
    guard totals.elapsed > 0 else { return nil }
    return
      "\(Quantities.duration(totals.moving.rounded())) of \(Quantities.duration(totals.elapsed.rounded()))"
  }

  private var speed: String? {
    guard totals.fastest > 0 else { return nil }
    let most = "at most \(Quantities.speed(totals.fastest))"
    return totals.averageMovingSpeed.map { "\(Quantities.speed($0)) while moving · \(most)" } ?? most
  }

  private var climb: String? {
    guard let ascent = totals.ascent, let descent = totals.descent else { return nil }
    return "\(ascent.fixed(0)) m up, \(descent.fixed(0)) m down"
  }

  /// The motions: `driving 10 min 12 s (6.41 km) · still 1 min 30 s`.
  private var motion: String? {
    let shares = statistics.shares.filter { $0.value.seconds > 0 }
    guard shares.keys.contains(where: { $0 != .unknown }) else { return nil }
    return shares.sorted { ($1.value.seconds, $0.key.rawValue) < ($0.value.seconds, $1.key.rawValue) }
      .map { motion, share in
        let name = motion == .unknown ? "not known" : motion.rawValue
        let length =
          motion == .still && share.metres < 1 ? "" : " (\(Quantities.length(share.metres)))"
        return "\(name) \(Quantities.duration(share.seconds.rounded()))\(length)"
      }.joined(separator: " · ")
  }

  private var stops: String? {
    guard statistics.stops.count > 0 else { return nil }
    let listed = Self.longest(statistics.stops.longest, \.seconds).map { stop in
      let silence =
        stop.secondsWithoutFix >= stop.seconds
        ? ", no fixes"
        : stop.secondsWithoutFix > 0
          ? ", no fixes for \(Quantities.duration(stop.secondsWithoutFix.rounded())) of it" : ""
      return "\(clock(stop.from)) for \(Quantities.duration(stop.seconds.rounded()))\(silence)"
    }
    return listed.joined(separator: "\n") + remainderText(statistics.stops.count - listed.count)
  }

  private var gaps: String? {
    guard statistics.gaps.count > 0 else { return nil }
    let lines = Self.longest(statistics.gaps.longest, \.seconds).map { gap in
      let text =
        gap.bridge.map(Self.bridge)
        ?? "interrupted, not counted (\(Quantities.length(gap.straight)) straight)"
      return "\(clock(gap.from)) for \(Quantities.duration(gap.seconds.rounded())): \(text)"
    }
    return lines.joined(separator: "\n") + remainderText(statistics.gaps.count - lines.count)
  }

  /// The unused fixes: `1 fix too late to count · 3 of a time there was one of`.
  private var unused: String? {
    let late =
      track.lateFixes > 0 ? "\(Quantities.count(track.lateFixes, "fix", "fixes")) too late to count" : nil
    let duplicates =
      track.duplicates > 0
      ? "\(Quantities.count(track.duplicates, "fix", "fixes")) of a time there was one of" : nil
    let parts = [late, duplicates].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  private func remainderText(_ count: Int) -> String { count > 0 ? "\nand \(count.grouped) shorter" : "" }

  /// Returns the longest elements in their order.
  private static func longest<Element>(
    _ elements: [Element], _ length: (Element) -> Double
  ) -> [Element] {
    let order = elements.indices.sorted { (length(elements[$1]), $0) < (length(elements[$0]), $1) }
    return order.prefix(listedLimit).sorted().map { elements[$0] }
  }

  /// Returns the time of day, with its date if the track has several dates.
  private func clock(_ time: UTCTime) -> String {
    statistics.first?.dateText == statistics.last?.dateText
      ? time.clockText : "\(time.dateText) \(time.clockText)"
  }
}
