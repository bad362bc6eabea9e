#if os(Linux)
  import CExpat

  /// One expat parser and its callbacks.
  ///
  /// C can't call a generic class. This class is the plain half of ``ExpatStream``, which overrides the event methods.
  class ExpatEvents {
    let parser: XML_Parser
    /// The offset and line of the parser's first byte in the recording.
    @exclusivity(unchecked) var base = (offset: 0, line: 1)
    /// Bytes that the parser has been given since its byte 0.
    var bytesFed = 0
    /// The name of the encoding that the document declares.
    var declaredEncoding: [CChar]?
    /// The reason why the parser was stopped.
    private(set) var refusal: StaticString = "not well formed"
    /// The bytes and the line of the event at which the parser was stopped. Versions of expat then differ in their
    /// position: at the event's beginning or at its end.
    private(set) var refused: (bytes: Range<Int>, line: Int)?

    init() {
      guard let parser = XML_ParserCreate(nil) else { fatalError("no memory for an XML parser") }
      self.parser = parser
      installHandlers()
    }

    deinit { XML_ParserFree(parser) }

    func startElement(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) {}
    func endElement() {}
    func characters(_ text: UnsafeRawBufferPointer) {}
    func unknownEncoding() {}

    /// The parser's position.
    var cursor: XMLCursor { XMLCursor(parser: parser, base: base) }

    /// Stops the parser for good at the present event.
    func refuse(_ rule: StaticString) {
      refusal = rule
      let cursor = cursor
      refused = (cursor.byteOffset..<cursor.byteOffset + Int(XML_GetCurrentByteCount(parser)), cursor.line)
      XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    /// Forgets the document, but not how its text is encoded.
    func reset() {
      if let declaredEncoding {
        _ = declaredEncoding.withUnsafeBufferPointer { XML_ParserReset(parser, $0.baseAddress) }
      } else {
        XML_ParserReset(parser, nil)
      }
      bytesFed = 0
      refused = nil
      installHandlers()
    }

    private func installHandlers() {
      // The parser never outlives this object, so it need not hold it.
      let context = Unmanaged.passUnretained(self).toOpaque()
      XML_SetUserData(parser, context)
      XML_SetElementHandler(
        parser,
        { context, name, attributes in
          guard let context, let name else { return }
          ExpatEvents.from(context) { $0.startElement(name, XMLAttributes(pairs: attributes)) }
        },
        { context, _ in
          guard let context else { return }
          ExpatEvents.from(context) { $0.endElement() }
        })
      XML_SetCharacterDataHandler(parser) { context, text, count in
        guard let context else { return }
        ExpatEvents.from(context) { $0.characters(UnsafeRawBufferPointer(start: text, count: Int(count))) }
      }
      XML_SetXmlDeclHandler(parser) { context, _, encoding, _ in
        guard let context, let encoding else { return }
        ExpatEvents.from(context) { $0.declaredEncoding = Array(encoding.terminated) }
      }
      XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
        guard let context else { return }
        ExpatEvents.from(context) { $0.refuse("declares entities") }
      }
      XML_SetUnknownEncodingHandler(
        parser,
        { context, name, encoding in
          guard let context, let name, let encoding else { return 0 }
          let isWindows1252 = ExpatEvents.namesOfWindows1252.contains(String(cString: name).lowercased())
          withUnsafeMutableBytes(of: &encoding.pointee.map) { raw in
            let map = raw.bindMemory(to: Int32.self)
            for byte in map.indices { map[byte] = Int32(byte) }
            guard isWindows1252 else { return }
            for (index, character) in ExpatEvents.windows1252.enumerated() { map[0x80 + index] = character }
          }
          encoding.pointee.data = nil
          encoding.pointee.convert = nil
          encoding.pointee.release = nil
          if !isWindows1252 { ExpatEvents.from(context) { $0.unknownEncoding() } }
          return 1
        }, context)
    }

    private static let namesOfWindows1252 = ["windows-1252", "cp1252", "x-cp1252"]

    /// The characters of windows-1252 for the bytes 0x80 to 0x9F, where it differs from Latin-1. Five of them are
    /// control characters.
    ///
    /// - Source: the WHATWG Encoding Standard (https://encoding.spec.whatwg.org/index-windows-1252.txt).
    private static let windows1252: [Int32] = [
      0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
      0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
      0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
      0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
    ]

    /// Calls with the object behind a pointer that C hands back, without counting a reference.
    private static func from(_ context: UnsafeMutableRawPointer, _ body: (ExpatEvents) -> Void) {
      Unmanaged<ExpatEvents>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
    }
  }
#endif
