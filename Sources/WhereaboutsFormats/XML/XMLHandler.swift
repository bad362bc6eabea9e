/// A handler of a parser's events, in the document's order.
///
/// The only interface between a kind of document and the platform's XML parser. ``XMLStream`` is that parser: expat
/// on Linux, Foundation's elsewhere. Each has an `XMLAttributes` and an `XMLCursor` with the same members.
protocol XMLHandler {
  /// Handles the beginning of an element, named without its namespace prefix. A returned reason stops the parser for
  /// good.
  mutating func elementBegan(
    _ name: UnsafeRawBufferPointer, _ attributes: XMLAttributes, at cursor: XMLCursor
  ) -> StaticString?

  /// Whether reading may resume after the element that was refused last, where the parser can begin again.
  var mayResumeAfterRefusal: Bool { get }

  /// Handles some text of the innermost open element, in UTF-8; one text may be split into several calls.
  mutating func text(_ bytes: UnsafeRawBufferPointer)

  /// Handles the end of the innermost open element. Returns `true` if the element was the document's last.
  mutating func elementEnded(at cursor: XMLCursor) -> Bool

  /// Reports a problem after which the parser continues.
  mutating func report(_ kind: InputProblem.Kind, at cursor: XMLCursor, _ rule: StaticString)
}

extension XMLHandler {
  var mayResumeAfterRefusal: Bool { false }
}

/// The reason why a parser can't continue.
struct XMLFailure {
  let kind: InputProblem.Kind
  let line: Int
  let byteOffset: Int
  let rule: String
  /// The first byte after the failure.
  let nextOffset: Int
  /// Whether nothing after it should be read, even where it could be.
  let isFinal: Bool
}

#if os(Linux)
  typealias XMLStream = ExpatStream
#else
  typealias XMLStream = FoundationXMLStream
#endif
