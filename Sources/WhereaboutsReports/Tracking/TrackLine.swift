package import WhereaboutsModel
import WhereaboutsGeodesy

/// The state of a tracker as text: on one line, or on several lines of a panel.
package struct TrackLine {
  let update: TrackUpdate
  /// The time of the first fix, from which the elapsed time counts.
  let began: UTCTime?

  package init(update: TrackUpdate, began: UTCTime?) {
    self.update = update
    self.began = began
  }

  /// The text: `08:26:59  6.86 km ±12 m, 310 m of it provisional  42.1 km/h  driving  signal strong`, then
  /// `11 min 53 s, moving 10 min 02 s`.
  package var text: String {
    let speed = update.speed.map(Quantities.speed) ?? ""
    let motion = update.motion == .unknown ? "" : update.motion.rawValue
    let columns = [
      time ?? "no fix  ", distance.padded(to: 40), speed.padded(to: 10, onLeft: true), motion.padded(to: 7),
      signal.padded(to: 16), moving,
    ]
    return columns.joined(separator: "  ")
  }

  /// Returns the lines of the panel, each truncated to the given columns.
  package func panel(columns: Int) -> [String] {
    let how = [update.speed.map(Quantities.speed), motion, signal].compactMap { $0 }
    var lines = [distance, how.joined(separator: " · "), moving]
    if let climb { lines.append(climb) }
    var place = time.map { "\($0) UTC" } ?? "no fix yet"
    if let fix = update.fix {
      place += "  \(fix.coordinate.latitude.fixed(6)), \(fix.coordinate.longitude.fixed(6))"
      if let accuracy = fix.horizontalAccuracy { place += " ±\(Quantities.accuracy(accuracy))" }
    }
    lines += [place, "Press Ctrl-C to stop"]
    return lines.map { line in
      let text = "  \(line)"
      guard text.count > columns else { return text }
      return columns < 2 ? "" : "\(text.prefix(columns - 1))…"
    }
  }

  private var time: String? { update.fix?.time?.clockText }

  private var motion: String? { update.motion == .unknown ? nil : update.motion.rawValue }

  /// The distance, with its provisional part, which may still change.
  private var distance: String {
    let text = TrackSummaryText.distance(update.liveDistance, update.totals.uncertainty)
    return update.ahead > 0 ? "\(text), \(Quantities.length(update.ahead)) of it provisional" : text
  }

  /// The elapsed time, and the settled part of the moving time.
  private var moving: String {
    let moving = "moving \(Quantities.duration(update.totals.moving.rounded()))"
    guard let began, let now = update.fix?.time else { return moving }
    return "\(Quantities.duration(max(now.seconds(since: began), 0).rounded())), \(moving)"
  }

  private var climb: String? {
    guard let ascent = update.totals.ascent, let descent = update.totals.descent else { return nil }
    return "\(ascent.fixed(0)) m up, \(descent.fixed(0)) m down"
  }

  private var signal: String {
    switch update.signal {
    case .invalid: "no signal"
    case .weak: "signal weak"
    case .consistentlyWeak: "signal very weak"
    case .strong: "signal strong"
    }
  }
}
