import WhereaboutsModel

/// Numbers with units as text.
public enum Quantities {
  /// Returns a length: `4.2 m`, `840 m`, `12.35 km`, `1,234 km`.
  ///
  /// - Parameter metres: the length in metres.
  /// - Returns: the text.
  public static func length(_ metres: Double) -> String {
    switch metres.magnitude {
    case ..<9.95: "\(metres.fixed(1)) m"
    case ..<999.5: "\(metres.fixed(0)) m"
    case ..<99_995: "\((metres / 1000).fixed(2)) km"
    case ..<999_950: "\((metres / 1000).fixed(1)) km"
    default: "\(Int((min(metres, 1e15) / 1000).rounded()).grouped) km"
    }
  }

  /// Returns an accuracy: `0.8 m`, `4.2 m`, `35 m`, `1.20 km`.
  ///
  /// - Parameter metres: the radius in metres.
  /// - Returns: the text.
  public static func accuracy(_ metres: Double) -> String {
    metres < 0.095 ? "\(metres.fixed(3)) m" : length(metres)
  }

  /// Returns a duration: `0.40 s`, `12 s`, `4 min 05 s`, `1 h 02 min`, `3 d 4 h`.
  ///
  /// - Parameter seconds: the duration in seconds.
  /// - Returns: the text.
  public static func duration(_ seconds: Double) -> String {
    let whole = Int(min(seconds.magnitude, 1e12).rounded())
    let sign = seconds < 0 && whole > 0 ? "-" : ""
    if seconds.magnitude < 10, seconds.magnitude != seconds.magnitude.rounded() {
      return "\(seconds.fixed(seconds.magnitude < 1 ? 2 : 1)) s"
    }
    if whole < 60 { return "\(sign)\(whole) s" }
    if whole < 3600 { return "\(sign)\(whole / 60) min \(padded(whole % 60)) s" }
    if whole < 86_400 { return "\(sign)\(whole / 3600) h \(padded(whole / 60 % 60)) min" }
    return "\(sign)\((whole / 86_400).grouped) d \(whole / 3600 % 24) h"
  }

  /// Returns a speed: `4.6 km/h`, `131 km/h`.
  static func speed(_ metresPerSecond: Double) -> String {
    let kilometresPerHour = metresPerSecond * 3.6
    return "\(kilometresPerHour.fixed(kilometresPerHour < 99.95 ? 1 : 0)) km/h"
  }

  /// Returns a count: `1 fix`, `2,000 fixes`.
  ///
  /// - Parameters:
  ///   - number: the count.
  ///   - one: the noun for a count of 1.
  ///   - many: the noun for other counts; `nil` appends an s.
  /// - Returns: the text.
  public static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number.grouped) \(number == 1 ? one : many ?? one + "s")"
  }

  private static func padded(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

extension UTCTime {
  /// The date: `2024-05-14`.
  package var dateText: String { String(iso8601.prefix(10)) }

  /// The time of day, truncated to seconds: `08:26:40`.
  package var clockText: String { String(iso8601.dropFirst(11).prefix(8)) }
}
