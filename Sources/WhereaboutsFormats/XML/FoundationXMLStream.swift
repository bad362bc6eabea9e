#if !os(Linux)
  import Foundation

  /// A document that is collected until its end, then parsed by Foundation.
  ///
  /// The interface is that of Linux with fewer guarantees. Foundation's parser needs a whole document, so memory grows
  /// with the document, and events occur only at its end. Reading ends where a document is not well formed. Nothing is
  /// fetched, and a document that declares entities is refused.
  final class FoundationXMLStream<Receiver: XMLHandler>: FoundationXMLEvents {
    /// Whether ``restart(with:overlap:at:line:)`` does anything.
    static var canRestart: Bool { false }

    /// The receiver of the document's events.
    var receiver: Receiver
    /// Always `nil`: Foundation handles bytes after the document's end.
    var endOffset: Int? { nil }
    private var document = Data()

    init(receiver: Receiver) {
      self.receiver = receiver
      super.init()
    }

    /// Moves the beginning of the document; before anything has been parsed.
    func skipLeading(bytes: Int, lines: Int) {
      base.offset += bytes
      base.line += lines
    }

    /// Collects more of the document.
    func parse(_ bytes: UnsafeRawBufferPointer) -> XMLFailure? {
      document.append(contentsOf: bytes)
      return nil
    }

    /// Parses the complete document.
    func finish() -> XMLFailure? {
      // Not left to the parser's delegate alone: not every version of Foundation reports declarations.
      if document.range(of: Data("<!ENTITY".utf8)) != nil {
        return failure(.malformed, "declares entities", base.line)
      }
      let parser = XMLParser(data: document)
      parser.shouldResolveExternalEntities = false
      parser.delegate = self
      let isParsed = parser.parse()
      let line = base.line + max(parser.lineNumber, 1) - 1
      if let refusal { return failure(.malformed, refusal.description, line) }
      // The parser's result is not reliable either: an element may have been left open.
      if !hasBegun || (openElements > 0 && endsInTheMiddle) {
        return failure(.truncated, "document is not closed", line)
      }
      return isParsed && openElements == 0 ? nil : failure(.malformed, "not well formed", line)
    }

    /// Does nothing, since no document is restarted.
    func restart(with beginning: String, overlap: Int, at offset: Int, line: Int) {}

    /// Returns nothing, since no document is restarted.
    func bytes(from start: Int, to end: Int) -> [UInt8] { [] }

    /// Whether the end tag of the document is not the last thing in it.
    private var endsInTheMiddle: Bool {
      document.last { !$0.isXMLSpace } != UInt8(ascii: ">") || document.range(of: Data("</".utf8)) == nil
    }

    private func failure(_ kind: InputProblem.Kind, _ rule: String, _ line: Int) -> XMLFailure {
      let offset = base.offset + lineStart(line - base.line)
      return XMLFailure(
        kind: kind, line: line, byteOffset: offset, rule: rule, nextOffset: offset, isFinal: true)
    }

    /// Returns the offset of a line; Foundation reports no bytes.
    private func lineStart(_ line: Int) -> Int {
      var rest = line
      guard rest > 0 else { return 0 }
      for (index, byte) in document.enumerated() where byte == UInt8(ascii: "\n") {
        rest -= 1
        if rest == 0 { return index + 1 }
      }
      return document.count
    }

    // MARK: Events

    override func began(_ name: String, _ attributes: XMLAttributes, at cursor: XMLCursor) -> StaticString? {
      name.withLocalName { receiver.elementBegan($0, attributes, at: cursor) }
    }

    override func ended(at cursor: XMLCursor) { _ = receiver.elementEnded(at: cursor) }

    override func textFound(_ text: UnsafeRawBufferPointer) { receiver.text(text) }
  }

  /// The plain half of ``FoundationXMLStream``: Foundation can't call a generic class.
  class FoundationXMLEvents: NSObject, XMLParserDelegate {
    /// The offset and line of the document's first byte in the recording.
    var base = (offset: 0, line: 1)
    /// The reason why the parser was stopped.
    private(set) var refusal: StaticString?
    /// Whether there was any element.
    private(set) var hasBegun = false
    /// Elements that have begun and not ended.
    private(set) var openElements = 0

    func began(_ name: String, _ attributes: XMLAttributes, at cursor: XMLCursor) -> StaticString? { nil }
    func ended(at cursor: XMLCursor) {}
    func textFound(_ text: UnsafeRawBufferPointer) {}

    func parser(
      _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      hasBegun = true
      openElements += 1
      let reason = began(elementName, XMLAttributes(values: attributes), at: cursor(parser))
      if let reason { refuse(reason, parser) }
    }

    func parser(
      _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?
    ) {
      openElements -= 1
      if refusal == nil { ended(at: cursor(parser)) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
      var string = string
      string.withUTF8 { textFound(UnsafeRawBufferPointer($0)) }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
      block.withUnsafeBytes { textFound($0) }
    }

    func parser(_ parser: XMLParser, foundInternalEntityDeclarationWithName name: String, value: String?) {
      refuse("declares entities", parser)
    }

    func parser(
      _ parser: XMLParser, foundExternalEntityDeclarationWithName name: String, publicID: String?,
      systemID: String?
    ) {
      refuse("declares entities", parser)
    }

    private func refuse(_ rule: StaticString, _ parser: XMLParser) {
      refusal = rule
      parser.abortParsing()
    }

    private func cursor(_ parser: XMLParser) -> XMLCursor {
      XMLCursor(line: base.line + parser.lineNumber - 1)
    }
  }

  /// The attributes of an element.
  struct XMLAttributes {
    let values: [String: String]

    /// Calls the closure with the value of an attribute; returns `nil` if the attribute is absent.
    func withValue<Result>(
      of name: StaticString, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
      let found = values[name.description] ?? values.first { $0.key.hasSuffix(":" + name.description) }?.value
      guard var value = found else { return nil }
      return value.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
  }

  /// The position of a parser in the recording.
  struct XMLCursor {
    /// The line, counted from 1.
    let line: Int
    /// Unknown to Foundation's parser: always 0.
    var byteOffset: Int { 0 }
  }

  extension String {
    /// Calls with a name without the prefix of its namespace.
    fileprivate func withLocalName<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
      var name = self
      return name.withUTF8 { bytes in
        let start = bytes.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
        return body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...]))
      }
    }
  }
#endif
