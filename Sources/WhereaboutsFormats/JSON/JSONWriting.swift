package import WhereaboutsModel

// The writer of JSON: these functions and the members in JSONMembers.swift write the values of the model, of reports and
// of replies. The formats also write fixed pieces, such as the beginning of a line, as literals. Codable values that only
// this package reads back go through Foundation's `JSONEncoder`: snapshots of the store, and records of alerts and
// tokens of the server. Text has no spaces. Numbers are the shortest decimals that read back as the same value.
// JSON has neither NaN nor infinities; ``JSONNumberForm`` defines what is written instead.

/// The form of numbers that JSON doesn't have: NaN, infinities, and the sign of a negative zero.
package enum JSONNumberForm: Sendable {
  /// For other programs: `null` where a value must stand; a member is left out.
  case plain
  /// For this package, bit for bit: the text "nan", "inf" or "-inf".
  case exact
}

extension [UInt8] {
  // MARK: Values

  /// Appends text as a JSON string: quotes, backslashes and control characters are escaped.
  package mutating func appendJSONString(_ text: String) {
    append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case 0x0A: append("\\n")
      case 0x0D: append("\\r")
      case 0x09: append("\\t")
      case 0..<0x20:
        append("\\u00")
        append(byte < 0x10 ? 48 : 49)
        let digit = byte & 15
        append(digit < 10 ? 48 + digit : UInt8(ascii: "a") + digit - 10)
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends a constant text that needs no escapes, as a JSON string.
  package mutating func appendJSONString(_ text: StaticString) {
    append(UInt8(ascii: "\""))
    append(text)
    append(UInt8(ascii: "\""))
  }

  /// Appends a time as a string in RFC 3339.
  package mutating func appendJSONString(_ time: UTCTime) {
    append(UInt8(ascii: "\""))
    time.appendISO8601(to: &self)
    append(UInt8(ascii: "\""))
  }

  /// Appends `true` or `false`.
  package mutating func appendJSON(_ flag: Bool) { append(flag ? "true" : "false") }

  /// Appends a number; the sign of a zero is kept.
  package mutating func appendJSON(_ value: Double, _ form: JSONNumberForm) {
    if value == 0, value.sign == .minus {
      append("-0")
    } else if value.isFinite {
      appendShortest(value)
    } else if form == .plain {
      append("null")
    } else {
      append(value.isNaN ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"")
    }
  }

  /// Appends a number in the exact form.
  package mutating func appendJSON(_ value: Float) {
    guard value.isFinite, value != 0 else { return appendJSON(Double(value), .exact) }
    let start = count
    appendShortest(value)
    // The shortest decimal of a `Float`, read as a `Double` and rounded again, may in theory be its neighbour.
    let isExact = self[start...].withUnsafeBytes { Decimal.parse($0).map { Float($0) == value } ?? false }
    guard !isExact else { return }
    removeSubrange(start...)
    appendShortest(Double(value))
  }

  /// Appends any value. Members stand in the order of their names, so that equal values have equal text.
  package mutating func appendJSON(_ value: WhereaboutsModel.JSONValue, _ form: JSONNumberForm) {
    switch value {
    case .null: append("null")
    case .bool(let flag): appendJSON(flag)
    case .number(let number): appendJSON(number, form)
    case .string(let text): appendJSONString(text)
    case .array(let values): appendJSONArray(values) { $0.appendJSON($1, form) }
    case .object(let members):
      appendJSONObject {
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
          $0.appendJSONKey(named: name)
          $0.appendJSON(value, form)
        }
      }
    }
  }

  // MARK: Objects and arrays

  /// Appends an object with the members that the closure appends.
  package mutating func appendJSONObject(_ members: (inout [UInt8]) -> Void) {
    append(UInt8(ascii: "{"))
    members(&self)
    append(UInt8(ascii: "}"))
  }

  /// Appends an array; the closure appends each element.
  package mutating func appendJSONArray<Value>(
    _ elements: some Sequence<Value>, _ element: (inout [UInt8], Value) -> Void
  ) {
    append(UInt8(ascii: "["))
    var isFirst = true
    for value in elements {
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      element(&self, value)
    }
    append(UInt8(ascii: "]"))
  }

  /// Begins a member: its name, after a comma if needed.
  package mutating func appendJSONKey(_ key: StaticString) {
    beginJSONMember()
    append(UInt8(ascii: "\""))
    append(key)
    append("\":")
  }

  /// Begins a member whose name is any text.
  package mutating func appendJSONKey(named key: String) {
    beginJSONMember()
    appendJSONString(key)
    append(UInt8(ascii: ":"))
  }

  /// Appends the comma before a member, unless it is the first.
  package mutating func beginJSONMember() {
    if let last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { append(UInt8(ascii: ",")) }
  }
}
