/// The parameters of a query and of a form, in this order.
struct PhoneParameters: PhoneFields {
  /// The number of parameters that are read; further ones are ignored.
  static let maxCount = 256

  private let entries: [Entry]
  private let bytes: UnsafeRawBufferPointer

  /// The ranges of a name and a value in the decoded bytes.
  private struct Entry {
    let name: Range<Int>
    let value: Range<Int>
  }

  /// Decodes parameters and calls with them. Names are in small letters.
  static func read<Result>(_ texts: [UnsafeRawBufferPointer], _ body: (PhoneParameters) -> Result) -> Result {
    var decoded: [UInt8] = []
    var entries: [Entry] = []
    for text in texts {
      for pair in text.split(separator: UInt8(ascii: "&")) where entries.count < maxCount {
        let separator = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
        let start = decoded.count
        decoded.appendDecoded(pair[..<separator])
        for index in start..<decoded.count { decoded[index] = decoded[index].lowercasedASCII }
        let end = decoded.count
        decoded.appendDecoded(pair[separator...].dropFirst())
        entries.append(Entry(name: start..<end, value: end..<decoded.count))
      }
    }
    return decoded.withUnsafeBytes { body(PhoneParameters(entries: entries, bytes: $0)) }
  }

  var isEmpty: Bool { entries.isEmpty }

  func value(_ name: StaticString) -> PhoneValue? {
    for entry in entries where UnsafeRawBufferPointer(rebasing: bytes[entry.name]).equals(name) {
      return PhoneValue(
        kind: .text(hasEscapes: false), bytes: UnsafeRawBufferPointer(rebasing: bytes[entry.value]))
    }
    return nil
  }

  /// Returns the parameters as text without the secret ones, for a person.
  ///
  /// Behind ``PhoneRejection/maxBytes``, which are kept, secret parameters may stay.
  static func redacted(_ texts: [UnsafeRawBufferPointer]) -> [UInt8] {
    var result: [UInt8] = []
    for text in texts {
      // Each parameter has a byte at least, so the undivided rest begins behind the kept bytes.
      for pair in text.split(separator: UInt8(ascii: "&"), maxSplits: PhoneRejection.maxBytes) {
        if !result.isEmpty { result.append(UInt8(ascii: "&")) }
        let name = pair.prefix { $0 != UInt8(ascii: "=") }
        var decoded: [UInt8] = []
        decoded.appendDecoded(name)
        guard isSecret(decoded) else {
          result += pair
          continue
        }
        result += name
        result += Array("=…".utf8)
      }
    }
    return result
  }

  private static func isSecret(_ name: [UInt8]) -> Bool {
    let name = String(decoding: name.map(\.lowercasedASCII), as: UTF8.self)
    return name.contains("token") || name.contains("pass") || name.contains("secret") || name.contains("key")
  }
}

extension [UInt8] {
  /// Appends the bytes that a part of a query or form means.
  ///
  /// - Source: the form encoding of the URL standard (https://url.spec.whatwg.org/#urlencoded-parsing): `+` is a
  ///   space, and a percent sign without two hexadecimal digits stands for itself.
  fileprivate mutating func appendDecoded(_ part: Slice<UnsafeRawBufferPointer>) {
    var index = part.startIndex
    while index < part.endIndex {
      let byte = part[index]
      if byte == UInt8(ascii: "%"), index + 2 < part.endIndex, let high = part[index + 1].hexadecimalDigit,
        let low = part[index + 2].hexadecimalDigit
      {
        append(high << 4 | low)
        index += 3
      } else {
        append(byte == UInt8(ascii: "+") ? 0x20 : byte)
        index += 1
      }
    }
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit of ASCII; `nil` for another byte.
  fileprivate var hexadecimalDigit: UInt8? {
    if self &- 48 < 10 { return self &- 48 }
    let letter = (self | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }
}
