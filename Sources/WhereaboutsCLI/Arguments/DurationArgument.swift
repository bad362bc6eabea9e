import ArgumentParser
import WhereaboutsModel

/// A duration as typed: `10s`, `500ms`, `2m`, `1h`, `1m30s`, or plain seconds.
struct DurationArgument: Hashable, Sendable {
  var duration: Duration

  init(_ duration: Duration) { self.duration = duration }

  /// Parses a duration of 0 s to 292 years; returns `nil` for any other text.
  init?(_ text: String) {
    if let seconds = Self.number(text[...]) {
      guard let duration = Self.duration(seconds) else { return nil }
      self.duration = duration
      return
    }
    var total = 0.0
    var lastUnit = Double.infinity
    var rest = text[...]
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isNumber || $0 == "." }
      rest = rest[digits.endIndex...]
      let unit = rest.prefix { $0.isLetter }
      rest = rest[unit.endIndex...]
      guard let number = Self.number(digits), let size = Self.units[String(unit)], size < lastUnit else {
        return nil
      }
      total += number * size
      lastUnit = size  // accepts 1m30s, but not 30s1m or 1m1m
    }
    guard !text.isEmpty, let duration = Self.duration(total) else { return nil }
    self.duration = duration
  }

  private static let units: [String: Double] = [
    "ms": 1e-3, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400,
  ]

  private static func number(_ text: Substring) -> Double? {
    // Double would also parse "0x10", "inf" and "1e3".
    guard text.utf8.allSatisfy({ ($0 >= 48 && $0 <= 57) || $0 == UInt8(ascii: ".") }) else { return nil }
    return Double(text)
  }

  private static func duration(_ seconds: Double) -> Duration? {
    guard seconds >= 0, seconds <= 9.2e9 else { return nil }
    return .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}

extension DurationArgument: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }

  var defaultValueDescription: String { Quantities.duration(duration.inSeconds) }
}
