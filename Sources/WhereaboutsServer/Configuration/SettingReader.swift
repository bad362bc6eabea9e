/// The reading of values that collects every problem.
struct SettingReader {
  private let values: [ServerSetting: SettingValue]
  private(set) var problems: [ConfigurationProblem] = []
  private(set) var warnings: [ConfigurationProblem] = []

  init(_ values: [ServerSetting: SettingValue]) { self.values = values }

  /// Returns the value of a setting; `nil` if it is not set, or if it is wrong, which is then a problem.
  mutating func read<Value>(_ setting: ServerSetting, _ parse: (SettingText) -> Value?) -> Value? {
    guard let value = values[setting] else { return nil }
    if let parsed = parse(SettingText(text: value.text)) { return parsed }
    report(setting, "\(setting.rawValue) must be \(setting.form).")
    return nil
  }

  /// Returns whether a setting has a value.
  func isSet(_ setting: ServerSetting) -> Bool { values[setting] != nil }

  /// Adds a problem at the place of a setting.
  mutating func report(_ setting: ServerSetting, _ text: String) {
    problems.append(ConfigurationProblem(origin(of: setting), text))
  }

  /// Adds a warning at the place of a setting. A server starts in spite of warnings.
  mutating func warn(_ setting: ServerSetting, _ text: String) {
    warnings.append(ConfigurationProblem(origin(of: setting), text))
  }

  private func origin(of setting: ServerSetting) -> SettingOrigin {
    values[setting]?.origin ?? .flag("standard \(setting.rawValue)")
  }
}

/// The text of a value.
struct SettingText {
  let text: String

  /// Yes or no.
  var bool: Bool? {
    switch text.lowercased() {
    case "yes", "true", "1", "on": true
    case "no", "false", "0", "off": false
    default: nil
    }
  }

  /// Returns a whole number within a range.
  func integer(in range: ClosedRange<Int>) -> Int? { Self.number(text[...], in: range) }

  /// Returns a number of bytes within a range: `65536`, `64K`, `16M` or `1G`.
  func size(in range: ClosedRange<Int>) -> Int? {
    let (number, unit) = divided
    let factors = ["": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    guard let factor = factors[unit.uppercased()] else { return nil }
    return Self.product(number, factor, in: range)
  }

  /// Returns a time within a range: `90`, `90s`, `5m`, `12h` or `30d`.
  func duration(in range: ClosedRange<Duration>) -> Duration? {
    let (number, unit) = divided
    let factors = ["": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let factor = factors[unit], let seconds = Self.product(number, factor, in: 0...Int.max),
      range.contains(.seconds(seconds))
    else { return nil }
    return .seconds(seconds)
  }

  /// The digits at the start, and the rest.
  private var divided: (number: Substring, unit: String) {
    let number = text.prefix { $0.isASCII && $0.isNumber }
    return (number, String(text[number.endIndex...]))
  }

  private static func number(_ text: Substring, in range: ClosedRange<Int>) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text), range.contains(value)
    else { return nil }
    return value
  }

  private static func product(_ text: Substring, _ factor: Int, in range: ClosedRange<Int>) -> Int? {
    guard let value = number(text, in: 0...Int.max) else { return nil }
    let (product, overflow) = value.multipliedReportingOverflow(by: factor)
    return overflow || !range.contains(product) ? nil : product
  }
}
