extension JSONScanner {
  /// Returns a scanner that accepts the numbers of Python that JSON does not have.
  static func lenient(_ bytes: UnsafeRawBufferPointer) -> JSONScanner {
    var scanner = JSONScanner(bytes)
    scanner.acceptsNaN = true
    return scanner
  }

  /// Calls with the bytes of each element of an array, and whether the element is well formed.
  ///
  /// A malformed element ends at the next comma outside of its brackets and strings. The last one may be cut off.
  ///
  /// - Returns: whether the array ends with its bracket.
  mutating func forEachElement(_ body: (UnsafeRawBufferPointer, _ isWellFormed: Bool) -> Void) -> Bool {
    guard accept("[") else { return false }
    guard !accept("]") else { return true }
    while peek() != nil {
      let start = position
      var isWellFormed = skipValue()
      if isWellFormed {
        let end = position
        isWellFormed = peek() == UInt8(ascii: ",") || byteIsArrayEnd
        if isWellFormed { position = end }
      }
      if !isWellFormed {
        position = start
        skipMalformedValue(until: "]")
      }
      body(UnsafeRawBufferPointer(rebasing: bytes[start..<position]), isWellFormed)
      guard accept(",") else { return accept("]") }
    }
    return false
  }

  private var byteIsArrayEnd: Bool { position < bytes.count && bytes[position] == UInt8(ascii: "]") }

  /// Steps over anything up to the next comma or that mark, outside of brackets and strings.
  mutating func skipMalformedValue(until mark: Unicode.Scalar) {
    var depth = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        skipMalformedString()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ",") where depth == 0, UInt8(ascii: mark) where depth == 0: return
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth = max(0, depth - 1)
      default: break
      }
      position += 1
    }
  }

  private mutating func skipMalformedString() {
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { break }
    }
    position = min(position, bytes.count)
  }
}
