// The format of a rules file, which a journal uses too; docs/power.md describes it. Unknown members are refused: a
// rule with a mistyped condition would always apply.

extension PowerSettings: Codable {
  private enum Key: String, CodingKey, CaseIterable { case preset, background, rules }

  /// Reads the format of a rules file.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(Key.self)
    self.init(
      preset: try values.decodeIfPresent(PowerPreset.self, forKey: .preset) ?? .precise,
      rules: try values.decodeIfPresent([Rule].self, forKey: .rules) ?? [],
      background: try values.decodeIfPresent(Background.self, forKey: .background) ?? Background())
  }

  /// Writes the format of a rules file.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(preset, forKey: .preset)
    try values.encode(background, forKey: .background)
    if !rules.isEmpty { try values.encode(rules, forKey: .rules) }
  }
}

extension PowerSettings.Background: Codable {
  private enum Key: String, CodingKey, CaseIterable { case whileActive, whileCharging, onBattery }

  /// Reads the three members; a missing member has its default.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(Key.self)
    self.init()
    whileActive = try values.decodeIfPresent(Bool.self, forKey: .whileActive) ?? whileActive
    whileCharging = try values.decodeIfPresent(Bool.self, forKey: .whileCharging) ?? whileCharging
    onBattery = try values.decodeIfPresent(Bool.self, forKey: .onBattery) ?? onBattery
  }

  /// Writes the three members.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(whileActive, forKey: .whileActive)
    try values.encode(whileCharging, forKey: .whileCharging)
    try values.encode(onBattery, forKey: .onBattery)
  }
}

extension PowerPreset: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case name, accuracy, interval, filters, rest, background, onlySignificantChanges, coarsensFences
  }

  /// Reads the name of a standard preset, or the members of a custom one; intervals in seconds.
  public init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      guard let preset = PowerPreset.named(name) else {
        let names = PowerPreset.standard.map(\.name).joined(separator: ", ")
        throw decoder.dataCorrupted("no preset is called \(name): there are \(names)")
      }
      self = preset
      return
    }
    let values = try decoder.strictContainer(Key.self)
    self.init(
      name: try values.decodeIfPresent(String.self, forKey: .name) ?? "custom",
      accuracy: try values.metres(.accuracy),
      interval: try values.duration(.interval),
      filters: try values.decodeIfPresent(Filters.self, forKey: .filters),
      rest: try values.decodeIfPresent(Rest.self, forKey: .rest),
      background: try values.choice(.background) ?? Background.bySettings,
      onlySignificantChanges: try values.decodeIfPresent(Bool.self, forKey: .onlySignificantChanges) ?? false,
      coarsensFences: try values.decodeIfPresent(Bool.self, forKey: .coarsensFences) ?? false)
  }

  /// Writes the name of a standard preset, or the members of a custom one.
  public func encode(to encoder: any Encoder) throws {
    if PowerPreset.named(name) == self {
      var value = encoder.singleValueContainer()
      try value.encode(name)
      return
    }
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .name)
    try values.encode(accuracy >= 0 ? min(accuracy, .greatestFiniteMagnitude) : 0, forKey: .accuracy)
    try values.encode(max(0, interval.readableSeconds), forKey: .interval)
    try values.encodeIfPresent(filters, forKey: .filters)
    try values.encodeIfPresent(rest, forKey: .rest)
    try values.encode(background, forKey: .background)
    try values.encode(onlySignificantChanges, forKey: .onlySignificantChanges)
    try values.encode(coarsensFences, forKey: .coarsensFences)
  }
}

extension PowerPreset.Rest: Codable {
  private enum Key: String, CodingKey, CaseIterable { case after, interval }

  /// Reads both members, in seconds.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(Key.self)
    self.init(
      after: try values.duration(.after), interval: try values.duration(.interval))
  }

  /// Writes both members, in seconds.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(max(0, after.readableSeconds), forKey: .after)
    try values.encode(max(0, interval.readableSeconds), forKey: .interval)
  }
}

extension PowerSettings.Rule: Codable {
  private enum Key: String, CodingKey, CaseIterable { case name, when, preset }

  /// Reads the conditions, in one object or in several, and the preset.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(Key.self)
    let groups: [Conditions]
    if let one = try? values.decode(JSONValue.self, forKey: .when), case .array = one {
      groups = try values.decode([Conditions].self, forKey: .when)
    } else {
      groups = [try values.decodeIfPresent(Conditions.self, forKey: .when) ?? Conditions()]
    }
    self.init(
      groups.flatMap(\.all), use: try values.decode(PowerPreset.self, forKey: .preset),
      name: try values.decodeIfPresent(String.self, forKey: .name))
  }

  /// Encodes each condition under its own key, then the preset.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encodeIfPresent(name, forKey: .name)
    try values.encode(conditions.map { Conditions(all: [$0]) }, forKey: .when)
    try values.encode(preset, forKey: .preset)
  }
}

/// Conditions by their names.
private struct Conditions: Codable {
  var all: [PowerSettings.Condition] = []

  enum Key: String, CodingKey, CaseIterable {
    case charging, batteryBelow, lowPowerMode, hours, inside, still, moving, foreground
  }

  init(all: [PowerSettings.Condition] = []) { self.all = all }

  init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(Key.self)
    for key in Key.allCases where values.contains(key) { all.append(try Self.condition(key, values)) }
  }

  private static func condition(_ key: Key, _ values: KeyedDecodingContainer<Key>) throws
    -> PowerSettings.Condition
  {
    switch key {
    case .charging: .charging(try values.decode(Bool.self, forKey: key))
    case .batteryBelow: .batteryBelow(try values.share(key))
    case .lowPowerMode: .lowPowerMode(try values.decode(Bool.self, forKey: key))
    case .hours: .hours(try values.decode(EncodedHours.self, forKey: key).hours)
    case .inside: .inside(try values.decode(FenceID.self, forKey: key))
    case .still: .still(try values.duration(key))
    case .moving: .moving(try values.choice(key) ?? values.decode(Motion.self, forKey: key))
    case .foreground: .foreground(try values.decode(Bool.self, forKey: key))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    for condition in all {
      switch condition {
      case .charging(let wanted): try values.encode(wanted, forKey: .charging)
      case .batteryBelow(let level): try values.encode(level > 0 ? min(level, 1) : 0, forKey: .batteryBelow)
      case .lowPowerMode(let wanted): try values.encode(wanted, forKey: .lowPowerMode)
      case .hours(let hours): try values.encode(EncodedHours(hours: hours), forKey: .hours)
      case .inside(let fence): try values.encode(fence, forKey: .inside)
      case .still(let duration): try values.encode(max(0, duration.readableSeconds), forKey: .still)
      case .moving(let motion): try values.encode(motion, forKey: .moving)
      case .foreground(let wanted): try values.encode(wanted, forKey: .foreground)
      }
    }
  }
}

/// Hours in their typed form or as their windows.
private struct EncodedHours: Codable {
  var hours: ActiveHours

  private enum Key: String, CodingKey, CaseIterable { case windows, aheadOfUTC, zone }

  init(hours: ActiveHours) { self.hours = hours }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      guard let hours = ActiveHours(text: text) else {
        throw decoder.dataCorrupted("no hours: write them as in Mo-Fr 09:00-17:00 Europe/Berlin")
      }
      self.hours = hours
      return
    }
    let values = try decoder.strictContainer(Key.self)
    hours = ActiveHours(
      try values.decode([ActiveHours.Window].self, forKey: .windows),
      aheadOfUTC: try values.seconds(.aheadOfUTC) ?? .zero)
    hours.zone = try values.decodeIfPresent(TimeZoneRules.self, forKey: .zone)
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(hours.windows, forKey: .windows)
    try values.encode(hours.aheadOfUTC.readableSeconds, forKey: .aheadOfUTC)
    try values.encodeIfPresent(hours.zone, forKey: .zone)
  }
}

extension Duration {
  /// This duration in seconds, or the nearest number that is read. Settings may have been changed to any value since
  /// their creation, and a journal of them must stay readable.
  fileprivate var readableSeconds: Double { min(max((-1e9).nextUp, inSeconds), 1e9.nextDown) }
}

/// Numbers within their ranges, and values by their names. The messages name what is possible, for a person who has
/// written the file.
extension KeyedDecodingContainer {
  /// Returns one of the values of an enumeration; `nil` if there is none.
  fileprivate func choice<Value: RawRepresentable<String> & CaseIterable>(_ key: Key) throws -> Value? {
    guard let name = try decodeIfPresent(String.self, forKey: key) else { return nil }
    if let value = Value(rawValue: name) { return value }
    let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
    throw DecodingError.dataCorruptedError(
      forKey: key, in: self, debugDescription: "\(key.stringValue) is \(name); it is one of \(names)")
  }

  /// Returns a share.
  fileprivate func share(_ key: Key) throws -> Double {
    _ = try decode(Double.self, forKey: key)  // Refuses null.
    return try number(key, in: 0...1, "a share from 0 to 1") ?? 0
  }

  /// Returns a number of metres, 0 where it is missing.
  fileprivate func metres(_ key: Key) throws -> Double {
    try number(key, in: 0...(.greatestFiniteMagnitude), "a number of metres from 0") ?? 0
  }

  /// Returns a duration in seconds, zero where it is missing.
  fileprivate func duration(_ key: Key) throws -> Duration {
    guard let duration = try seconds(key) else { return .zero }
    _ = try number(key, in: 0...1e9, "a number of seconds from 0")
    return duration
  }

  private func number(_ key: Key, in range: ClosedRange<Double>, _ meaning: String) throws -> Double? {
    guard let number = try decodeIfPresent(Double.self, forKey: key) else { return nil }
    if range.contains(number) { return number }
    let text = number == number.rounded() && number.magnitude < 1e15 ? "\(Int(number))" : "\(number)"
    throw DecodingError.dataCorruptedError(
      forKey: key, in: self, debugDescription: "\(key.stringValue) is \(text); it is \(meaning)")
  }
}
