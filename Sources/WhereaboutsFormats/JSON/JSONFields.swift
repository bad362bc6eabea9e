package import WhereaboutsModel

/// A JSON value in memory, for short lines that need no streaming.
///
/// Numbers keep their digits, because a `Double` can't hold every nanosecond.
package enum ExactJSON {
  case null
  case flag(Bool)
  case number(String)
  case text(String)
  case array([ExactJSON])
  case object(JSONFields)
}

/// The members of a JSON object, read by name and type. Of two with one name the first counts.
package struct JSONFields {
  /// The reason why a line is refused.
  package struct FieldError: Error {
    /// The broken rule, as the end of "could not read …".
    package let rule: String
    package var kind = InputProblem.Kind.malformed
    /// The version of the form, if newer than this program's.
    package var newerVersion: Int?

    package init(rule: String, kind: InputProblem.Kind = .malformed, newerVersion: Int? = nil) {
      self.rule = rule
      self.kind = kind
      self.newerVersion = newerVersion
    }
  }

  package var members: [(name: String, value: ExactJSON)] = []

  package init(members: [(name: String, value: ExactJSON)] = []) { self.members = members }

  package subscript(name: String) -> ExactJSON? {
    for member in members where member.name == name {
      if case .null = member.value { return nil }
      return member.value
    }
    return nil
  }

  package func contains(_ name: String) -> Bool { self[name] != nil }

  package func text(_ name: String) throws(FieldError) -> String? {
    switch self[name] {
    case nil: nil
    case .text(let text)?: text
    case _?: throw FieldError(rule: "\(name) is no text")
    }
  }

  package func flag(_ name: String) throws(FieldError) -> Bool? {
    switch self[name] {
    case nil: nil
    case .flag(let flag)?: flag
    case _?: throw FieldError(rule: "\(name) is neither true nor false")
    }
  }

  package func object(_ name: String) throws(FieldError) -> JSONFields? {
    switch self[name] {
    case nil: nil
    case .object(let fields)?: fields
    case _?: throw FieldError(rule: "\(name) is no object")
    }
  }

  package func array(_ name: String) throws(FieldError) -> [ExactJSON]? {
    switch self[name] {
    case nil: nil
    case .array(let values)?: values
    case _?: throw FieldError(rule: "\(name) is no array")
    }
  }

  package func integer<Value: FixedWidthInteger>(_ name: String) throws(FieldError) -> Value? {
    switch self[name] {
    case nil: return nil
    case .number(let digits)?:
      if let value = Value(digits) { return value }
      fallthrough
    case _?: throw FieldError(rule: "\(name) is no whole number in its range", kind: .badNumber)
    }
  }

  package func double(_ name: String) throws(FieldError) -> Double? {
    switch self[name] {
    case nil: return nil
    case .number(let digits)?:
      var digits = digits
      if let value = digits.withUTF8({ Decimal.parse(UnsafeRawBufferPointer($0)) }) { return value }
    case .text("nan")?: return .nan
    case .text("inf")?: return .infinity
    case .text("-inf")?: return -.infinity
    case _?: break
    }
    throw FieldError(rule: "\(name) is no number", kind: .badNumber)
  }

  package func float(_ name: String) throws(FieldError) -> Float? {
    try double(name).map { Float($0) }
  }

  package func utcTime(_ name: String) throws(FieldError) -> UTCTime? {
    guard let text = try text(name) else { return nil }
    guard let time = UTCTime(iso8601: text) else {
      throw FieldError(rule: "\(name) is no RFC 3339 time", kind: .badTime)
    }
    return time
  }

  /// Returns the case that a text names.
  package func choice<Value: RawRepresentable<String>>(_ name: String) throws(FieldError) -> Value? {
    guard let text = try text(name) else { return nil }
    guard let value = Value(rawValue: text) else { throw FieldError(rule: "\(name) is not a known value") }
    return value
  }

  package func duration(_ name: String) throws(FieldError) -> Duration? {
    guard let (seconds, attoseconds) = try seconds(name) else { return nil }
    return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }

  /// Returns an instant from seconds since the run began; digits beyond the nanosecond are refused.
  package func instant(_ name: String) throws(FieldError) -> Instant? {
    guard let (seconds, attoseconds) = try seconds(name) else { return nil }
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carried) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard !overflow, !carried, attoseconds % 1_000_000_000 == 0 else {
      throw FieldError(rule: "\(name) is no instant", kind: .badTime)
    }
    return Instant(nanoseconds: sum)
  }

  /// Returns a decimal of seconds without an exponent, exactly.
  private func seconds(_ name: String) throws(FieldError) -> (seconds: Int64, attoseconds: Int64)? {
    let mistake = FieldError(rule: "\(name) is no number of seconds", kind: .badTime)
    guard let value = self[name] else { return nil }
    guard case .number(let digits) = value else { throw mistake }
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let seconds = Int64(parts[0]) else { throw mistake }
    guard parts.count == 2 else { return (seconds, 0) }
    let padding = String(repeating: "0", count: Swift.max(0, 18 - parts[1].utf8.count))
    guard parts[1].utf8.count <= 18, let fraction = Int64(parts[1] + padding), fraction >= 0 else {
      throw mistake
    }
    return (seconds, digits.hasPrefix("-") ? -fraction : fraction)
  }
}

extension Optional {
  /// Returns the value, or throws if absent.
  package func required(_ name: String) throws(JSONFields.FieldError) -> Wrapped {
    guard let self else { throw JSONFields.FieldError(rule: "no \(name)", kind: .missing) }
    return self
  }
}

extension JSONScanner {
  /// Returns the object of the bytes, with only white space around it; `nil` if there is none.
  package mutating func wholeObject() -> JSONFields? {
    guard peek() == UInt8(ascii: "{"), case .object(let fields)? = value(depth: 0), peek() == nil else {
      return nil
    }
    return fields
  }

  /// Returns the next value with its content. Nesting counts from the given depth.
  package mutating func value(depth: Int) -> ExactJSON? {
    switch peek() {
    case UInt8(ascii: "{"): return depth < Self.maxDepth ? object(depth: depth).map { .object($0) } : nil
    case UInt8(ascii: "["): return depth < Self.maxDepth ? array(depth: depth).map { .array($0) } : nil
    default: return value().flatMap(exactJSON)
    }
  }

  private func exactJSON(_ value: Value) -> ExactJSON? {
    switch value {
    case .string(let text): .text(decoded(text))
    case .number(let range):
      .number(String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self))
    case .flag(let flag): .flag(flag)
    case .null: .null
    case .nested: nil
    }
  }

  private mutating func object(depth: Int) -> JSONFields? {
    var fields = JSONFields()
    guard accept("{") else { return nil }
    guard !accept("}") else { return fields }
    repeat {
      guard let key = key(), let value = value(depth: depth + 1) else { return nil }
      fields.members.append((decoded(key), value))
    } while accept(",")
    return accept("}") ? fields : nil
  }

  private mutating func array(depth: Int) -> [ExactJSON]? {
    var values: [ExactJSON] = []
    guard accept("[") else { return nil }
    guard !accept("]") else { return values }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
    } while accept(",")
    return accept("]") ? values : nil
  }

  /// Returns the text of a string; bytes that are no UTF-8 become U+FFFD.
  package func decoded(_ text: Text) -> String {
    withBytes(of: text) { String(decoding: $0, as: UTF8.self) }
  }
}
