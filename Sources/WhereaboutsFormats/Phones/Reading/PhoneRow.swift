import WhereaboutsGeodesy

/// The reason why a row is no message.
struct PhoneRowError: Error {
  let kind: InputProblem.Kind
  /// The reason in plain words, without a coordinate.
  let reason: String

  init(_ kind: InputProblem.Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// The error of a message of OwnTracks at a path of another app.
  static let ownTracksMessage = PhoneRowError(
    .malformed, "is a message of OwnTracks, which belongs to /owntracks")

  /// The error of a batch of Overland at a path of another app.
  static let overlandBatch = PhoneRowError(.malformed, "is a batch of Overland, which belongs to /overland")

  /// Returns the error of an object without what its path needs, with the path to which it belongs; `nil` if it is no
  /// message of another app.
  static func misplaced(_ object: PhoneObject) -> PhoneRowError? {
    let row = PhoneRow(object)
    if row.has("_type") || row.has("lat") && row.has("tst") { return ownTracksMessage }
    if object.array("locations") != nil { return overlandBatch }
    if object.object("location") != nil || object.array("location") != nil {
      return PhoneRowError(.malformed, "is a message of Traccar Client, which belongs to /osmand")
    }
    return nil
  }
}

/// Reads the values of one row by name and meaning.
///
/// A required value that is unreadable is an error. An optional one is ignored and recorded.
struct PhoneRow<Fields: PhoneFields> {
  let fields: Fields
  /// The names and reasons of ignored values.
  private(set) var ignored: [(name: StaticString, reason: StaticString)] = []

  init(_ fields: Fields) { self.fields = fields }

  /// Returns the first of these that is there, with its name.
  private func first(_ names: [StaticString]) -> (name: StaticString, value: PhoneValue)? {
    for name in names {
      if let value = fields.value(name), !value.isEmpty { return (name, value) }
    }
    return nil
  }

  mutating func ignore(_ name: StaticString, _ reason: StaticString) { ignored.append((name, reason)) }

  // MARK: Numbers

  /// Returns a number whose magnitude is below 1e9.
  mutating func number(_ names: StaticString...) -> Double? { number(names)?.number }

  private mutating func number(_ names: [StaticString]) -> (name: StaticString, number: Double)? {
    guard let (name, value) = first(names) else { return nil }
    guard let number = value.number else {
      ignore(name, "is not a number")
      return nil
    }
    guard number.magnitude < 1e9 else {
      ignore(name, "is too large")
      return nil
    }
    return (name, number)
  }

  /// Returns a number that is not negative: negative ones stand for unknown in these dialects.
  mutating func positiveOrZero(_ names: StaticString...) -> Double? {
    guard let number = number(names)?.number, number >= 0 else { return nil }
    return number
  }

  /// Returns a positive number: zero and negative ones stand for unknown in these dialects.
  mutating func positive(_ names: StaticString...) -> Double? {
    guard let number = number(names)?.number, number > 0 else { return nil }
    return number
  }

  /// Returns a course in [0, 360). 360 is north; -1 and other negative numbers are unknown; more than 360 is ignored.
  mutating func course(_ names: StaticString..., zeroIsUnknown: Bool = false) -> Double? {
    guard let (name, number) = number(names), number >= 0 else { return nil }
    guard number <= 360 else {
      ignore(name, "is no course: it is more than 360 degrees")
      return nil
    }
    if number == 0, zeroIsUnknown { return nil }
    return number == 360 ? 0 : number
  }

  /// Returns a battery level in 0...1 from a number in 0...full; negative is unknown.
  mutating func level(_ names: StaticString..., full: Double) -> Double? {
    guard let (name, number) = number(names), number >= 0 else { return nil }
    guard number <= full else {
      ignore(name, "is more than a full battery")
      return nil
    }
    return number / full
  }

  /// Returns a whole number, also a large one such as a time in seconds.
  mutating func integer(_ names: StaticString...) -> Int? {
    guard let (name, value) = first(names) else { return nil }
    guard let whole = value.number.flatMap(Int.init(exactly:)) else {
      ignore(name, "is not a whole number")
      return nil
    }
    return whole
  }

  /// Returns a number of satellites.
  mutating func count(_ names: StaticString...) -> UInt8? {
    guard let (name, number) = number(names) else { return nil }
    guard let count = UInt8(exactly: number) else {
      ignore(name, "is no number of satellites")
      return nil
    }
    return count
  }

  /// Returns a dilution of precision; zero and negative numbers are unknown.
  mutating func dilution(_ names: StaticString...) -> Float? {
    guard let number = number(names)?.number, number > 0 else { return nil }
    return Float(number)
  }

  // MARK: Texts and flags

  func text(_ names: StaticString..., limit: Int = 256) -> String? {
    first(names)?.value.text(limit: limit)
  }

  mutating func flag(_ names: StaticString...) -> Bool? {
    guard let (name, value) = first(names) else { return nil }
    guard let flag = value.flag else {
      ignore(name, "is neither true nor false")
      return nil
    }
    return flag
  }

  /// Returns the texts of an array, at most 16; a text alone is one.
  func texts(_ name: StaticString) -> [String] {
    guard let value = fields.value(name) else { return [] }
    guard case .array = value.kind else { return value.text().map { [$0] } ?? [] }
    var texts: [String] = []
    var scanner = JSONScanner.lenient(value.bytes)
    _ = scanner.forEachElement { bytes, _ in
      guard texts.count < 16, let first = bytes.first, let value = PhoneValue(bytes, first: first),
        case .text = value.kind, let text = value.text()
      else { return }
      texts.append(text)
    }
    return texts
  }

  // MARK: Places

  /// Returns the place of two members; an error if there is none.
  func coordinate(_ latitude: [StaticString], _ longitude: [StaticString]) throws(PhoneRowError) -> Coordinate
  {
    try Self.coordinate(try degrees(latitude), try degrees(longitude))
  }

  static func coordinate(_ latitude: Double, _ longitude: Double) throws(PhoneRowError) -> Coordinate {
    guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
      throw PhoneRowError(.badCoordinate, "the latitude or the longitude is out of range")
    }
    return place
  }

  /// Returns whether one of these is there, readable or not.
  func has(_ names: StaticString...) -> Bool { first(names) != nil }

  private func degrees(_ names: [StaticString]) throws(PhoneRowError) -> Double {
    guard let (name, value) = first(names) else { throw PhoneRowError(.missing, "no \(names[0])") }
    guard let number = value.number else {
      if value.isPlaceholder {
        throw PhoneRowError(.badNumber, "\(name) is still a placeholder, which the app did not replace")
      }
      throw PhoneRowError(.badNumber, "\(name) is not a number")
    }
    return number
  }
}

extension PhoneValue {
  /// Whether the app did not replace a placeholder such as `%LAT`, or `{0}` of Overland's and OsmAnd's URLs.
  fileprivate var isPlaceholder: Bool {
    withBytes { $0.first == UInt8(ascii: "%") || $0.first == UInt8(ascii: "{") }
  }
}
