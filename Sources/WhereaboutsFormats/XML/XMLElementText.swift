/// The text of an element while it is collected, in bounded memory.
struct XMLElementText {
  /// The longest text that is kept, in bytes.
  static let limit = 1024

  /// Room for one byte beyond the limit, which marks a text that was too long.
  private var bytes = [UInt8](repeating: 0, count: Self.limit + 1)
  private var count = 0
  private(set) var isOpen = false

  var isTooLong: Bool { count > Self.limit }

  /// Begins the text of another element.
  mutating func begin() {
    count = 0
    isOpen = true
  }

  /// Appends text, if an element is open.
  mutating func append(_ text: UnsafeRawBufferPointer) {
    guard isOpen else { return }
    let start = count
    // No more than there is room for, so both parts lie within their buffers.
    let added = min(text.count, bytes.count - start)
    bytes.withUnsafeMutableBytes {
      UnsafeMutableRawBufferPointer(rebasing: $0[start..<start + added])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: text[..<added]))
    }
    count = start + added
  }

  /// Ends the element.
  mutating func end() { isOpen = false }

  /// Calls with the text without the white space around it; `nil` for a text that is too long.
  func withTrimmed<Result>(_ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
    guard !isTooLong else { return nil }
    return bytes.withUnsafeBytes { body($0[..<count].trimmed) }
  }

  /// The number that the text is; `nil` if it is none.
  var number: Double? { withTrimmed { Decimal.parse($0) } }

  /// The text; `nil` if it is empty. Of a text that is too long the beginning, up to a whole character.
  var string: String? {
    let text = bytes.withUnsafeBytes {
      // No more than the buffer has: `append` keeps the count within it.
      let text = UnsafeRawBufferPointer(rebasing: $0[..<count])
      return String(decoding: text.textPrefix(Self.limit).trimmed, as: UTF8.self)
    }
    return text.isEmpty ? nil : text
  }
}
