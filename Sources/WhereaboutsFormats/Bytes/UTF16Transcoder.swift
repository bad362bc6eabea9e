/// A transcoder from UTF-16 to UTF-8; other text passes unchanged.
///
/// UTF-16 is recognised by its byte order mark, or by a zero in one of the first two bytes, as in text that begins
/// with an ASCII character. An unpaired surrogate becomes U+FFFD. Tables exported as "Unicode text" are UTF-16.
struct UTF16Transcoder: Sendable {
  private enum Form { case undecided, other, bigEndian, littleEndian }

  private var form = Form.undecided
  /// Whether only a byte order mark shows UTF-16: the bytes of a receiver may begin with a zero.
  private let needsMark: Bool
  /// Whether further bytes pass unchanged.
  var isIdle: Bool { form == .other }
  /// The first byte of an incomplete pair.
  private var odd: UInt8?
  private var lead: UInt16?
  private var output: [UInt8] = []

  init(needsMark: Bool = false) {
    self.needsMark = needsMark
  }

  /// Passes the text of the next bytes; the buffer is valid only during the call.
  mutating func transcode(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
    guard form != .other else { return body(bytes) }
    output.removeAll(keepingCapacity: true)
    var position = 0
    while position < bytes.count {
      guard let first = odd else {
        odd = bytes[position]
        position += 1
        continue
      }
      if form == .undecided { form = detectedForm(first, bytes[position]) }
      odd = nil
      if form == .other {
        output.append(first)
        output.withUnsafeBytes(body)
        return body(UnsafeRawBufferPointer(rebasing: bytes[position...]))
      }
      let second = bytes[position]
      append(
        form == .bigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first))
      position += 1
    }
    if !output.isEmpty { output.withUnsafeBytes(body) }
  }

  /// Passes an incomplete end.
  mutating func finish(_ body: (UnsafeRawBufferPointer) -> Void) {
    output.removeAll(keepingCapacity: true)
    if form == .undecided, let odd {
      output.append(odd)
    } else if odd != nil || lead != nil {
      output.append(contentsOf: UTF8.encodedReplacementCharacter)
    }
    odd = nil
    lead = nil
    if !output.isEmpty { output.withUnsafeBytes(body) }
  }

  private func detectedForm(_ first: UInt8, _ second: UInt8) -> Form {
    switch (first, second) {
    case (0xFE, 0xFF): .bigEndian
    case (0xFF, 0xFE): .littleEndian
    case _ where needsMark: .other
    case (0, 1...): .bigEndian
    case (1..., 0): .littleEndian
    default: .other
    }
  }

  private mutating func append(_ unit: UInt16) {
    if let lead {
      self.lead = nil
      if UTF16.isTrailSurrogate(unit) {
        let pair = 0x10000 + (UInt32(lead) & 0x3FF) << 10 + UInt32(unit) & 0x3FF
        return append(Unicode.Scalar(pair))
      }
      append(nil)
    }
    if UTF16.isLeadSurrogate(unit) {
      lead = unit
    } else {
      append(Unicode.Scalar(unit))
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar?) {
    let encoded = scalar.flatMap { UTF8.encode($0) } ?? UTF8.encodedReplacementCharacter
    output.append(contentsOf: encoded)
  }
}

extension UnsafeRawBufferPointer {
  /// Calls with these bytes, converted to UTF-8 if they are UTF-16.
  func withTextInUTF8<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var transcoder = UTF16Transcoder()
    var text: [UInt8] = []
    transcoder.transcode(self) { text.append(contentsOf: $0) }
    transcoder.finish { text.append(contentsOf: $0) }
    return text.withUnsafeBytes(body)
  }
}
