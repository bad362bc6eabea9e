// The form of a file of rules, which a journal has too; docs/power.md describes it. What it does not know it refuses: a
// rule whose condition was mistyped would always hold.

extension PowerSettings: Codable {
  private enum Key: String, CodingKey, CaseIterable { case preset, background, rules }

  /// Reads the form of a file of rules.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(Key.self)
    self.init(
      preset: try values.decodeIfPresent(PowerPreset.self, forKey: .preset) ?? .precise,
      rules: try values.decodeIfPresent([PowerRule].self, forKey: .rules) ?? [],
      background: try values.decodeIfPresent(PowerBackground.self, forKey: .background) ?? PowerBackground())
  }

  /// Writes the form of a file of rules.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(preset, forKey: .preset)
    try values.encode(background, forKey: .background)
    if !rules.isEmpty { try values.encode(rules, forKey: .rules) }
  }
}

extension PowerBackground: Codable {
  private enum Key: String, CodingKey, CaseIterable { case whileActive, whileCharging, onBattery }

  /// Reads its three members; those that are missing are as they are by default.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(Key.self)
    self.init()
    whileActive = try values.decodeIfPresent(Bool.self, forKey: .whileActive) ?? whileActive
    whileCharging = try values.decodeIfPresent(Bool.self, forKey: .whileCharging) ?? whileCharging
    onBattery = try values.decodeIfPresent(Bool.self, forKey: .onBattery) ?? onBattery
  }

  /// Writes its three members.
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

  /// Reads the name of a standard preset, or the members of one's own; intervals in seconds.
  public init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      guard let preset = PowerPreset.named(name) else {
        let names = PowerPreset.standard.map(\.name).joined(separator: ", ")
        throw decoder.mistake("no preset is called \(name): there are \(names)")
      }
      self = preset
      return
    }
    let values = try decoder.strictContainer(Key.self)
    self.init(
      name: try values.decodeIfPresent(String.self, forKey: .name) ?? "custom",
      accuracy: try values.decodeIfPresent(Double.self, forKey: .accuracy) ?? 0,
      interval: try values.seconds(.interval) ?? .zero,
      filters: try values.decodeIfPresent(PowerFilters.self, forKey: .filters),
      rest: try values.decodeIfPresent(PowerRest.self, forKey: .rest),
      background: try values.decodeIfPresent(Background.self, forKey: .background) ?? .bySettings,
      onlySignificantChanges: try values.decodeIfPresent(Bool.self, forKey: .onlySignificantChanges) ?? false,
      coarsensFences: try values.decodeIfPresent(Bool.self, forKey: .coarsensFences) ?? false)
  }

  /// Writes the name of a standard preset, or the members of one's own.
  public func encode(to encoder: any Encoder) throws {
    if PowerPreset.named(name) == self {
      var value = encoder.singleValueContainer()
      try value.encode(name)
      return
    }
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .name)
    try values.encode(accuracy, forKey: .accuracy)
    try values.encode(interval.inSeconds, forKey: .interval)
    try values.encodeIfPresent(filters, forKey: .filters)
    try values.encodeIfPresent(rest, forKey: .rest)
    try values.encode(background, forKey: .background)
    try values.encode(onlySignificantChanges, forKey: .onlySignificantChanges)
    try values.encode(coarsensFences, forKey: .coarsensFences)
  }
}

extension PowerRest: Codable {
  private enum Key: String, CodingKey, CaseIterable { case after, interval }

  /// Reads both, in seconds.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(Key.self)
    self.init(
      after: try values.seconds(.after) ?? .zero, interval: try values.seconds(.interval) ?? .zero)
  }

  /// Writes both, in seconds.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(after.inSeconds, forKey: .after)
    try values.encode(interval.inSeconds, forKey: .interval)
  }
}

extension PowerRule: Codable {
  private enum Key: String, CodingKey, CaseIterable { case name, when, preset }

  /// Reads its conditions, in one object or in several, and what is used.
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

  /// Writes its conditions one by one, and what is used.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encodeIfPresent(name, forKey: .name)
    try values.encode(conditions.map { Conditions(all: [$0]) }, forKey: .when)
    try values.encode(preset, forKey: .preset)
  }
}

/// Conditions by what they are called.
private struct Conditions: Codable {
  var all: [PowerCondition] = []

  enum Key: String, CodingKey, CaseIterable {
    case charging, batteryBelow, lowPowerMode, hours, inside, still, moving, foreground
  }

  init(all: [PowerCondition] = []) { self.all = all }

  init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(Key.self)
    for key in Key.allCases where values.contains(key) { all.append(try Self.condition(key, values)) }
  }

  private static func condition(_ key: Key, _ values: KeyedDecodingContainer<Key>) throws -> PowerCondition {
    switch key {
    case .charging: .charging(try values.decode(Bool.self, forKey: key))
    case .batteryBelow: .batteryBelow(try values.decode(Double.self, forKey: key))
    case .lowPowerMode: .lowPowerMode(try values.decode(Bool.self, forKey: key))
    case .hours: .hours(try values.decode(HoursForm.self, forKey: key).hours)
    case .inside: .inside(try values.decode(FenceID.self, forKey: key))
    case .still: .still(try values.seconds(key) ?? .zero)
    case .moving: .moving(try values.decode(Motion.self, forKey: key))
    case .foreground: .foreground(try values.decode(Bool.self, forKey: key))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    for condition in all {
      switch condition {
      case .charging(let wanted): try values.encode(wanted, forKey: .charging)
      case .batteryBelow(let level): try values.encode(level, forKey: .batteryBelow)
      case .lowPowerMode(let wanted): try values.encode(wanted, forKey: .lowPowerMode)
      case .hours(let hours): try values.encode(HoursForm(hours: hours), forKey: .hours)
      case .inside(let fence): try values.encode(fence, forKey: .inside)
      case .still(let duration): try values.encode(duration.inSeconds, forKey: .still)
      case .moving(let motion): try values.encode(motion, forKey: .moving)
      case .foreground(let wanted): try values.encode(wanted, forKey: .foreground)
      }
    }
  }
}

/// Hours as they are typed, or as the windows that they are.
private struct HoursForm: Codable {
  var hours: ActiveHours

  private enum Key: String, CodingKey, CaseIterable { case windows, aheadOfUTC, zone }

  init(hours: ActiveHours) { self.hours = hours }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      guard let hours = ActiveHours(text: text) else {
        throw decoder.mistake("no hours: write them as in Mo-Fr 09:00-17:00 Europe/Berlin")
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
    try values.encode(hours.aheadOfUTC.inSeconds, forKey: .aheadOfUTC)
    try values.encodeIfPresent(hours.zone, forKey: .zone)
  }
}

// MARK: - Strictness

private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  fileprivate func mistake(_ text: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: text))
  }

  /// An object that has no other members than these.
  fileprivate func strictContainer<Key: CodingKey & CaseIterable>(_ type: Key.Type) throws
    -> KeyedDecodingContainer<Key>
  {
    let known = Key.allCases.map(\.stringValue)
    for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
      throw mistake("\(key.stringValue) is nothing known: there are \(known.joined(separator: ", "))")
    }
    return try container(keyedBy: type)
  }
}

extension KeyedDecodingContainer {
  /// A duration in seconds, none where it is missing; it is not negative, nor longer than can be told.
  fileprivate func seconds(_ key: Key) throws -> Duration? {
    guard let seconds = try decodeIfPresent(Double.self, forKey: key) else { return nil }
    guard seconds.magnitude < 1e9 else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "no number of seconds")
    }
    return .seconds(seconds)
  }
}
