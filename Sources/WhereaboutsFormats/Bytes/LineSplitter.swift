/// One line of a text recording, without its line end.
package struct TextLine {
  /// The line's bytes; valid only during the call that passes the line.
  package let bytes: UnsafeRawBufferPointer
  /// The line number, counted from 1.
  package let number: Int
  /// The line's first byte in the recording, counted from 0.
  package let offset: Int
  /// Whether the line is longer than the limit; its bytes are then omitted.
  package let isTooLong: Bool
}

/// A splitter of a byte stream into lines, for chunks of any size.
///
/// A line ends at a line feed; a carriage return before it is not part of the line. With `endsAtReturns` a carriage
/// return alone ends a line too. A line wholly within a chunk is passed in place; only a line that crosses chunks is
/// copied. No more than `limit` bytes are held.
package struct LineSplitter {
  /// The longest line that is handed over, in bytes.
  package let limit: Int
  /// Whether a line feed within double quotes belongs to the line, as in CSV. Quotes open at the beginning of a field
  /// only, so that an inch mark does no harm.
  package let joinsQuotedLines: Bool
  /// Whether a carriage return without a line feed ends a line, as in the text files of old programs.
  package let endsAtReturns: Bool

  private var partialLine: [UInt8] = []
  private var number = 1
  private var offset = 0
  /// The number of bytes of the line so far.
  private var length = 0
  private var lineFeedsWithin = 0
  private var isInQuotes = false
  private var mayOpenQuotes = true
  private var isTooLong = false
  /// Whether the last line ended at a carriage return: a following line feed belongs to that line end.
  private var isAfterReturn = false

  package init(limit: Int, joinsQuotedLines: Bool = false, endsAtReturns: Bool = false) {
    self.limit = limit
    self.joinsQuotedLines = joinsQuotedLines
    self.endsAtReturns = endsAtReturns
  }

  /// Passes every line that these bytes complete.
  package mutating func split(_ bytes: UnsafeRawBufferPointer, _ body: (TextLine) -> Void) {
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
        bufferPartialLine(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        return
      }
      complete(with: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), body)
      isAfterReturn = bytes[end] == UInt8(ascii: "\r")
      start = end + 1
    }
  }

  /// Passes a last line without a line feed.
  package mutating func finish(_ body: (TextLine) -> Void) {
    guard length > 0 else { return }
    complete(with: UnsafeRawBufferPointer(start: nil, count: 0), body)
  }

  private mutating func complete(with bytes: UnsafeRawBufferPointer, _ body: (TextLine) -> Void) {
    if isTooLong {
      body(TextLine(bytes: .init(start: nil, count: 0), number: number, offset: offset, isTooLong: true))
    } else if partialLine.isEmpty {
      emit(bytes, body)
    } else {
      partialLine.append(contentsOf: bytes)
      partialLine.withUnsafeBytes { emit($0, body) }
    }
    partialLine.removeAll(keepingCapacity: true)
    number += 1 + lineFeedsWithin
    offset += length + 1
    length = 0
    lineFeedsWithin = 0
    isInQuotes = false
    mayOpenQuotes = true
    isTooLong = false
  }

  private func emit(_ bytes: UnsafeRawBufferPointer, _ body: (TextLine) -> Void) {
    let hasReturn = bytes.last == UInt8(ascii: "\r")
    let line = hasReturn ? UnsafeRawBufferPointer(rebasing: bytes.dropLast()) : bytes
    body(TextLine(bytes: line, number: number, offset: offset, isTooLong: false))
  }

  private mutating func bufferPartialLine(_ bytes: UnsafeRawBufferPointer) {
    if isTooLong {
      partialLine.removeAll(keepingCapacity: true)
    } else {
      partialLine.append(contentsOf: bytes)
    }
  }

  /// Returns the end of the open line in these bytes, or `nil` if the line continues.
  private mutating func endOfLine(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var position = start
    // Eight bytes at a time where quotes don't count, as far as the limit.
    if !joinsQuotedLines, length < limit, let base = bytes.baseAddress {
      var sum: UInt64 = 0
      let end = min(bytes.count, start + limit - length)
      position = WordScan.firstByte(
        below: endsAtReturns ? 0x0E : 0x0B, in: base, from: start, to: end, summingInto: &sum)
      length += position - start
    }
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\n") {
        if !isInQuotes { return position }
        lineFeedsWithin += 1
      } else if endsAtReturns, byte == UInt8(ascii: "\r"), !isInQuotes {
        return position
      } else if joinsQuotedLines {
        trackQuotes(byte)
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

  private mutating func trackQuotes(_ byte: UInt8) {
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
