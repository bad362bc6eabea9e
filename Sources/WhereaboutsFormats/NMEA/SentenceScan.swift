/// A scan of the bytes at a `$` or `!`, whose outcome depends on the bytes alone, not on the chunks.
struct SentenceScan {
  enum Outcome: Equatable {
    /// A sentence with a checksum that matches.
    case checked
    /// A sentence that ended with its line, without a checksum.
    case unchecked
    /// A sentence with a checksum that does not match.
    case wrongChecksum
    /// A `*` without two hexadecimal digits after it.
    case badChecksum
    /// Another sentence begins before this one ended.
    case interrupted
    /// Longer than any sentence can be.
    case tooLong
    /// The bytes after the mark are no sentence at all.
    case noAddress
    /// More bytes are needed to decide.
    case unfinished
  }

  /// The outcome of the scan.
  var outcome: Outcome
  /// The index of the byte after the last data field: of the `*` or of the line's end.
  var bodyEnd: Int
  /// The index of the first byte that does not belong to it.
  var end: Int

  /// The longest accepted sentence, from its mark to its checksum, in bytes.
  ///
  /// NMEA 0183 allows 82, but lists of 24 satellites, proprietary sentences and text are longer; the longest that
  /// receivers are known to send are under 400.
  static let maxLength = 512
  /// The number of bytes that decides every scan.
  static let lookahead = maxLength + 3

  private init(_ outcome: Outcome, bodyEnd: Int = 0, end: Int) {
    self.outcome = outcome
    self.bodyEnd = bodyEnd
    self.end = end
  }

  /// Scans from the mark at `start` in a buffer of `count` bytes.
  @inline(__always)
  init(_ bytes: UnsafeRawPointer, from start: Int, count: Int) {
    let limit = min(count, start &+ Self.maxLength)
    var index = start &+ 1
    var sum: UInt64 = 0
    while true {
      // Everything that can end a sentence sorts before the comma, and little else in one does.
      index = WordScan.firstByte(
        below: UInt8(ascii: ","), in: bytes, from: index, to: limit, summingInto: &sum)
      guard index < limit else {
        self.init(limit < start &+ Self.maxLength ? .unfinished : .tooLong, end: limit)
        break
      }
      let byte = bytes.load(fromByteOffset: index, as: UInt8.self)
      if byte == UInt8(ascii: "*") {
        self.init(bytes, star: index, sum: WordScan.folded(sum), count: count)
        if outcome == .checked { return }
        break
      } else if let outcome = Self.outcome(at: byte) {
        self.init(outcome, bodyEnd: index, end: index)
        break
      }
      sum ^= UInt64(byte)
      index &+= 1
    }
    // Not before the decision: more bytes may bring a right checksum for any address.
    if outcome != .unfinished { checkAddress(bytes, from: start, count: count) }
  }

  /// Returns how a sentence ends before a byte below the comma; `nil` if it does not end there.
  @inline(never)
  private static func outcome(at byte: UInt8) -> Outcome? {
    switch byte {
    case 0x0A, 0x0D: .unchecked
    case UInt8(ascii: "$"): .interrupted
    default: nil
    }
  }

  /// Decides about the checksum after a `*`.
  @inline(__always)
  private init(_ bytes: UnsafeRawPointer, star: Int, sum: UInt8, count: Int) {
    guard star &+ 2 < count else {
      // One byte after the star may already show that no checksum follows.
      let isHopeless =
        star &+ 1 < count && bytes.load(fromByteOffset: star &+ 1, as: UInt8.self).hexadecimalValue > 15
      self.init(isHopeless ? .badChecksum : .unfinished, bodyEnd: star, end: isHopeless ? star &+ 1 : count)
      return
    }
    let digits = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: star &+ 1, as: UInt16.self))
    if digits == sum.hexadecimalDigits {
      self.init(.checked, bodyEnd: star, end: star &+ 3)
      return
    }
    let high = bytes.load(fromByteOffset: star &+ 1, as: UInt8.self).hexadecimalValue
    let low = bytes.load(fromByteOffset: star &+ 2, as: UInt8.self).hexadecimalValue
    guard high | low < 16 else {
      self.init(.badChecksum, bodyEnd: star, end: star &+ 1)
      return
    }
    self.init(high &<< 4 | low == sum ? .checked : .wrongChecksum, bodyEnd: star, end: star &+ 3)
  }

  /// Checks the address. Without a right checksum, a sentence must begin with three letters or digits: the least that
  /// talker and type, or `P` and a maker, have.
  @inline(never)
  private mutating func checkAddress(_ bytes: UnsafeRawPointer, from start: Int, count: Int) {
    for index in (start + 1)..<min(start + 4, count)
    where !bytes.load(fromByteOffset: index, as: UInt8.self).isASCIILetterOrDigit {
      self = SentenceScan(.noAddress, end: start + 1)
      return
    }
  }
}

extension UInt8 {
  /// Whether this is an ASCII letter or digit.
  @inline(__always)
  var isASCIILetterOrDigit: Bool { self &- 48 < 10 || (self | 0x20) &- 97 < 26 }

  /// Its two hexadecimal digits with capital letters, the first one in the lower byte.
  @inline(__always)
  fileprivate var hexadecimalDigits: UInt16 {
    let values = UInt16(self &>> 4) | UInt16(self & 15) &<< 8
    // Six more carries a value above nine into the next half of its byte. Letters begin seven after the colon's place.
    let letters = (values &+ 0x0606) &>> 4 & 0x0101
    return values &+ 0x3030 &+ letters &* 7
  }

  /// The value of a hexadecimal digit, or 255.
  @inline(__always)
  var hexadecimalValue: UInt8 {
    let digit = self &- 48
    if digit < 10 { return digit }
    let letter = (self | 0x20) &- 97
    return letter < 6 ? letter &+ 10 : 255
  }
}
