/// Base64 of RFC 4648, decoded from bytes.
enum Base64 {
  /// Returns the decoded bytes; `nil` for anything else. The URL-safe alphabet, missing padding and line ends are
  /// accepted.
  static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    var isPadded = false
    for byte in text {
      if byte == UInt8(ascii: "=") {
        isPadded = true
        continue
      }
      if byte == 0x0A || byte == 0x0D { continue }
      guard !isPadded, let digit = digit(byte) else { return nil }
      bits = bits << 6 | UInt32(digit)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    // A digit alone is less than a byte.
    return count == 6 ? nil : result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte + 4
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
