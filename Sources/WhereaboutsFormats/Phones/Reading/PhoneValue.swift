/// A value of a message: its place in the bytes, and its kind.
///
/// The bytes are valid only while the message is read.
struct PhoneValue {
  enum Kind {
    /// Digits, by JSON's grammar, or one of Python's `NaN` and `Infinity`.
    case number
    /// Text, as written between its quotes or decoded from a query.
    case text(hasEscapes: Bool)
    case flag(Bool)
    case object
    case array
  }

  let kind: Kind
  let bytes: UnsafeRawBufferPointer

  /// Calls with the bytes that the value means.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard case .text(hasEscapes: true) = kind else { return body(bytes) }
    return JSONScanner(bytes).withBytes(of: .init(range: 0..<bytes.count, hasEscapes: true), body)
  }

  /// The number, also of a text that is one; `nil` for anything else.
  var number: Double? {
    switch kind {
    case .number: Decimal.parse(bytes)
    case .text: withBytes { $0.withoutOuterSpace.withDecimalPoint { Decimal.parse($0) } }
    case .flag, .object, .array: nil
    }
  }

  /// The flag, also of a number or a text that is one; `nil` for anything else.
  var flag: Bool? {
    if case .flag(let flag) = kind { return flag }
    return withBytes {
      let text = $0.withoutOuterSpace
      if text.equalsIgnoringCase("true") || text.equals("1") { return true }
      return text.equalsIgnoringCase("false") || text.equals("0") ? false : nil
    }
  }

  /// Returns the text, also of a number; `nil` for an empty one and for anything else.
  ///
  /// Control characters become spaces. The text is cut after `limit` bytes.
  func text(limit: Int = 256) -> String? {
    switch kind {
    case .number, .text: withBytes { $0.plainText(limit: limit) }
    case .flag, .object, .array: nil
    }
  }

  /// Whether the value is a form of "none": empty text, or the word `null`.
  var isEmpty: Bool {
    guard case .text = kind else { return false }
    return withBytes {
      let text = $0.withoutOuterSpace
      return text.isEmpty || text.equalsIgnoringCase("null")
    }
  }
}

extension UnsafeRawBufferPointer {
  /// These bytes without white space around them.
  var withoutOuterSpace: UnsafeRawBufferPointer {
    var start = 0
    var end = count
    while start < end, self[start].isSpace { start += 1 }
    while start < end, self[end - 1].isSpace { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }

  /// Calls with these bytes, and with a point for their only comma if they have no point: in many languages, an app
  /// writes 52.5 as `52,5`.
  func withDecimalPoint<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard count <= 64, let comma = firstIndex(of: UInt8(ascii: ",")),
      lastIndex(of: UInt8(ascii: ",")) == comma, !contains(UInt8(ascii: "."))
    else { return body(self) }
    var text = Array(self)
    text[comma] = UInt8(ascii: ".")
    return text.withUnsafeBytes { body($0) }
  }

  /// Returns whether these bytes are that text, which has small letters only, in any case.
  func equalsIgnoringCase(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index].lowercasedASCII != text.utf8Start[index] { return false }
    return true
  }

  /// Returns the text without control characters, cut between two characters; `nil` if there is none.
  func plainText(limit: Int) -> String? {
    var end = count
    if end > limit {
      end = limit
      while end > 0, self[end] & 0xC0 == 0x80 { end -= 1 }
    }
    let text = UnsafeRawBufferPointer(rebasing: self[..<end]).withoutOuterSpace
    guard !text.isEmpty else { return nil }
    guard text.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      return String(decoding: text, as: UTF8.self)
    }
    return String(decoding: text.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
  }
}

extension UInt8 {
  var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  /// The small letter of a large one of ASCII, else the byte itself.
  var lowercasedASCII: UInt8 { (65...90).contains(self) ? self | 0x20 : self }
}
