package import WhereaboutsModel
import WhereaboutsGeodesy

/// All values of a fix as text, one line for each value.
package enum FixDetails {
  /// Returns the labels and their values.
  package static func entries(_ fix: Fix) -> [(label: String, text: String)] {
    let all: [(String, String?)] = [
      ("Place", place(fix)), ("Height", height(fix)), ("Floor", fix.floor.map { "\($0)" }),
      ("Moving", moving(fix)), ("Activity", fix.activity?.rawValue), ("Solution", solution(fix)),
      ("Satellites", satellites(fix)), ("Dilution", dilution(fix)), ("Source", source(fix)),
    ]
    return all.compactMap { label, text in text.map { (label, $0) } }
  }

  private static func place(_ fix: Fix) -> String {
    let place = "\(fix.coordinate.latitude.fixed(7)), \(fix.coordinate.longitude.fixed(7))"
    guard let accuracy = fix.horizontalAccuracy else { return "\(place), accuracy not known" }
    let estimated = fix.isAccuracyEstimated ? ", estimated" : ""
    return "\(place) within \(Quantities.accuracy(accuracy))\(estimated)"
  }

  private static func height(_ fix: Fix) -> String? {
    var parts: [String] = []
    if let height = fix.heightAboveGeoid { parts.append("\(height.fixed(1)) m above the sea") }
    if let height = fix.heightAboveEllipsoid { parts.append("\(height.fixed(1)) m above the ellipsoid") }
    guard !parts.isEmpty else { return nil }
    return parts.joined(separator: ", ") + within(fix.verticalAccuracy, Quantities.accuracy)
  }

  private static func moving(_ fix: Fix) -> String? {
    var parts: [String] = []
    if let speed = fix.speed {
      parts.append("\(Quantities.speed(speed))\(within(fix.speedAccuracy, Quantities.speed))")
    }
    if let course = fix.course {
      parts.append("towards \(course.fixed(1))°\(within(fix.courseAccuracy) { "\($0.fixed(1))°" })")
    }
    if let climb = fix.climb { parts.append("\(climb < 0 ? "down" : "up") \(climb.magnitude.fixed(1)) m/s") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func solution(_ fix: Fix) -> String? {
    let mode = fix.mode.map { $0 == .threeD ? "three dimensions" : "two dimensions" }
    let parts = [fix.solution?.rawValue, mode].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func satellites(_ fix: Fix) -> String? {
    let used = fix.satellitesUsed.map { "\($0) used" }, seen = fix.satellitesInView.map { "\($0) in view" }
    let parts = [used, seen].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func dilution(_ fix: Fix) -> String? {
    let parts = [
      fix.horizontalDilution.map { "horizontal \(Double($0).fixed(1))" },
      fix.verticalDilution.map { "vertical \(Double($0).fixed(1))" },
      fix.positionDilution.map { "position \(Double($0).fixed(1))" },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func source(_ fix: Fix) -> String {
    "\(fix.source.rawValue)\(FixText.simulationOrigin(fix).map { ", \($0)" } ?? "")"
  }

  private static func within(_ value: Double?, _ text: (Double) -> String) -> String {
    value.map { " ±\(text($0))" } ?? ""
  }
}
