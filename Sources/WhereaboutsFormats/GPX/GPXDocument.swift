/// A GPX document on its way through a parser, and what happens where the parser breaks.
final class GPXDocument {
  private enum Phase {
    /// Before the first byte that is not white space.
    case leading
    case parsing
    /// The parser broke; the next point, track or route is looked for.
    case searching(ElementSearch)
    /// Nothing more is read.
    case over
  }

  private let stream = XMLStream(receiver: GPXReceiver())
  private var phase = Phase.leading
  /// Where the next byte is in the recording.
  private var offset = 0
  private var line = 1
  /// The first byte after the landmark that reading went on with last. The parser may break at the landmark itself, which
  /// must not be found again.
  private var searchedUpTo = 0
  /// How often the decoder has been fed; see ``GPXDecoder``.
  var turn = 0

  func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    swap(&stream.receiver.batch, &batch)
    defer { swap(&stream.receiver.batch, &batch) }
    read(bytes)
  }

  func finish(into batch: inout RecordingBatch) {
    swap(&stream.receiver.batch, &batch)
    defer { swap(&stream.receiver.batch, &batch) }
    finishParsing()
    phase = .over
    stream.receiver.tellOpenTitle()
  }

  /// Tells the parser that there is no more, which may be when it breaks at a tag that it still waited for; what
  /// comes after that is looked through like the rest.
  private func finishParsing() {
    while true {
      switch phase {
      case .leading, .parsing: break
      case .searching, .over: return
      }
      guard let failure = stream.finish() else { return }
      report(failure)
      let next = max(failure.nextOffset, searchedUpTo)
      guard !failure.isFinal, XMLStream<GPXReceiver>.canRestart, next < offset else { return }
      _ = readAgain(from: next)
    }
  }

  private func read(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty {
      let consumed = step(rest)
      if XMLStream<GPXReceiver>.canRestart { line += rest.lineFeeds(first: consumed) }
      offset += consumed
      rest = UnsafeRawBufferPointer(rebasing: rest[consumed...])
    }
  }

  /// Goes back to a byte of an earlier chunk, where the parser broke, and looks on from there.
  ///
  /// Not deeper than once: when the bytes are read again, the parser has only seen what comes after them.
  private func readAgain(from start: Int) -> Int {
    stream.bytes(from: start, to: offset).withUnsafeBytes { bytes in
      offset -= bytes.count
      line -= bytes.lineFeeds(first: bytes.count)
      phase = .searching(ElementSearch(offset: offset, line: line))
      read(bytes)
    }
    return 0
  }

  /// Does something with the first bytes, and says how many.
  private func step(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch phase {
    case .leading:
      // A blank line before the declaration is against the rules of XML, and common.
      let spaces = bytes.prefix { $0.isXMLSpace }.count
      stream.skipLeading(bytes: spaces, lines: bytes.lineFeeds(first: spaces))
      guard spaces < bytes.count else { return spaces }
      phase = .parsing
      if XMLStream<GPXReceiver>.canRestart, !bytes[spaces].mayBeginXML {
        beginBySearching(at: offset + spaces, line: line + bytes.lineFeeds(first: spaces))
      }
      return spaces
    case .parsing:
      guard let failure = stream.parse(bytes) else { return bytes.count }
      report(failure)
      guard !failure.isFinal, XMLStream<GPXReceiver>.canRestart else {
        phase = .over
        return bytes.count
      }
      let next = max(failure.nextOffset, searchedUpTo)
      if next < offset { return readAgain(from: next) }
      let skipped = min(next - offset, bytes.count)
      phase = .searching(
        ElementSearch(offset: offset + skipped, line: line + bytes.lineFeeds(first: skipped)))
      return skipped
    case .searching(var search):
      guard let (landmark, consumed) = search.find(in: bytes) else {
        phase = .searching(search)
        return bytes.count
      }
      stream.receiver.willResume()
      stream.restart(
        with: landmark.beginning, overlap: landmark.overlap, at: landmark.offset, line: landmark.line)
      stream.receiver.didResume()
      searchedUpTo = landmark.offset + landmark.overlap
      phase = .parsing
      return consumed
    case .over:
      return bytes.count
    }
  }

  /// What begins otherwise than XML can is not given to the parser: it would take the first byte for text of another
  /// encoding or not, as it comes with the second or alone.
  private func beginBySearching(at offset: Int, line: Int) {
    phase = .searching(ElementSearch(offset: offset, line: line))
    stream.receiver.batch.problems.report(
      .malformed, line: line, byteOffset: offset, "does not begin as XML does")
  }

  private func report(_ failure: XMLFailure) {
    stream.receiver.batch.problems.report(
      failure.kind, line: failure.line, byteOffset: failure.byteOffset, failure.rule)
  }
}

extension UInt8 {
  /// Whether an XML document may begin with this byte: a bracket, or part of a byte order mark or of UTF-16.
  fileprivate var mayBeginXML: Bool {
    switch self {
    case UInt8(ascii: "<"), 0x00, 0xEF, 0xFE, 0xFF: true
    default: false
    }
  }
}

extension UnsafeRawBufferPointer {
  /// How many line feeds there are among the first so many bytes.
  fileprivate func lineFeeds(first count: Int) -> Int {
    var found = 0
    // A plain loop over indices, so that the compiler makes a vector of it.
    for index in 0..<count { found &+= self[index] == 0x0A ? 1 : 0 }
    return found
  }
}
