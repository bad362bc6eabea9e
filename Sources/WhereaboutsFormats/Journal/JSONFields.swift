import WhereaboutsCore

/// A JSON value in memory: for lines that are short, and not worth reading member by member as they come.
///
/// Numbers keep their digits, because a `Double` can't hold every nanosecond.
enum ExactJSON {
  case null
  case flag(Bool)
  case number(String)
  case text(String)
  case array([ExactJSON])
  case object(JSONFields)
}

/// The members of a JSON object, to be asked for by name and type. Of two with one name the first counts.
struct JSONFields {
  /// Why a line can't be taken.
  struct Mistake: Error {
    /// Which rule was broken, as the end of "could not read …".
    let rule: String
    var kind = InputProblem.Kind.malformed
    /// The version of the form that is written there, where it is one of the future.
    var newerVersion: Int?
  }

  var members: [(name: String, value: ExactJSON)] = []

  subscript(name: String) -> ExactJSON? {
    for member in members where member.name == name {
      if case .null = member.value { return nil }
      return member.value
    }
    return nil
  }

  func contains(_ name: String) -> Bool { self[name] != nil }

  func text(_ name: String) throws(Mistake) -> String? {
    switch self[name] {
    case nil: nil
    case .text(let text)?: text
    case _?: throw Mistake(rule: "\(name) is no text")
    }
  }

  func flag(_ name: String) throws(Mistake) -> Bool? {
    switch self[name] {
    case nil: nil
    case .flag(let flag)?: flag
    case _?: throw Mistake(rule: "\(name) is neither true nor false")
    }
  }

  func object(_ name: String) throws(Mistake) -> JSONFields? {
    switch self[name] {
    case nil: nil
    case .object(let fields)?: fields
    case _?: throw Mistake(rule: "\(name) is no object")
    }
  }

  func array(_ name: String) throws(Mistake) -> [ExactJSON]? {
    switch self[name] {
    case nil: nil
    case .array(let values)?: values
    case _?: throw Mistake(rule: "\(name) is no array")
    }
  }

  func integer<Value: FixedWidthInteger>(_ name: String) throws(Mistake) -> Value? {
    switch self[name] {
    case nil: return nil
    case .number(let digits)?:
      if let value = Value(digits) { return value }
      fallthrough
    case _?: throw Mistake(rule: "\(name) is no whole number in its range", kind: .badNumber)
    }
  }

  func double(_ name: String) throws(Mistake) -> Double? {
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
    throw Mistake(rule: "\(name) is no number", kind: .badNumber)
  }

  func float(_ name: String) throws(Mistake) -> Float? {
    try double(name).map { Float($0) }
  }

  func utcTime(_ name: String) throws(Mistake) -> UTCTime? {
    guard let text = try text(name) else { return nil }
    guard let time = UTCTime(iso8601: text) else {
      throw Mistake(rule: "\(name) is no RFC 3339 time", kind: .badTime)
    }
    return time
  }

  /// Text that stands for one of several things.
  func choice<Value: RawRepresentable<String>>(_ name: String) throws(Mistake) -> Value? {
    guard let text = try text(name) else { return nil }
    guard let value = Value(rawValue: text) else { throw Mistake(rule: "\(name) is nothing known") }
    return value
  }

  func duration(_ name: String) throws(Mistake) -> Duration? {
    guard let (seconds, attoseconds) = try seconds(name) else { return nil }
    return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }

  /// Seconds since the run began; digits beyond the nanosecond are no instant.
  func instant(_ name: String) throws(Mistake) -> Instant? {
    guard let (seconds, attoseconds) = try seconds(name) else { return nil }
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carried) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard !overflow, !carried, attoseconds % 1_000_000_000 == 0 else {
      throw Mistake(rule: "\(name) is no instant", kind: .badTime)
    }
    return Instant(nanoseconds: sum)
  }

  /// A decimal of seconds without an exponent, exactly.
  private func seconds(_ name: String) throws(Mistake) -> (seconds: Int64, attoseconds: Int64)? {
    let mistake = Mistake(rule: "\(name) is no number of seconds", kind: .badTime)
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
  /// The value, which must be there.
  func needed(_ name: String) throws(JSONFields.Mistake) -> Wrapped {
    guard let self else { throw JSONFields.Mistake(rule: "no \(name)", kind: .missing) }
    return self
  }
}

extension JSONScanner {
  /// The object that the bytes are, with nothing but white space around it; `nil` where they aren't one.
  mutating func wholeObject() -> JSONFields? {
    guard peek() == UInt8(ascii: "{"), case .object(let fields)? = value(depth: 0), peek() == nil else {
      return nil
    }
    return fields
  }

  /// The next value with all it holds, which may be nested so deep as if it were itself at that depth.
  mutating func value(depth: Int) -> ExactJSON? {
    switch peek() {
    case UInt8(ascii: "\""): return string().map { .text(decoded($0)) }
    case UInt8(ascii: "t"): return literal("true") ? .flag(true) : nil
    case UInt8(ascii: "f"): return literal("false") ? .flag(false) : nil
    case UInt8(ascii: "n"): return literal("null") ? .null : nil
    case UInt8(ascii: "{"): return depth < Self.deepest ? object(depth: depth).map { .object($0) } : nil
    case UInt8(ascii: "["): return depth < Self.deepest ? array(depth: depth).map { .array($0) } : nil
    default:
      return number().map {
        .number(String(decoding: UnsafeRawBufferPointer(rebasing: bytes[$0]), as: UTF8.self))
      }
    }
  }

  private mutating func object(depth: Int) -> JSONFields? {
    var fields = JSONFields()
    guard take("{") else { return nil }
    guard !take("}") else { return fields }
    repeat {
      guard let key = key(), let value = value(depth: depth + 1) else { return nil }
      fields.members.append((decoded(key), value))
    } while take(",")
    return take("}") ? fields : nil
  }

  private mutating func array(depth: Int) -> [ExactJSON]? {
    var values: [ExactJSON] = []
    guard take("[") else { return nil }
    guard !take("]") else { return values }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
    } while take(",")
    return take("]") ? values : nil
  }

  /// What a string means; bytes that are no UTF-8 are U+FFFD.
  func decoded(_ text: Text) -> String {
    withBytes(of: text) { String(decoding: $0, as: UTF8.self) }
  }
}
