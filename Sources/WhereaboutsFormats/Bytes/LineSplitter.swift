/// One line of a text recording, without what ends it.
struct TextLine {
  /// Its bytes; valid only while the call that hands the line over lasts.
  let bytes: UnsafeRawBufferPointer
  /// Which line it is, counted from 1.
  let number: Int
  /// Where it begins in the recording, counted in bytes from 0.
  let offset: Int
  /// Whether it is longer than the limit; its bytes are then not handed over.
  let isTooLong: Bool
}

/// Cuts a stream of bytes into lines, however the bytes are chunked.
///
/// A line ends at a line feed, and a carriage return before that is not part of it; with `endsAtReturns` a line ends at a
/// carriage return alone, too. A line that lies wholly within a
/// chunk is handed over in place; only one that is cut by a chunk's end is copied. No more than `limit` bytes are held.
struct LineSplitter {
  /// The longest line that is handed over, in bytes.
  let limit: Int
  /// Whether a line feed within double quotes belongs to the line, as in CSV. Quotes open at the beginning of a field
  /// only, so that an inch mark does no harm.
  let joinsQuotedLines: Bool
  /// Whether a carriage return without a line feed ends a line, as in the text files of old programs.
  let endsAtReturns: Bool

  private var held: [UInt8] = []
  private var number = 1
  private var offset = 0
  /// Bytes of the line so far, wherever they are.
  private var length = 0
  private var lineFeedsWithin = 0
  private var isInQuotes = false
  private var mayOpenQuotes = true
  private var isTooLong = false
  /// The last line ended at a carriage return: a line feed that follows belongs to the end of that line.
  private var isAfterReturn = false

  init(limit: Int, joinsQuotedLines: Bool = false, endsAtReturns: Bool = false) {
    self.limit = limit
    self.joinsQuotedLines = joinsQuotedLines
    self.endsAtReturns = endsAtReturns
  }

  /// Hands over every line that these bytes complete.
  mutating func split(_ bytes: UnsafeRawBufferPointer, _ body: (TextLine) -> Void) {
    var start = 0
    while start < bytes.count {
      if isAfterReturn {
        isAfterReturn = false
        if bytes[start] == UInt8(ascii: "\n") {
          start += 1
          offset += 1
          continue
        }
      }
      guard let end = endOfLine(in: bytes, from: start) else {
        hold(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        return
      }
      complete(with: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), body)
      isAfterReturn = bytes[end] == UInt8(ascii: "\r")
      start = end + 1
    }
  }

  /// Hands over what was begun and not ended by a line feed.
  mutating func finish(_ body: (TextLine) -> Void) {
    guard length > 0 else { return }
    complete(with: UnsafeRawBufferPointer(start: nil, count: 0), body)
  }

  private mutating func complete(with bytes: UnsafeRawBufferPointer, _ body: (TextLine) -> Void) {
    if isTooLong {
      body(TextLine(bytes: .init(start: nil, count: 0), number: number, offset: offset, isTooLong: true))
    } else if held.isEmpty {
      handOver(bytes, body)
    } else {
      held.append(contentsOf: bytes)
      held.withUnsafeBytes { handOver($0, body) }
    }
    held.removeAll(keepingCapacity: true)
    number += 1 + lineFeedsWithin
    offset += length + 1
    length = 0
    lineFeedsWithin = 0
    isInQuotes = false
    mayOpenQuotes = true
    isTooLong = false
  }

  private func handOver(_ bytes: UnsafeRawBufferPointer, _ body: (TextLine) -> Void) {
    let hasReturn = bytes.last == UInt8(ascii: "\r")
    let line = hasReturn ? UnsafeRawBufferPointer(rebasing: bytes.dropLast()) : bytes
    body(TextLine(bytes: line, number: number, offset: offset, isTooLong: false))
  }

  private mutating func hold(_ bytes: UnsafeRawBufferPointer) {
    if isTooLong {
      held.removeAll(keepingCapacity: true)
    } else {
      held.append(contentsOf: bytes)
    }
  }

  /// Where the line that is open ends in these bytes, or `nil` where it goes on.
  private mutating func endOfLine(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var position = start
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\n") {
        if !isInQuotes { return position }
        lineFeedsWithin += 1
      } else if endsAtReturns, byte == UInt8(ascii: "\r"), !isInQuotes {
        return position
      } else if joinsQuotedLines {
        follow(byte)
      }
      position += 1
      length += 1
      if length > limit, !isTooLong {
        isTooLong = true
        // Quotes that were never closed must not swallow the rest.
        isInQuotes = false
        mayOpenQuotes = false
      }
    }
    return nil
  }

  private mutating func follow(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\"") where isInQuotes:
      isInQuotes = false
      mayOpenQuotes = true  // a doubled quote opens them again
    case UInt8(ascii: "\"") where mayOpenQuotes && !isTooLong:
      isInQuotes = true
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"):
      if !isInQuotes { mayOpenQuotes = true }
    default:
      if !isInQuotes { mayOpenQuotes = false }
    }
  }
}
