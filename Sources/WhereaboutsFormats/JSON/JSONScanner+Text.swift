extension JSONScanner {
  /// Calls with the bytes that a string means: its own where it has no escapes, else a copy without them.
  func withBytes<Result>(of text: Text, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let written = UnsafeRawBufferPointer(rebasing: bytes[text.range])
    guard text.hasEscapes else { return body(written) }
    return JSONScanner.unescaped(written).withUnsafeBytes(body)
  }

  /// Returns the UTF-8 form of escaped text that the scanner has found to be well formed.
  ///
  /// Half of a surrogate pair alone becomes U+FFFD.
  private static func unescaped(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count else {
        result.append(bytes[position])
        position += 1
        continue
      }
      let mark = bytes[position + 1]
      if mark == UInt8(ascii: "u"), let unit = codeUnit(in: bytes, at: position + 2) {
        position += 6
        var units = [unit]
        if UTF16.isLeadSurrogate(unit), position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
          bytes[position + 1] == UInt8(ascii: "u"), let second = codeUnit(in: bytes, at: position + 2),
          UTF16.isTrailSurrogate(second)
        {
          units.append(second)
          position += 6
        }
        result.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
      } else {
        result.append(plainEscape(mark))
        position += 2
      }
    }
    return result
  }

  private static func plainEscape(_ mark: UInt8) -> UInt8 {
    switch mark {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: mark
    }
  }

  /// Returns the number that four hexadecimal digits stand for, or `nil`.
  static func codeUnit(in bytes: UnsafeRawBufferPointer, at start: Int) -> UInt16? {
    guard start + 4 <= bytes.count else { return nil }
    var unit: UInt16 = 0
    for index in start..<start + 4 {
      let byte = bytes[index]
      let letter = (byte | 0x20) &- UInt8(ascii: "a")
      if byte &- 48 < 10 {
        unit = unit << 4 | UInt16(byte &- 48)
      } else if letter < 6 {
        unit = unit << 4 | UInt16(letter + 10)
      } else {
        return nil
      }
    }
    return unit
  }
}

extension UnsafeRawBufferPointer {
  /// Returns whether these bytes are that text.
  // The length is compared where it is called: most names differ in it.
  @inline(__always)
  package func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && hasBytes(of: text)
  }

  /// Returns whether these bytes are those of a text of the same length.
  private func hasBytes(of text: StaticString) -> Bool {
    let expected = UnsafeRawPointer(text.utf8Start)
    var index = 0
    // Four at a time, then the last four again: most names have at least as many.
    while index &+ 4 <= count {
      guard load(index) == expected.loadUnaligned(fromByteOffset: index, as: UInt32.self) else {
        return false
      }
      index &+= 4
    }
    guard index < count else { return true }
    if count >= 4 {
      let last = count &- 4
      return load(last) == expected.loadUnaligned(fromByteOffset: last, as: UInt32.self)
    }
    while index < count, self[index] == text.utf8Start[index] { index &+= 1 }
    return index == count
  }

  @inline(__always)
  private func load(_ offset: Int) -> UInt32 { loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
}
