import WhereaboutsCore
import WhereaboutsGeodesy

/// A way as a person reads it: one line for each thing worth knowing, and none for what is not there.
struct WayText {
  /// Gaps and stops that are told one by one.
  private static let told = 5

  let way: Way

  private var totals: TrackTotals { way.totals }
  private var tally: WayTally { way.tally }

  /// Labels and what belongs beside them; more than one line of it where it has ends of lines.
  var entries: [(label: String, text: String)] {
    guard way.plain == nil else { return [("Distance", distance ?? "")] }
    let all: [(String, String?)] = [
      ("Distance", distance), ("Moving", moving), ("Speed", speed), ("Activity", activity), ("Climb", climb),
      ("Motion", motion),
      ("Stops", stops), ("Gaps", gaps), ("Unused", unused),
    ]
    return all.compactMap { label, text in text.map { (label, $0) } }
  }

  /// The same as lines, for a way that stands alone.
  var lines: [String] {
    entries.flatMap { label, text in
      text.split(separator: "\n").enumerated().map { index, line in
        "\((index == 0 ? label : "").padded(to: 10))\(line)"
      }
    }
  }

  /// `6.86 km ±12 m`: how far it was, and one standard deviation.
  static func distance(_ metres: Double, _ uncertainty: Double) -> String {
    "\(Quantities.length(metres)) ±\(Quantities.length(uncertainty))"
  }

  /// A point on a line whose columns stand under each other: `08:15:06  6.86 km ±12 m  42.1 km/h  driving`.
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

  /// `1.20 km bridged (1.10 km straight)`, or that it is not counted.
  static func bridge(_ gap: TrackGap) -> String {
    let straight = Quantities.length(gap.geodesic)
    guard gap.counted > 0 else {
      return gap.geodesic > 0 ? "not counted (\(straight) straight)" : "nothing to bridge"
    }
    return "\(distance(gap.counted, gap.uncertainty)) bridged (\(straight) straight)"
  }

  private var distance: String? {
    if let plain = way.plain {
      return "\(Quantities.length(plain.metres(besides: totals))) (plain sum of the steps, noise and all)\n"
        + "no estimate: \(plain.share.reason)"
    }
    guard tally.points > 0 else { return "none: too few fixes that belong together" }
    let text = Self.distance(totals.distance, totals.uncertainty)
    return totals.bridged > 0 ? "\(text), \(Quantities.length(totals.bridged)) of it over gaps" : text
  }

  private var activity: String? {
    guard way.contradictsActivity, let limit = way.activity.sustainedSpeed else { return nil }
    return
      "not only \(way.activity.rawValue), which keeps below \(Quantities.speed(limit)); all of it is counted"
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

  /// `driving 10 min 12 s (6.41 km) · still 1 min 30 s`
  private var motion: String? {
    let shares = tally.shares.filter { $0.value.seconds > 0 }
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
    guard tally.stops.count > 0 else { return nil }
    let told = Self.longest(tally.stops.longest, \.seconds).map { stop in
      let silence =
        stop.silence >= stop.seconds
        ? ", no fixes"
        : stop.silence > 0 ? ", no fixes for \(Quantities.duration(stop.silence.rounded())) of it" : ""
      return "\(clock(stop.from)) for \(Quantities.duration(stop.seconds.rounded()))\(silence)"
    }
    return told.joined(separator: "\n") + rest(tally.stops.count - told.count)
  }

  private var gaps: String? {
    guard tally.gaps.count > 0 else { return nil }
    let lines = Self.longest(tally.gaps.longest, \.seconds).map { gap in
      let text =
        gap.bridge.map(Self.bridge)
        ?? "interrupted, not counted (\(Quantities.length(gap.straight)) straight)"
      return "\(clock(gap.from)) for \(Quantities.duration(gap.seconds.rounded())): \(text)"
    }
    return lines.joined(separator: "\n") + rest(tally.gaps.count - lines.count)
  }

  /// `1 fix too late to count · 3 of a time there was one of`
  private var unused: String? {
    let late = way.late > 0 ? "\(Quantities.count(way.late, "fix", "fixes")) too late to count" : nil
    let doubled =
      way.doubled > 0 ? "\(Quantities.count(way.doubled, "fix", "fixes")) of a time there was one of" : nil
    let parts = [late, doubled].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  private func rest(_ count: Int) -> String { count > 0 ? "\nand \(count.grouped) shorter" : "" }

  /// The longest few, in their order.
  private static func longest<Element>(
    _ elements: [Element], _ length: (Element) -> Double
  ) -> [Element] {
    let order = elements.indices.sorted { (length(elements[$1]), $0) < (length(elements[$0]), $1) }
    return order.prefix(told).sorted().map { elements[$0] }
  }

  /// With its day, where the way took more than one.
  private func clock(_ time: UTCTime) -> String {
    tally.first?.dateText == tally.last?.dateText ? time.clockText : "\(time.dateText) \(time.clockText)"
  }
}
