/// A recording's XML document in a parser, with recovery after a failure of the parser.
final class XMLRecording<Handler: XMLRecordingHandler> {
  private enum Phase {
    /// Before the first byte that is not white space.
    case leading
    case parsing
    /// The parser failed, or the document has ended and bytes follow; the next landmark is searched.
    case searching(ElementSearch)
    /// The document has ended; only white space and the beginning of another XML document may follow.
    case trailing
    /// Nothing more is read.
    case ended
  }

  private let stream = XMLStream(receiver: Handler())
  private var phase = Phase.leading
  /// The offset of the next byte in the recording.
  private var offset = 0
  private var line = 1
  /// The first byte after the landmark at which reading resumed last. The parser may fail at the landmark itself,
  /// which must not be found again.
  private var searchedUpTo = 0
  private var hasEnded = false
  /// Whether the document begins as UTF-16 does, where white space has zero bytes.
  private var isUTF16 = false
  /// The number of calls that fed the decoder; see ``XMLRecordingDecoder``.
  var feedCount = 0

  init() {}

  func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    swap(&stream.receiver.batch, &batch)
    defer { swap(&stream.receiver.batch, &batch) }
    read(bytes)
  }

  func finish(into batch: inout RecordingBatch) {
    swap(&stream.receiver.batch, &batch)
    defer { swap(&stream.receiver.batch, &batch) }
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    // The parser may have let bytes wait, and find only now that it breaks there or that the document ends.
    while isUnfinished {
      let failure = stream.finish()
      if let end = stream.endOffset {
        _ = resume(from: end, in: nothing, isEnd: true)
      } else if let failure {
        report(failure)
        guard !failure.isFinal, XMLStream<Handler>.canRestart else { break }
        _ = resume(from: failure.nextOffset, in: nothing, isEnd: false)
      } else {
        break
      }
    }
    phase = .ended
    stream.receiver.finish()
  }

  func handle<Result>(into batch: inout RecordingBatch, _ body: (inout Handler) -> Result) -> Result {
    swap(&stream.receiver.batch, &batch)
    defer { swap(&stream.receiver.batch, &batch) }
    return body(&stream.receiver)
  }

  private var isUnfinished: Bool {
    switch phase {
    case .leading, .parsing: true
    case .searching, .trailing, .ended: false
    }
  }

  private func read(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty {
      let consumed = step(rest)
      if XMLStream<Handler>.canRestart { line += rest.lineFeeds(first: consumed) }
      offset += consumed
      rest = UnsafeRawBufferPointer(rebasing: rest[consumed...])
    }
  }

  /// Resumes at a byte that the parser did not reach, or should not have read: after these bytes or among them.
  ///
  /// The byte may be of an earlier chunk, which is then read again. The recursion is one level deep: by then the
  /// parser has only seen later bytes.
  private func resume(from next: Int, in bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Int {
    func enter(offset: Int, line: Int) {
      hasEnded = isEnd
      phase = isEnd ? .trailing : .searching(ElementSearch(Handler.landmarks, offset: offset, line: line))
    }
    let next = max(next, searchedUpTo)
    if next < offset {
      stream.bytes(from: next, to: offset).withUnsafeBytes { again in
        offset -= again.count
        line -= again.lineFeeds(first: again.count)
        enter(offset: offset, line: line)
        read(again)
      }
      return 0
    }
    let skipped = min(next - offset, bytes.count)
    enter(offset: offset + skipped, line: line + bytes.lineFeeds(first: skipped))
    return skipped
  }

  /// Processes the first bytes, and returns their number.
  private func step(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch phase {
    case .leading:
      // A blank line before the declaration is against the rules of XML, and common.
      let spaces = bytes.prefix { $0.isXMLSpace }.count
      stream.skipLeading(bytes: spaces, lines: bytes.lineFeeds(first: spaces))
      guard spaces < bytes.count else { return spaces }
      phase = .parsing
      isUTF16 = bytes[spaces].mayBeginUTF16
      if XMLStream<Handler>.canRestart, !bytes[spaces].mayBeginXML {
        startSearching(at: offset + spaces, line: line + bytes.lineFeeds(first: spaces))
      }
      return spaces
    case .parsing:
      let failure = stream.parse(bytes)
      if let end = stream.endOffset { return resume(from: end, in: bytes, isEnd: true) }
      guard let failure else { return bytes.count }
      report(failure)
      guard !failure.isFinal, XMLStream<Handler>.canRestart else {
        phase = .ended
        return bytes.count
      }
      return resume(from: failure.nextOffset, in: bytes, isEnd: false)
    case .trailing:
      let spaces = bytes.prefix { $0.isXMLSpace || isUTF16 && $0 == 0 }.count
      guard spaces < bytes.count else { return spaces }
      let line = self.line + bytes.lineFeeds(first: spaces)
      if bytes[spaces] != UInt8(ascii: "<") {
        report(.garbage, line: line, offset: offset + spaces, "bytes after the end of the document")
      }
      phase = .searching(ElementSearch(Handler.landmarks, offset: offset + spaces, line: line))
      return spaces
    case .searching(var search):
      guard let (finding, consumed) = search.find(in: bytes) else {
        phase = .searching(search)
        return bytes.count
      }
      if hasEnded {
        report(.malformed, line: finding.line, offset: finding.offset, "document goes on after its end")
      }
      hasEnded = false
      stream.receiver.willResume()
      stream.restart(
        with: finding.landmark.beginning, overlap: finding.landmark.overlap, at: finding.offset,
        line: finding.line)
      stream.receiver.didResume()
      searchedUpTo = finding.offset + finding.landmark.overlap
      phase = .parsing
      return consumed
    case .ended:
      return bytes.count
    }
  }

  /// Starts a search if the bytes can't begin XML. The parser would read the first byte as another encoding or not,
  /// depending on the chunks.
  private func startSearching(at offset: Int, line: Int) {
    phase = .searching(ElementSearch(Handler.landmarks, offset: offset, line: line))
    report(.malformed, line: line, offset: offset, "does not begin as XML does")
  }

  private func report(_ failure: XMLFailure) {
    report(failure.kind, line: failure.line, offset: failure.byteOffset, failure.rule)
  }

  private func report(_ kind: InputProblem.Kind, line: Int, offset: Int, _ rule: String) {
    stream.receiver.batch.problems.report(kind, line: line, byteOffset: offset, rule)
  }
}

extension UInt8 {
  /// Whether an XML document may begin with this byte: a bracket, or part of a byte order mark or of UTF-16.
  fileprivate var mayBeginXML: Bool { self == UInt8(ascii: "<") || self == 0xEF || mayBeginUTF16 }

  /// Whether a document in UTF-16 may begin with this byte: part of a byte order mark, or the zero before a bracket.
  fileprivate var mayBeginUTF16: Bool { self == 0x00 || self == 0xFE || self == 0xFF }
}

extension UnsafeRawBufferPointer {
  /// Returns the number of line feeds among the first bytes.
  fileprivate func lineFeeds(first count: Int) -> Int {
    let everyByte: UInt64 = 0x0101_0101_0101_0101
    var found = 0
    var index = 0
    // Eight at a time, in a sum for each byte of a word; of 255 words at most, so that none overflows. No load reaches
    // beyond `count`.
    while index &+ 8 <= count {
      let end = Swift.min(count &- 7, index &+ 8 * 255)
      var sums: UInt64 = 0
      while index < end {
        let others = loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ (everyByte &* 0x0A)
        // The top bit of each byte that is not zero; no carry leaves its byte.
        let tops = ((others & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | others
        sums &+= ~tops &>> 7 & everyByte
        index &+= 8
      }
      let pairs = (sums & 0x00FF_00FF_00FF_00FF) &+ (sums &>> 8 & 0x00FF_00FF_00FF_00FF)
      found &+= Int(truncatingIfNeeded: (pairs &* 0x0001_0001_0001_0001) &>> 48)
    }
    while index < count {
      if self[index] == 0x0A { found &+= 1 }
      index &+= 1
    }
    return found
  }
}
