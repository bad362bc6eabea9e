package import WhereaboutsModel
import WhereaboutsFormats

/// Headings as text and as JSON.
package enum HeadingText {
  /// Returns `08:15:06    4.1° true  ±2°`; without a time if the heading has none.
  package static func line(_ heading: Heading) -> String {
    let time = heading.time.map { "\($0.clockText)  " } ?? ""
    let accuracy = heading.accuracy.map { "  ±\(degrees($0))" } ?? ""
    return
      "\(time)\(degrees(heading.degrees).padded(to: 6, onLeft: true)) \(heading.reference.rawValue)\(accuracy)"
  }

  /// Returns one JSON object: `time`, `heading` in degrees in [0, 360), `reference` (its north: `true`,
  /// `magnetic` or `compass`), and `accuracy` in degrees at 68 %. Absent values are omitted.
  package static func json(_ heading: Heading) -> [UInt8] {
    var object = JSONObject()
    object.add("time", heading.time?.iso8601)
    object.add("heading", heading.degrees)
    object.add("reference", heading.reference.rawValue)
    object.add("accuracy", heading.accuracy)
    return object.bytes
  }

  /// Returns the requested north reference as text after "heading".
  package static func north(_ reference: Heading.Reference?) -> String {
    switch reference {
    case .trueNorth: " from true north"
    case .magneticNorth: " from magnetic north"
    case .compassNorth: " from compass north"
    case nil: ""
    }
  }

  /// Returns `0°`, `4.1°`, never `360°`.
  private static func degrees(_ value: Double) -> String {
    var text = value.fixed(1)
    if text == "360.0" { text = "0.0" }
    if text.hasSuffix(".0") { text.removeLast(2) }
    return "\(text)°"
  }
}
