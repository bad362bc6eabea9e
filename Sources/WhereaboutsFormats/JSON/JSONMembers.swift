package import WhereaboutsModel

// Members of JSON objects, in the exact form: each value reads back the same, bit for bit. `nil` appends nothing.

extension [UInt8] {
  /// Appends a member that is an object.
  package mutating func appendJSONMember(_ key: StaticString, _ members: (inout [UInt8]) -> Void) {
    appendJSONKey(key)
    appendJSONObject(members)
  }

  /// Appends a member that is an array.
  package mutating func appendJSONMember<Value>(
    _ key: StaticString, _ elements: some Sequence<Value>, _ element: (inout [UInt8], Value) -> Void
  ) {
    appendJSONKey(key)
    appendJSONArray(elements, element)
  }

  /// Appends a text member.
  package mutating func appendJSONMember(_ key: StaticString, _ text: String?) {
    guard let text else { return }
    appendJSONKey(key)
    appendJSONString(text)
  }

  package mutating func appendJSONMember(_ key: StaticString, text: StaticString) {
    appendJSONKey(key)
    appendJSONString(text)
  }

  package mutating func appendJSONMember(_ key: StaticString, _ flag: Bool) {
    appendJSONKey(key)
    appendJSON(flag)
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
    appendJSONMember(key, values) { $0.append(contentsOf: String($1).utf8) }
  }

  package mutating func appendJSONMember(_ key: StaticString, _ value: Double?) {
    guard let value else { return }
    appendJSONKey(key)
    appendJSON(value, .exact)
  }

  /// Appends a number in the plain form: one that is not finite is left out.
  package mutating func appendJSONMember(_ key: StaticString, ifFinite value: Double?) {
    guard let value, value.isFinite else { return }
    appendJSONKey(key)
    appendShortest(value)
  }

  package mutating func appendJSONMember(_ key: StaticString, _ value: Float?) {
    guard let value else { return }
    appendJSONKey(key)
    appendJSON(value)
  }

  /// Appends a time as RFC 3339 text.
  package mutating func appendJSONMember(_ key: StaticString, _ time: UTCTime?) {
    guard let time else { return }
    appendJSONKey(key)
    appendJSONString(time)
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
    reverse(from: start)
    while last == 48 { removeLast() }
  }

  /// Reverses the bytes from that position on, in place: a slice would copy the array.
  private mutating func reverse(from start: Int) {
    var low = start, high = count - 1
    while low < high {
      swapAt(low, high)
      low += 1
      high -= 1
    }
  }
}
