/// A scanner that steps over JSON text, byte by byte, without building values.
///
/// The scanner accepts RFC 8259, but does not check whether text is valid UTF-8. A method that returns `false` or
/// `nil` leaves ``position`` at the refused byte.
package struct JSONScanner {
  /// Text of a string between its quotes.
  package struct Text {
    /// The range of the text's bytes.
    package let range: Range<Int>
    /// Whether the text contains escapes and must be unescaped.
    package let hasEscapes: Bool
  }

  /// A value that the scanner has stepped over.
  enum Value {
    case string(Text)
    /// The range of a number's bytes.
    case number(Range<Int>)
    case flag(Bool)
    case null
    /// An array or an object, which begins there.
    case nested(at: Int)
  }

  /// The limit of nested arrays and objects; RFC 8259 permits a limit.
  package static let maxDepth = 64

  package let bytes: UnsafeRawBufferPointer
  package var position = 0
  /// Whether `NaN`, `Infinity` and `-Infinity` count as numbers, which JSON does not have and Python writes.
  package var acceptsNaN = false

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Returns the next byte that is not white space, or `nil` at the end.
  package mutating func peek() -> UInt8? {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A else { return byte }
      position += 1
    }
    return nil
  }

  /// Steps over a mark that may stand after white space.
  package mutating func accept(_ mark: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: mark) else { return false }
    position += 1
    return true
  }

  /// Reads a member's name and the colon after it.
  package mutating func key() -> Text? {
    guard peek() == UInt8(ascii: "\""), let text = string(), accept(":") else { return nil }
    return text
  }

  /// Reads a string; the position must be at its opening quote.
  package mutating func string() -> Text? {
    position += 1
    let start = position
    var hasEscapes = false
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return Text(range: start..<position - 1, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        guard skipEscape() else { return nil }
      case 0..<0x20:
        return nil
      default:
        position += 1
      }
    }
    return nil
  }

  private mutating func skipEscape() -> Bool {
    guard position + 1 < bytes.count else { return false }
    switch bytes[position + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 2
      return true
    case UInt8(ascii: "u"):
      guard JSONScanner.codeUnit(in: bytes, at: position + 2) != nil else { return false }
      position += 6
      return true
    default:
      return false
    }
  }

  /// Reads a number's bytes, by the grammar of JSON: no plus sign, no leading zero, no bare point.
  package mutating func number() -> Range<Int>? {
    let start = position
    if acceptsNaN, literal("NaN") || literal("Infinity") || literal("-Infinity") { return start..<position }
    if byte == UInt8(ascii: "-") { position += 1 }
    if byte == UInt8(ascii: "0") {
      position += 1
    } else {
      guard skipDigits() else { return nil }
    }
    if byte == UInt8(ascii: ".") {
      position += 1
      guard skipDigits() else { return nil }
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      position += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
      guard skipDigits() else { return nil }
    }
    return start..<position
  }

  /// Steps over `true`, `false` or `null`.
  package mutating func literal(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    for index in 0..<count where bytes[position + index] != text.utf8Start[index] { return false }
    position += count
    return true
  }

  /// Steps over any value; `nil` where there is none.
  @inline(__always)
  mutating func value() -> Value? {
    switch peek() {
    case UInt8(ascii: "\""): string().map { .string($0) }
    case UInt8(ascii: "t"): literal("true") ? .flag(true) : nil
    case UInt8(ascii: "f"): literal("false") ? .flag(false) : nil
    case UInt8(ascii: "n"): literal("null") ? .null : nil
    case UInt8(ascii: "{"), UInt8(ascii: "["): nestedValue()
    default: number().map { .number($0) }
    }
  }

  private mutating func nestedValue() -> Value? {
    let start = position
    return skipValue() ? .nested(at: start) : nil
  }

  /// Returns the `Double` of a number's bytes; `nil` for a number that no `Double` holds.
  package func double(_ number: Range<Int>) -> Double? {
    Decimal.parse(UnsafeRawBufferPointer(rebasing: bytes[number]))
  }

  /// Steps over any value, however deep, without recursion.
  package mutating func skipValue() -> Bool {
    var depth = 0
    // One bit for each open bracket, the innermost lowest: 1 is an object.
    var objects: UInt64 = 0
    while true {
      let opened = peek()
      if opened == UInt8(ascii: "{") || opened == UInt8(ascii: "[") {
        let isObject = opened == UInt8(ascii: "{")
        position += 1
        if !accept(isObject ? "}" : "]") {
          guard depth < JSONScanner.maxDepth else { return false }
          depth += 1
          objects = objects << 1 | (isObject ? 1 : 0)
          if isObject, key() == nil { return false }
          continue
        }
      } else {
        guard skipScalar() else { return false }
      }
      while depth > 0, !accept(",") {
        guard accept(objects & 1 == 1 ? "}" : "]") else { return false }
        depth -= 1
        objects >>= 1
      }
      if depth == 0 { return true }
      if objects & 1 == 1, key() == nil { return false }
    }
  }

  private mutating func skipScalar() -> Bool {
    switch peek() {
    case UInt8(ascii: "\""): string() != nil
    case UInt8(ascii: "t"): literal("true")
    case UInt8(ascii: "f"): literal("false")
    case UInt8(ascii: "n"): literal("null")
    default: number() != nil
    }
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipDigits() -> Bool {
    let start = position
    while position < bytes.count, bytes[position] &- 48 < 10 { position += 1 }
    return position > start
  }
}
