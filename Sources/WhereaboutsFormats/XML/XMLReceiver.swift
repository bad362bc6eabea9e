/// What hears a document from its parser, in the document's order.
///
/// The one seam between a kind of document and the XML parser of the platform. ``XMLStream`` is that parser: expat on
/// Linux, Foundation's elsewhere. Each brings an `XMLAttributes` and an `XMLCursor` with the same members.
protocol XMLReceiver {
  /// An element begins; its name without the prefix of its namespace. A reason given back stops the
  /// parser for good.
  mutating func elementBegan(
    _ name: UnsafeRawBufferPointer, _ attributes: XMLAttributes, at cursor: XMLCursor
  ) -> StaticString?

  /// Whether reading may resume after the element that was refused last, where the parser can begin again.
  var mayResumeAfterRefusal: Bool { get }

  /// Some text of the innermost open element, in UTF-8; one text may come in several pieces.
  mutating func text(_ bytes: UnsafeRawBufferPointer)

  /// The innermost open element ends. `true` says that this was the last one of the document.
  mutating func elementEnded(at cursor: XMLCursor) -> Bool

  /// Something is wrong that does not keep the parser from going on.
  mutating func report(_ kind: InputProblem.Kind, at cursor: XMLCursor, _ rule: StaticString)
}

extension XMLReceiver {
  var mayResumeAfterRefusal: Bool { false }
}

/// Why a parser can't go on.
struct XMLFailure {
  let kind: InputProblem.Kind
  let line: Int
  let byteOffset: Int
  let rule: String
  /// The first byte after what is wrong.
  let nextOffset: Int
  /// Whether nothing after it should be read, even where it could be.
  let isFinal: Bool
}

#if os(Linux)
  typealias XMLStream = ExpatStream
#else
  typealias XMLStream = FoundationXMLStream
#endif
