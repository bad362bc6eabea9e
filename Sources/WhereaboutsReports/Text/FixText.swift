package import WhereaboutsModel
import WhereaboutsGeodesy

/// Fixes and answers as text.
package enum FixText {
  /// Returns a fix on one line with aligned columns.
  ///
  /// - Parameter zone: the text after the time of day, with a leading space; live lines have none.
  static func line(_ fix: Fix, zone: String = "") -> String {
    var columns = [
      ((fix.time?.clockText ?? "no time") + zone).padded(to: 8),
      fix.coordinate.latitude.fixed(6).padded(to: 10, onLeft: true),
      fix.coordinate.longitude.fixed(6).padded(to: 11, onLeft: true),
      (fix.horizontalAccuracy.map { "±\(Quantities.accuracy($0))" } ?? "±?").padded(to: 9),
      (fix.speed.map(Quantities.speed) ?? "").padded(to: 10, onLeft: true),
      (fix.course.map { "\($0.fixed(0))°" } ?? "").padded(to: 4, onLeft: true),
      (fix.heightAboveGeoid.map { "\($0.fixed(0)) m" } ?? "").padded(to: 7, onLeft: true),
    ]
    if let used = fix.satellitesUsed { columns.append("\(used) sat") }
    var line = columns.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Returns the lines of an answer: position and accuracy first, then the other values.
  package static func lines(_ answer: Answer) -> [String] {
    let fix = answer.fix
    var lines = [
      "\(fix.coordinate.latitude.fixed(7)), \(fix.coordinate.longitude.fixed(7))   \(circle(answer))"
    ]
    if let time = fix.time {
      lines.append("at \(time.dateText) \(time.clockText) UTC, \(age(answer.age))")
    } else {
      lines.append("without a time, \(age(answer.age))")
    }
    var rest: [String] = []
    if let height = fix.heightAboveGeoid { rest.append("\(height.fixed(0)) m above the sea") }
    if let speed = fix.speed {
      let direction = fix.course.map { " towards \($0.fixed(0))°" } ?? ""
      rest.append("\(Quantities.speed(speed))\(direction)")
    }
    if let used = fix.satellitesUsed { rest.append(Quantities.count(Int(used), "satellite")) }
    if let origin = simulationOrigin(fix) { rest.append(origin) }
    if !rest.isEmpty { lines.append(rest.joined(separator: " · ")) }
    return lines
  }

  /// Returns the origin of a fix that was not measured: a receiver that states so simulates; any other fix is from a
  /// recording. `nil` for a measured fix.
  static func simulationOrigin(_ fix: Fix) -> String? {
    guard fix.isSimulated else { return nil }
    return fix.solution == .simulated ? "simulated" : "from a recording"
  }

  /// Returns `house (15 m, no older than 15 s)`, or only the numbers for a level without a name.
  package static func level(_ level: AccuracyLevel) -> String {
    let age = Quantities.duration(level.maxAge.inSeconds)
    let terms = "\(Quantities.accuracy(level.worstAccuracy)), no older than \(age)"
    return AccuracyLevel.standard.contains(level) ? "\(level.name) (\(terms))" : "an accuracy of \(terms),"
  }

  private static func circle(_ answer: Answer) -> String {
    guard let accuracy = answer.fix.horizontalAccuracy else { return "accuracy not known" }
    let estimated = answer.fix.isAccuracyEstimated ? ", estimated" : ""
    let level = answer.level.map { " (\($0.name)\(estimated))" } ?? (estimated.isEmpty ? "" : " (estimated)")
    return "within \(Quantities.accuracy(accuracy))\(level)"
  }

  private static func age(_ age: Duration) -> String {
    age < .milliseconds(50) ? "new" : "\(Quantities.duration(age.inSeconds)) old"
  }
}

extension String {
  /// Returns the text padded with spaces to a width in characters.
  package func padded(to width: Int, onLeft: Bool = false) -> String {
    let missing = String(repeating: " ", count: Swift.max(0, width - count))
    return onLeft ? missing + self : self + missing
  }
}
