package import WhereaboutsModel

// Members of JSON objects, exact: each value reads back the same, bit for bit. A number that is not finite is the
// text "nan", "inf" or "-inf", since JSON has no such numbers.

extension [UInt8] {
  /// Begins a member: its name, after a comma if needed.
  package mutating func appendJSONKey(_ key: StaticString) {
    if let last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { append(UInt8(ascii: ",")) }
    append(UInt8(ascii: "\""))
    append(key)
    append("\":")
  }

  /// Appends an object with the members that the closure appends.
  package mutating func appendJSONObject(_ members: (inout [UInt8]) -> Void) {
    append(UInt8(ascii: "{"))
    members(&self)
    append(UInt8(ascii: "}"))
  }

  /// Appends a member that is an object.
  package mutating func appendJSONMember(_ key: StaticString, _ members: (inout [UInt8]) -> Void) {
    appendJSONKey(key)
    appendJSONObject(members)
  }

  /// Appends a text member; nothing for `nil`, as in all these functions.
  package mutating func appendJSONMember(_ key: StaticString, _ text: String?) {
    guard let text else { return }
    appendJSONKey(key)
    appendJSONString(text)
  }

  package mutating func appendJSONMember(_ key: StaticString, text: StaticString) {
    appendJSONKey(key)
    append(UInt8(ascii: "\""))
    append(text)
    append(UInt8(ascii: "\""))
  }

  package mutating func appendJSONMember(_ key: StaticString, _ flag: Bool) {
    appendJSONKey(key)
    append(flag ? "true" : "false")
  }

  package mutating func appendJSONMember(_ key: StaticString, _ value: Int?) {
    guard let value else { return }
    appendJSONKey(key)
    appendDecimal(value)
  }

  package mutating func appendJSONMember(_ key: StaticString, _ value: UInt64) {
    appendJSONKey(key)
    append(contentsOf: String(value).utf8)
  }

  package mutating func appendJSONMember(_ key: StaticString, _ values: [UInt64]) {
    appendJSONKey(key)
    append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      append(contentsOf: String(value).utf8)
    }
    append(UInt8(ascii: "]"))
  }

  package mutating func appendJSONMember(_ key: StaticString, _ value: Double?) {
    guard let value else { return }
    appendJSONKey(key)
    if !value.isFinite {
      append(value.isNaN ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"")
    } else if value == 0, value.sign == .minus {
      append("-0")
    } else {
      appendShortest(value)
    }
  }

  package mutating func appendJSONMember(_ key: StaticString, _ value: Float?) {
    guard let value else { return }
    guard value.isFinite, value != 0 else { return appendJSONMember(key, Double(value)) }
    appendJSONKey(key)
    let start = count
    appendShortest(value)
    // The shortest decimal of a `Float`, read as a `Double` and rounded again, may in theory be its neighbour.
    let isExact = self[start...].withUnsafeBytes { Decimal.parse($0).map { Float($0) == value } ?? false }
    guard !isExact else { return }
    removeSubrange(start...)
    appendShortest(Double(value))
  }

  /// Appends a time as RFC 3339 text.
  package mutating func appendJSONMember(_ key: StaticString, _ time: UTCTime?) {
    guard let time else { return }
    appendJSONKey(key)
    append(UInt8(ascii: "\""))
    time.appendISO8601(to: &self)
    append(UInt8(ascii: "\""))
  }

  /// Appends seconds as a decimal with as many places as needed, at most 18.
  package mutating func appendJSONMember(_ key: StaticString, _ duration: Duration?) {
    guard let duration else { return }
    appendJSONKey(key)
    let (seconds, attoseconds) = duration.components
    appendJSONSeconds(
      seconds.magnitude, fraction: attoseconds.magnitude, places: 18,
      isNegative: seconds < 0 || attoseconds < 0)
  }

  /// Appends the seconds since the run began, exact to the nanosecond.
  package mutating func appendJSONMember(_ key: StaticString, _ instant: Instant) {
    appendJSONKey(key)
    let (seconds, nanoseconds) = instant.nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    appendJSONSeconds(seconds, fraction: nanoseconds, places: 9, isNegative: instant.nanoseconds < 0)
  }

  private mutating func appendJSONSeconds(_ whole: UInt64, fraction: UInt64, places: Int, isNegative: Bool) {
    if isNegative { append(UInt8(ascii: "-")) }
    append(contentsOf: String(whole).utf8)
    guard fraction > 0 else { return }
    append(UInt8(ascii: "."))
    let start = count
    var rest = fraction
    for _ in 0..<places {
      append(48 + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    self[start...].reverse()
    while last == 48 { removeLast() }
  }
}
