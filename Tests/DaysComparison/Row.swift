import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

/// The text of the tables.
enum Row {
  static let stayHeading =
    pad("phone", 9) + pad("fixes", 10, right: true) + "  " + pad("method", 15)
    + ["stays", "found", "missed", "invented", "F1", "arr med", "p95", "dep med", "p95", "in 1 σ"].map {
      pad($0, 9, right: true)
    }.joined()

  static func text(_ phone: String, _ fixes: Int, _ method: String, _ score: StayScore) -> String {
    let numbers = [
      "\(score.truths)", "\(score.found)", "\(score.truths - score.found)", "\(score.invented)",
      number(score.f1, 3), "\(number(score.arrival.median)) s", "\(number(score.arrival.p95)) s",
      "\(number(score.departure.median)) s", "\(number(score.departure.p95)) s",
      score.coverage.map { "\(number(100 * $0)) %" } ?? "",
    ]
    return pad(phone, 9) + pad("\(fixes)", 10, right: true) + "  " + pad(method, 15)
      + numbers.map { pad($0, 9, right: true) }.joined()
  }

  static let journeyHeading =
    pad("phone", 9) + pad("mode", 9)
    + ["hours", "right", "vehicle", "unknown", "wrong", "no trip"].map { pad($0, 9, right: true) }.joined()
    + "  wrong as"

  static func lines(_ phone: String, _ score: JourneyScore) -> [String] {
    var lines: [String] = []
    for mode in DailyLife.Mode.allCases {
      guard let found = score.seconds[mode] else { continue }
      let all = max(1, found.values.reduce(0, +))
      let right = found.filter { $0.key?.rawValue == mode.rawValue }.values.reduce(0, +)
      // A vehicle of either kind is half an answer for the two that are vehicles, and wrong for the others.
      let isVehicle = mode == .driving || mode == .rail
      let vehicle = isVehicle ? found[.vehicle] ?? 0 : 0
      let unknown = found[.unknown] ?? 0, none = found[nil] ?? 0
      let others = found.filter { entry in
        guard let key = entry.key, key != .unknown, key.rawValue != mode.rawValue else { return false }
        return !(isVehicle && key == .vehicle)
      }
      let worst = others.max { $0.value < $1.value }?.key?.rawValue ?? ""
      let wrong = all - right - vehicle - unknown - none
      let shares = [right, vehicle, unknown, wrong, none].map { "\(number(100 * $0 / all)) %" }
      lines.append(
        pad(phone, 9) + pad(mode.rawValue, 9) + pad(number(all / 3600), 9, right: true)
          + shares.map { pad($0, 9, right: true) }.joined() + "  " + worst)
    }
    lines.append(
      "\(phone): \(score.matched) of \(score.journeys) journeys; distance off by "
        + "\(number(100 * score.distanceError, 1)) % (median), "
        + "\(number(100 * score.coverage)) % within 2 stated σ")
    return lines
  }

  /// Prints the first visits that were missed or invented.
  static func printDetails(_ score: StayScore, _ segments: [Segment], _ life: DailyLife) {
    for (name, spans) in [("missed", score.missedSpans), ("invented", score.inventedSpans)] {
      for span in spans.prefix(12) {
        print("\(name) \(number(span.0)) to \(number(span.1))")
        for visit in life.visits where visit.departure > span.0 - 900 && visit.arrival < span.1 + 900 {
          print("  truth \(number(visit.arrival)) to \(number(visit.departure))")
        }
        for segment in segments {
          let start = segment.start.seconds(since: life.beginning),
            end = segment.end.seconds(since: life.beginning)
          guard end > span.0 - 900, start < span.1 + 900 else { continue }
          switch segment {
          case .visit(let visit):
            let near = life.visits.min {
              visit.coordinate.distance(to: $0.coordinate) < visit.coordinate.distance(to: $1.coordinate)
            }
            let off = near.map { visit.coordinate.distance(to: $0.coordinate) } ?? 0
            print("  visit \(number(start)) to \(number(end)), \(visit.fixes) fixes, \(number(off)) m off")
          case .journey(let journey):
            print("  journey \(number(start)) to \(number(end)), \(number(journey.distance)) m")
          case .gap: print("  gap \(number(start)) to \(number(end))")
          }
        }
      }
    }
  }

  private static func number(_ value: Double, _ decimals: Int = 0) -> String {
    guard value.isFinite else { return "-" }
    let scale = decimals == 0 ? 1.0 : decimals == 1 ? 10 : 1000
    let whole = Int((value * scale).rounded())
    guard decimals > 0 else { return "\(whole)" }
    let digits = "\(whole.magnitude)"
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return (whole < 0 ? "-" : "") + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }

  private static func pad(_ text: String, _ width: Int, right: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return right ? space + text : text + space
  }
}

extension FoundStay {
  init(_ visit: VisitSegment, since beginning: UTCTime) {
    self.init(
      coordinate: visit.coordinate, arrival: visit.arrival.time.seconds(since: beginning),
      departure: (visit.departure?.time ?? visit.lastFix).seconds(since: beginning))
    uncertainty = (visit.arrival.uncertainty, visit.departure?.uncertainty ?? 0)
  }
}
