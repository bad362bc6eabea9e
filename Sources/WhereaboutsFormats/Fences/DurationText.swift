import WhereaboutsModel

/// Durations as text: `90`, `5m`, `1h30m`, `PT5M`, `P1DT12H`.
package enum DurationText {
  /// The notation of a duration.
  package enum Notation: Sendable {
    /// The notation of files: units in any order, numbers with an exponent, and ISO 8601.
    case file
    /// The notation of command-line arguments: digits, and units from the longest to the shortest.
    case argument
  }

  /// The longest duration: a hundred years; more is a mistake.
  static let maxDuration = Duration.seconds(3_155_760_000)

  /// Returns the duration that a text states, or `nil`.
  ///
  /// Weeks, days, hours, minutes, seconds and milliseconds, each with an optional decimal point; a plain number is
  /// seconds. Months and years of ISO 8601 have no fixed length and are refused.
  package static func parse(_ text: String, as notation: Notation = .file) -> Duration? {
    var text = text
    return text.withUTF8 { parse(UnsafeRawBufferPointer($0), notation) }
  }

  private static func parse(_ bytes: UnsafeRawBufferPointer, _ notation: Notation) -> Duration? {
    let isPlain = notation == .file || bytes.allSatisfy { $0.asciiDigit != nil || $0 == UInt8(ascii: ".") }
    if isPlain, let seconds = Decimal.parse(bytes) { return duration(seconds: seconds) }
    var position = 0
    let isISO = notation == .file && bytes.first == UInt8(ascii: "P")
    if isISO { position = 1 }
    var isTime = !isISO
    var sum: Duration?
    var lastUnit = Double.infinity
    while position < bytes.count {
      if isISO, !isTime, bytes[position] == UInt8(ascii: "T") {
        isTime = true
        position += 1
      }
      let digits = run(in: bytes, from: position) { $0.asciiDigit != nil || $0 == UInt8(ascii: ".") }
      // One letter is a unit of ISO 8601, and the next may be the T before the hours.
      let letters =
        isISO
        ? digits.upperBound..<min(digits.upperBound + 1, bytes.count)
        : run(in: bytes, from: digits.upperBound) { $0.asciiDigit == nil && $0 != UInt8(ascii: ".") }
      guard let number = Decimal.parse(UnsafeRawBufferPointer(rebasing: bytes[digits])),
        let unit = unit(UnsafeRawBufferPointer(rebasing: bytes[letters]), isISO: isISO, isTime: isTime),
        let part = duration(seconds: number * unit), notation == .file || unit < lastUnit
      else { return nil }
      lastUnit = unit
      let longer = (sum ?? .zero) + part
      guard longer <= maxDuration else { return nil }
      sum = longer
      position = letters.upperBound
    }
    return sum
  }

  private static func run(
    in bytes: UnsafeRawBufferPointer, from start: Int, while belongs: (UInt8) -> Bool
  ) -> Range<Int> {
    var end = start
    while end < bytes.count, belongs(bytes[end]) { end += 1 }
    return start..<end
  }

  private static func unit(_ name: UnsafeRawBufferPointer, isISO: Bool, isTime: Bool) -> Double? {
    for unit in isISO ? (isTime ? timesOfISO : daysOfISO) : units where name.equals(unit.name) {
      return unit.seconds
    }
    return nil
  }

  private static let units: [(name: StaticString, seconds: Double)] = [
    ("ms", 1e-3), ("s", 1), ("sec", 1), ("m", 60), ("min", 60), ("h", 3600), ("d", 86_400), ("w", 604_800),
  ]
  private static let daysOfISO: [(name: StaticString, seconds: Double)] = [("D", 86_400), ("W", 604_800)]
  private static let timesOfISO: [(name: StaticString, seconds: Double)] = [("H", 3600), ("M", 60), ("S", 1)]

  /// Returns a number of seconds as a duration, or `nil` if it is not finite, negative or more than ``maxDuration``.
  static func duration(seconds: Double) -> Duration? {
    guard seconds >= 0, seconds <= 3_155_760_000 else { return nil }
    return .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}
