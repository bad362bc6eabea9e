/// A conversion from a parser's position to a byte offset; without a byte position, the offset of the line.
struct XMLOffsetResolver {
  private let bytes: UnsafeRawBufferPointer
  private var line = 1
  private var lineStart = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Returns the byte offset of a cursor; cursors must be passed in the document's order.
  mutating func offset(of cursor: XMLCursor) -> Int {
    if cursor.byteOffset > 0 { return cursor.byteOffset }
    while line < cursor.line, lineStart < bytes.count {
      if bytes[lineStart] == UInt8(ascii: "\n") { line += 1 }
      lineStart += 1
    }
    return lineStart
  }
}

/// A handler that makes fences from a parser's events.
protocol FenceXMLHandler: XMLHandler {
  var drafts: FenceDrafts { get set }
  /// Ends the document, well formed or not.
  mutating func finish()
}

extension FenceXMLHandler {
  /// Returns everything in a document, as far as it is well formed.
  consuming func read(_ bytes: UnsafeRawBufferPointer) -> FenceDrafts {
    let stream = XMLStream(receiver: self)
    // A blank line before the declaration is against the rules of XML, and common.
    let spaces = bytes.prefix { $0.isXMLSpace }.count
    stream.skipLeading(bytes: spaces, lines: bytes[..<spaces].count { $0 == UInt8(ascii: "\n") })
    var failure = stream.parse(UnsafeRawBufferPointer(rebasing: bytes[spaces...]))
    if failure == nil, stream.endOffset == nil { failure = stream.finish() }
    stream.receiver.finish()
    // The parser reports a requested stop as a failure, too.
    if let failure, stream.endOffset == nil {
      stream.receiver.drafts.recordError(
        FenceParseError(failure.fenceKind, at: min(failure.byteOffset, bytes.count), failure.rule))
    }
    return stream.receiver.drafts
  }
}

extension XMLFailure {
  fileprivate var fenceKind: FenceFileProblem.Kind {
    switch kind {
    case .truncated: .truncated
    case .badEncoding: .badEncoding
    default: .malformed
    }
  }
}

/// The text of one element while the parser reports it.
struct XMLText {
  private(set) var bytes: [UInt8] = []
  private(set) var isOpen = false

  mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
    isOpen = true
  }

  mutating func append(_ more: UnsafeRawBufferPointer) {
    if isOpen { bytes.append(contentsOf: more) }
  }

  /// Returns the text without white space around it.
  mutating func end() -> String {
    isOpen = false
    return String(decoding: bytes, as: UTF8.self).withoutSpacesAround
  }
}
