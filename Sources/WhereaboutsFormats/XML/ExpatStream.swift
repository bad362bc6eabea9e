#if os(Linux)
  import CExpat

  /// A document that arrives in pieces, parsed by expat as it arrives.
  ///
  /// Memory is bounded for any input: one tag or comment may be 128 KiB long, and nothing is fetched. A document that
  /// declares entities is refused, since no recording needs entities and they allow expansion attacks. Text is
  /// converted to UTF-8 from UTF-8, UTF-16, Latin-1, windows-1252 and ASCII. Any other encoding is read as
  /// Latin-1: numbers are right, names may be wrong. The byte order mark of UTF-16 counts more than the declaration.
  ///
  /// A class because a parser can't be copied; only one owner may feed it.
  final class ExpatStream<Receiver: XMLHandler>: ExpatEvents {
    /// Whether ``restart(with:overlap:at:line:)`` does anything.
    static var canRestart: Bool { true }

    /// The receiver of the document's events.
    // Unchecked, as is `base`: each event uses both, and the check would cost a tenth of the parser's time. Events
    // never overlap, since expat only calls back from within `XML_Parse`.
    @exclusivity(unchecked) var receiver: Receiver
    /// The end of the document; nothing is parsed after it.
    private(set) var endOffset: Int?
    private var hasReportedEncoding = false

    init(receiver: Receiver) {
      self.receiver = receiver
      super.init()
    }

    /// Moves the beginning of the document; before anything has been parsed.
    func skipLeading(bytes: Int, lines: Int) {
      base.offset += bytes
      base.line += lines
    }

    /// Parses more of the document, and returns the failure if the parser can't continue.
    func parse(_ bytes: UnsafeRawBufferPointer) -> XMLFailure? {
      // A shell that writes UTF-16 leaves the declaration of the program as it was. Only UTF-16 begins with these bytes.
      if bytesFed == 0, let first = bytes.first, first == 0xFE || first == 0xFF {
        XML_SetEncoding(parser, "UTF-16")
      }
      var start = 0
      while start < bytes.count, endOffset == nil {
        // Cut at the recording's block ends, so that the length limits do not depend on the chunks.
        let untilBlockEnd = expatBlock - (base.offset + bytesFed) % expatBlock
        let end = min(bytes.count, start + untilBlockEnd)
        if let failure = parse(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), isFinal: false) {
          return failure
        }
        if end - start == untilBlockEnd, bytesFed - cursor.byteIndex > expatLongestToken {
          return failure(.tooLong, "tag or comment longer than 128 KiB", nextOffset: base.offset + bytesFed)
        }
        start = end
      }
      return nil
    }

    /// Ends the document.
    func finish() -> XMLFailure? {
      parse(UnsafeRawBufferPointer(start: nil, count: 0), isFinal: true)
    }

    /// Restarts the parser in the middle of the recording.
    ///
    /// Forgets the open elements and reads a made-up beginning of the document instead. Its last `overlap` bytes are
    /// those of the recording from `offset` on; the bytes after them are to be parsed next.
    func restart(with beginning: String, overlap: Int, at offset: Int, line: Int) {
      reset()
      endOffset = nil
      base = (offset - (beginning.utf8.count - overlap), line)
      var beginning = beginning
      beginning.withUTF8 { _ = parse(UnsafeRawBufferPointer($0), isFinal: false) }
    }

    /// Returns the parser's input between two offsets of the recording, after it failed before the first.
    ///
    /// From version 2.6 on expat defers an unfinished tag until more of it arrives, so it may fail at a byte of an
    /// earlier chunk. It still holds the bytes since; an expat built without that feature returns none.
    func bytes(from start: Int, to end: Int) -> [UInt8] {
      var eventIndex: Int32 = 0
      var count: Int32 = 0
      guard let held = XML_GetInputContext(parser, &eventIndex, &count) else { return [] }
      let buffer = UnsafeRawBufferPointer(start: held, count: Int(count))
      let first = Int(eventIndex) + start - cursor.byteOffset
      guard first >= 0, start <= end, first + (end - start) <= buffer.count else { return [] }
      return Array(buffer[first..<first + (end - start)])
    }

    private func parse(_ bytes: UnsafeRawBufferPointer, isFinal: Bool) -> XMLFailure? {
      bytesFed += bytes.count
      let text = bytes.bindMemory(to: CChar.self).baseAddress
      // At most one block, so that the length always fits.
      guard XML_Parse(parser, text, Int32(bytes.count), isFinal ? 1 : 0) == XML_STATUS_ERROR else {
        return nil
      }
      switch XML_GetErrorCode(parser) {
      case XML_ERROR_ABORTED:
        let isFinal = !receiver.mayResumeAfterRefusal
        guard let refused else { return failure(.malformed, refusal.description, isFinal: isFinal) }
        return XMLFailure(
          kind: .malformed, line: refused.line, byteOffset: refused.bytes.lowerBound,
          rule: refusal.description,
          nextOffset: refused.bytes.upperBound, isFinal: isFinal)
      case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR,
        XML_ERROR_UNCLOSED_CDATA_SECTION:
        return failure(.truncated, "document is not closed", isFinal: isFinal)
      case XML_ERROR_INCORRECT_ENCODING:
        declaredEncoding = nil
        return failure(.badEncoding, "text is not in the encoding it declares")
      case let code:
        return failure(.malformed, XML_ErrorString(code).map { String(cString: $0) } ?? "not well formed")
      }
    }

    private func failure(
      _ kind: InputProblem.Kind, _ rule: String, nextOffset: Int? = nil, isFinal: Bool = false
    ) -> XMLFailure {
      let offset = cursor.byteOffset
      // At an invalid token that is the byte which can't be there, and it may open the next good tag; otherwise it is
      // where the bad tag begins, which must not be found again.
      let next = XML_GetErrorCode(parser) == XML_ERROR_INVALID_TOKEN ? offset : offset + 1
      return XMLFailure(
        kind: kind, line: cursor.line, byteOffset: offset, rule: rule, nextOffset: nextOffset ?? next,
        isFinal: isFinal)
    }

    // MARK: Events

    override func startElement(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) {
      if let reason = receiver.elementBegan(name.localName, attributes, at: cursor) { refuse(reason) }
    }

    override func endElement() {
      guard receiver.elementEnded(at: cursor) else { return }
      // The rest is not left to expat, whose result depends on the chunks.
      endOffset = cursor.byteOffset + Int(XML_GetCurrentByteCount(parser))
      refuse("goes on after its end")
    }

    override func characters(_ text: UnsafeRawBufferPointer) { receiver.text(text) }

    override func unknownEncoding() {
      guard !hasReportedEncoding else { return }
      hasReportedEncoding = true
      receiver.report(.badEncoding, at: cursor, "declared encoding is unknown, taken as Latin-1")
    }
  }

  /// The number of bytes given to expat at a time, at most.
  private let expatBlock = 65_536
  /// The longest tag, comment or instruction that is waited for to end, to a block.
  private let expatLongestToken = 131_072
#endif
