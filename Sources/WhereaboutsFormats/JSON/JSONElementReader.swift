/// A reader of the elements of arrays in a JSON document, for chunks of any size.
///
/// The document is an array, or an object some of whose members are arrays. Each element is passed whole, as bytes that
/// are well formed; everything else is skipped. The memory is that of the longest element, at most a limit.
///
/// A malformed element is one event, and reading resumes at the next object that is well formed, wherever it stands:
/// from there on the structure around it is unknown, and elements are marked as recovered.
struct JSONElementReader {
  /// A part of a document.
  struct Element {
    /// The bytes of the value; valid only during the call.
    let bytes: UnsafeRawBufferPointer
    /// The index of the array's or member's name in the reader's lists; `nil` in a document that is an array, and for
    /// an element whose array is unknown.
    let member: Int?
    /// Whether the element was found after a malformed one.
    let isRecovered: Bool
    /// The line of the first byte, counted from 1.
    let line: Int
    /// The offset of the first byte in the document.
    let offset: Int
  }

  /// An outcome of reading.
  enum Event {
    /// An element of an array.
    case element(Element)
    /// The value of a captured member.
    case member(Element)
    /// The end of a document.
    case end
    case problem(InputProblem.Kind, line: Int, offset: Int, StaticString)
  }

  private enum Phase {
    /// Before a document.
    case start
    /// In an object, before a name, a comma or the end.
    case name
    /// After the name of a member.
    case value(name: Int?)
    /// In an array, before an element, a comma or the end.
    case elements(name: Int?)
    /// Within the value of a member that is not read.
    case skipping(JSONSkipper)
    /// After a malformed part: at any byte.
    case searching
  }

  private let arrays: [StaticString]
  private let captured: [StaticString]
  private let limit: Int
  private var phase = Phase.start
  private var isTopLevelArray = false
  /// The bytes that are not consumed yet.
  private var pending: [UInt8] = []
  /// The number of pending bytes at which reading is tried again.
  private var retryCount = 0
  /// The offset of the first pending byte.
  private var offset = 0
  private var line = 1
  private var documents = 0

  /// Bytes beyond the refused one that the scanner may have needed: an escape has six.
  private static let lookahead = 7

  /// Creates a reader at the beginning of a document.
  ///
  /// - Parameters:
  ///   - arrays: the members of a top-level object whose elements are passed.
  ///   - captured: the members of a top-level object whose values are passed whole.
  ///   - limit: the greatest number of bytes of an element.
  init(arrays: [StaticString], captured: [StaticString] = [], limit: Int) {
    self.arrays = arrays
    self.captured = captured
    self.limit = limit
  }

  /// Reads the next bytes.
  mutating func read(_ bytes: UnsafeRawBufferPointer, _ body: (Event) -> Void) {
    pending.append(contentsOf: bytes)
    guard pending.count >= retryCount else { return }
    readPending(isFinal: false, body)
  }

  /// Ends the document.
  mutating func finish(_ body: (Event) -> Void) {
    readPending(isFinal: true, body)
    switch phase {
    case .start:
      if documents == 0 { body(.problem(.truncated, line: line, offset: offset, "no JSON document")) }
    case .searching: body(.end)
    case .name, .value, .elements, .skipping:
      body(.problem(.truncated, line: line, offset: offset, "the document is not complete"))
      body(.end)
    }
    phase = .start
  }

  private mutating func readPending(isFinal: Bool, _ body: (Event) -> Void) {
    let buffer = pending
    pending = []
    var pass = Pass(start: offset, line: line, isFinal: isFinal)
    buffer.withUnsafeBytes { bytes in
      while step(bytes, &pass, body) {}
      _ = pass.line(at: pass.position, in: bytes)
    }
    offset += pass.position
    line = pass.countedLine
    let rest = buffer.count - pass.position
    if pass.position == 0 {
      pending = buffer
    } else {
      pending.reserveCapacity(buffer.count)
      pending.append(contentsOf: buffer[pass.position...])
    }
    retryCount = rest + rest / 2
  }

  /// The state of reading one buffer.
  private struct Pass {
    /// The offset of the buffer in the document.
    let start: Int
    var countedLine: Int
    let isFinal: Bool
    /// The first byte that is not consumed.
    var position = 0
    private var countedTo = 0

    init(start: Int, line: Int, isFinal: Bool) {
      self.start = start
      countedLine = line
      self.isFinal = isFinal
    }

    mutating func line(at position: Int, in bytes: UnsafeRawBufferPointer) -> Int {
      guard position > countedTo else { return countedLine }
      var found = 0
      // A plain loop over indices, so that the compiler makes a vector of it.
      for index in countedTo..<position { found &+= bytes[index] == 0x0A ? 1 : 0 }
      countedTo = position
      countedLine += found
      return countedLine
    }
  }

  // MARK: Steps

  /// Consumes some bytes; `false` if more are needed.
  private mutating func step(
    _ bytes: UnsafeRawBufferPointer, _ pass: inout Pass, _ body: (Event) -> Void
  ) -> Bool {
    var scanner = JSONScanner(bytes)
    scanner.position = pass.position
    switch phase {
    case .start: return begin(&scanner, &pass, body)
    case .name: return readName(&scanner, &pass, body)
    case .value(let name): return readValue(name, &scanner, &pass, body)
    case .elements(let name): return readElement(of: name, &scanner, &pass, body)
    case .skipping(var skipper):
      let end = skipper.skip(bytes, from: pass.position)
      pass.position = end ?? bytes.count
      phase = end == nil ? .skipping(skipper) : .name
      return end != nil
    case .searching: return search(&scanner, &pass, body)
    }
  }

  private mutating func begin(
    _ scanner: inout JSONScanner, _ pass: inout Pass, _ body: (Event) -> Void
  ) -> Bool {
    let bytes = scanner.bytes
    if pass.start + pass.position == 0 {
      guard bytes.count >= 3 || pass.isFinal else { return false }
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position = 3 }
    }
    guard let first = peek(&scanner, &pass) else { return false }
    documents += 1
    switch first {
    case UInt8(ascii: "{"):
      pass.position += 1
      isTopLevelArray = false
      phase = .name
    case UInt8(ascii: "["):
      pass.position += 1
      isTopLevelArray = true
      phase = .elements(name: nil)
    default:
      report(
        documents == 1 ? .malformed : .garbage, at: pass.position, bytes, &pass,
        documents == 1 ? "not a JSON object or array" : "bytes after the document", body)
      phase = .searching
    }
    return true
  }

  private mutating func readName(
    _ scanner: inout JSONScanner, _ pass: inout Pass, _ body: (Event) -> Void
  ) -> Bool {
    guard let next = peek(&scanner, &pass) else { return false }
    switch next {
    case UInt8(ascii: ","): pass.position += 1
    case UInt8(ascii: "}"):
      pass.position += 1
      body(.end)
      phase = .start
    default:
      guard let name = scanner.key() else { return refuse(scanner, from: pass.position, &pass, body) }
      let text = UnsafeRawBufferPointer(rebasing: scanner.bytes[name.range])
      let index = (arrays + captured).firstIndex { text.equals($0) }
      pass.position = scanner.position
      phase = .value(name: index)
    }
    return true
  }

  /// Steps over white space.
  ///
  /// - Returns: the byte after it; `nil` where more bytes are needed.
  private func peek(_ scanner: inout JSONScanner, _ pass: inout Pass) -> UInt8? {
    defer { pass.position = scanner.position }
    return scanner.peek()
  }

  private mutating func readValue(
    _ name: Int?, _ scanner: inout JSONScanner, _ pass: inout Pass, _ body: (Event) -> Void
  ) -> Bool {
    guard let next = peek(&scanner, &pass) else { return false }
    guard let name else {
      phase = .skipping(JSONSkipper())
      return true
    }
    if name < arrays.count {
      let isArray = next == UInt8(ascii: "[")
      phase = isArray ? .elements(name: name) : .skipping(JSONSkipper())
      if isArray { pass.position += 1 }
      return true
    }
    let start = pass.position
    guard scanner.skipValue(), scanner.position - start <= limit else {
      return refuse(scanner, from: start, &pass, body)
    }
    // A number may continue in the next bytes.
    guard scanner.position < scanner.bytes.count || pass.isFinal else { return false }
    body(.member(element(start..<scanner.position, member: name, scanner.bytes, &pass)))
    pass.position = scanner.position
    phase = .name
    return true
  }

  private mutating func readElement(
    of name: Int?, _ scanner: inout JSONScanner, _ pass: inout Pass, _ body: (Event) -> Void
  ) -> Bool {
    guard let next = peek(&scanner, &pass) else { return false }
    switch next {
    case UInt8(ascii: ","): pass.position += 1
    case UInt8(ascii: "]"):
      pass.position += 1
      phase = isTopLevelArray ? .start : .name
      if isTopLevelArray { body(.end) }
    default:
      let start = pass.position
      guard scanner.skipValue() else { return refuse(scanner, from: start, &pass, body) }
      guard scanner.position < scanner.bytes.count || pass.isFinal || next == UInt8(ascii: "{") else {
        return false
      }
      guard scanner.position - start <= limit else { return refuse(scanner, from: start, &pass, body) }
      if next == UInt8(ascii: "{") {
        body(.element(element(start..<scanner.position, member: name, scanner.bytes, &pass)))
      } else {
        report(.malformed, at: start, scanner.bytes, &pass, "an element is no object", body)
      }
      pass.position = scanner.position
    }
    return true
  }

  private mutating func search(
    _ scanner: inout JSONScanner, _ pass: inout Pass, _ body: (Event) -> Void
  ) -> Bool {
    let bytes = scanner.bytes
    var start = pass.position
    while start < bytes.count, bytes[start] != UInt8(ascii: "{") { start += 1 }
    pass.position = start
    guard start < bytes.count else { return false }
    scanner.position = start
    if scanner.skipValue(), scanner.position - start <= limit {
      let part = start..<scanner.position
      body(.element(element(part, member: nil, bytes, &pass, isRecovered: true)))
      pass.position = scanner.position
      return true
    }
    let isIncomplete = bytes.count - scanner.position < Self.lookahead
    if isIncomplete, !pass.isFinal, bytes.count - start <= limit { return false }
    // No further than the limit, so that the chunks do not decide where the search resumes.
    pass.position = max(start + 1, min(scanner.position, start + limit))
    return true
  }

  // MARK: Problems

  /// Waits for more bytes, or reports a malformed part and searches on.
  ///
  /// - Returns: `false` if more bytes are needed.
  private mutating func refuse(
    _ scanner: JSONScanner, from start: Int, _ pass: inout Pass, _ body: (Event) -> Void
  ) -> Bool {
    let bytes = scanner.bytes
    let isIncomplete = bytes.count - scanner.position < Self.lookahead
    if scanner.position - start > limit || (isIncomplete && bytes.count - start > limit) {
      report(.tooLong, at: start, bytes, &pass, "an element is longer than this reader allows", body)
    } else if isIncomplete, !pass.isFinal {
      return false
    } else if scanner.position >= bytes.count {
      report(.truncated, at: start, bytes, &pass, "an element is not complete", body)
    } else {
      report(.malformed, at: scanner.position, bytes, &pass, "not well formed JSON", body)
    }
    pass.position = max(start + 1, min(scanner.position, start + limit))
    phase = .searching
    return true
  }

  private func report(
    _ kind: InputProblem.Kind, at position: Int, _ bytes: UnsafeRawBufferPointer, _ pass: inout Pass,
    _ rule: StaticString, _ body: (Event) -> Void
  ) {
    let line = pass.line(at: position, in: bytes)
    body(.problem(kind, line: line, offset: pass.start + position, rule))
  }

  private func element(
    _ range: Range<Int>, member: Int?, _ bytes: UnsafeRawBufferPointer, _ pass: inout Pass,
    isRecovered: Bool = false
  ) -> Element {
    Element(
      bytes: UnsafeRawBufferPointer(rebasing: bytes[range]), member: member, isRecovered: isRecovered,
      line: pass.line(at: range.lowerBound, in: bytes), offset: pass.start + range.lowerBound)
  }
}

/// A skipper of one JSON value in pieces. It counts brackets and does not check the grammar.
struct JSONSkipper {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  /// Returns the offset after the value; `nil` if the value continues after these bytes.
  mutating func skip(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var position = start
    while position < bytes.count {
      let byte = bytes[position]
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
          if depth == 0 { return position + 1 }
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          // A scalar ends before the bracket of its object.
          if depth == 0 { return position }
          depth -= 1
          if depth == 0 { return position + 1 }
        case UInt8(ascii: ",") where depth == 0: return position
        default: break
        }
      }
      position += 1
    }
    return nil
  }
}
