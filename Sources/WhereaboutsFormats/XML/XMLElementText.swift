/// The text of an element while it is collected, in bounded memory.
struct XMLElementText {
  /// The longest text that is kept, in bytes.
  static let limit = 1024

  private var bytes: [UInt8] = []
  private(set) var isOpen = false

  /// Begins the text of another element.
  mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
    isOpen = true
  }

  /// Appends text, if an element is open.
  mutating func append(_ text: UnsafeRawBufferPointer) {
    guard isOpen, bytes.count <= Self.limit else { return }
    // One byte beyond the limit marks a text that was too long.
    bytes.append(contentsOf: text.prefix(Self.limit + 1 - bytes.count))
  }

  /// Ends the element.
  mutating func end() { isOpen = false }

  /// Calls with the text without the white space around it; `nil` for a text that is too long.
  func withTrimmed<Result>(_ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
    guard bytes.count <= Self.limit else { return nil }
    return bytes.withUnsafeBytes { body($0.trimmed) }
  }

  /// The number that the text is; `nil` if it is none.
  var number: Double? { withTrimmed { Decimal.parse($0) } }

  /// Whether the text is longer than the limit.
  var isTooLong: Bool { bytes.count > Self.limit }

  /// The text; `nil` if it is empty. Of a text that is too long the beginning, up to a whole character.
  var string: String? {
    let text = bytes.withUnsafeBytes { String(decoding: $0.textPrefix(Self.limit).trimmed, as: UTF8.self) }
    return text.isEmpty ? nil : text
  }
}
