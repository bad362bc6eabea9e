/// A framer that finds the sentences in a stream of bytes and skips the bytes between them.
///
/// Between sentences the framer accepts line ends of any kind, blanks and NULs, comment lines that begin with `#`,
/// and tag blocks (`\…\`). Any other run of bytes is reported once as garbage. Between two chunks the framer keeps
/// its state and, if a chunk ended inside an undecided candidate, those bytes.
struct SentenceFramer {
  /// A sentence found, for as long as its buffer lives.
  struct Frame {
    /// The first byte: its `$` or `!`.
    var start: UnsafeRawPointer
    /// One past the last byte of its last field; there is a readable byte here.
    var bodyEnd: UnsafeRawPointer
    /// Whether the sentence had a checksum, which was right.
    var isChecked: Bool
  }

  private enum Gap {
    /// At the beginning of a line, blanks aside.
    case lineStart
    /// After a sentence, on its line.
    case sentenceEnd
    /// In bytes that were reported as garbage.
    case garbage
    /// In the rest of bytes that were reported already, or are ignored.
    case remainder
    /// In a comment, up to the end of its line.
    case comment
    /// In a tag block.
    case tagBlock
  }

  /// The bytes of a candidate that the last chunk did not decide.
  var carry: [UInt8] = []
  /// The number of bytes before the current buffer.
  var consumed = 0
  /// Whether everything so far was read, so that the stream begins with a whole sentence.
  private(set) var isIntact = true
  private var line = 1
  /// The line of the last sentence found, from 1.
  private(set) var sentenceLine = 1
  /// The first byte of the last sentence found, counted from 0.
  private(set) var sentenceOffset = 0
  private var gap = Gap.lineStart
  /// The first byte of the tag block, while the framer is in one.
  private var tagBlockOffset = 0
  private var lastWasCarriageReturn = false

  /// Returns the next sentence that begins before `stop`, and moves `position` past it; `nil` if there is none.
  @inline(__always)
  mutating func next(
    in bytes: UnsafeRawPointer, count: Int, stop: Int, position: inout Int, problems: inout ProblemLog
  ) -> Frame? {
    while position < stop {
      let byte = bytes.load(fromByteOffset: position, as: UInt8.self)
      if byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!"), canBegin {
        if let frame = candidate(in: bytes, count: count, position: &position, problems: &problems) {
          return frame
        }
      } else {
        skipByte(byte, at: position, problems: &problems)
        position &+= 1
      }
    }
    return nil
  }

  private var canBegin: Bool {
    switch gap {
    case .lineStart, .sentenceEnd, .garbage, .remainder: true
    case .comment, .tagBlock: false
    }
  }

  /// Processes the bytes at the mark at `position`, and moves past them or to the end of the buffer.
  @inline(__always)
  private mutating func candidate(
    in bytes: UnsafeRawPointer, count: Int, position: inout Int, problems: inout ProblemLog
  ) -> Frame? {
    let start = position
    let scan = SentenceScan(bytes, from: start, count: count)
    position = scan.end
    lastWasCarriageReturn = false
    if scan.outcome == .checked || scan.outcome == .unchecked {
      let frame = Frame(
        start: bytes + start, bodyEnd: bytes + scan.bodyEnd, isChecked: scan.outcome == .checked)
      sentenceLine = line
      sentenceOffset = consumed &+ start
      // The usual line ends, passed over at once.
      var isCarriageReturn = false
      if position < count {
        isCarriageReturn = bytes.load(fromByteOffset: position, as: UInt8.self) == 0x0D
      }
      let lineFeed = isCarriageReturn ? position &+ 1 : position
      if lineFeed < count, bytes.load(fromByteOffset: lineFeed, as: UInt8.self) == 0x0A {
        position = lineFeed &+ 1
        line &+= 1
        gap = .lineStart
      } else {
        gap = .sentenceEnd
      }
      return frame
    }
    if scan.outcome == .unfinished {
      carry.append(contentsOf: UnsafeRawBufferPointer(start: bytes + start, count: count &- start))
    } else {
      report(scan.outcome, at: start, problems: &problems)
    }
    return nil
  }

  @inline(never)
  private mutating func report(_ outcome: SentenceScan.Outcome, at start: Int, problems: inout ProblemLog) {
    let byteOffset = consumed + start
    isIntact = false
    switch outcome {
    case .checked, .unchecked, .unfinished: break
    case .wrongChecksum:
      gap = .sentenceEnd
      problems.report(
        .wrongChecksum, line: line, byteOffset: byteOffset, "a sentence whose checksum does not match")
    case .badChecksum:
      gap = .remainder
      problems.report(
        .malformed, line: line, byteOffset: byteOffset, "a sentence with no hexadecimal digits after its *")
    case .interrupted:
      gap = .sentenceEnd
      problems.report(
        .truncated, line: line, byteOffset: byteOffset, "a sentence that another one interrupts")
    case .tooLong:
      gap = .remainder
      problems.report(
        .tooLong, line: line, byteOffset: byteOffset,
        "a sentence of more than \(SentenceScan.maxLength) bytes")
    case .noAddress:
      skipByte(UInt8(ascii: "$"), at: start, problems: &problems)
    }
  }

  /// Passes over one byte between sentences.
  @inline(never)
  private mutating func skipByte(_ byte: UInt8, at position: Int, problems: inout ProblemLog) {
    if byte == 0x0A || byte == 0x0D {
      endLine(byte, problems: &problems)
      return
    }
    lastWasCarriageReturn = false
    switch gap {
    case .comment, .remainder, .garbage:
      break
    case .tagBlock:
      if byte == UInt8(ascii: "\\") { gap = .sentenceEnd }
    case .lineStart, .sentenceEnd:
      switch byte {
      case 0, UInt8(ascii: " "), UInt8(ascii: "\t"):
        break
      case 0xEF where consumed + position < 3, 0xBB where consumed + position < 3,
        0xBF where consumed + position < 3:
        break  // a byte order mark
      case UInt8(ascii: "#") where gap == .lineStart:
        gap = .comment
      case UInt8(ascii: "\\"):
        gap = .tagBlock
        tagBlockOffset = consumed + position
      default:
        gap = .garbage
        isIntact = false
        problems.report(
          .garbage, line: line, byteOffset: consumed + position, "bytes that belong to no sentence")
      }
    }
  }

  private mutating func endLine(_ byte: UInt8, problems: inout ProblemLog) {
    if gap == .tagBlock {
      problems.report(.garbage, line: line, byteOffset: tagBlockOffset, "a tag block that does not end")
    }
    // A carriage return ends a line by itself, and a line feed right after it ends no other.
    if byte == 0x0D || !lastWasCarriageReturn { line += 1 }
    lastWasCarriageReturn = byte == 0x0D
    gap = .lineStart
  }

  /// Ends the stream: reports an unfinished part.
  mutating func finish(problems: inout ProblemLog) {
    if gap == .tagBlock {
      problems.report(.garbage, line: line, byteOffset: tagBlockOffset, "a tag block that does not end")
    }
    if !carry.isEmpty {
      problems.report(
        .truncated, line: line, byteOffset: consumed - carry.count, "a sentence cut off by the end")
    }
    carry.removeAll(keepingCapacity: true)
    gap = .lineStart
  }
}
