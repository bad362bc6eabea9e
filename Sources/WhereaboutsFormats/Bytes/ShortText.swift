/// Text of at most 16 bytes, held in place: appending it touches no other memory.
struct ShortText: Sendable {
  private static let limit = 16

  private var low: UInt64 = 0
  private var high: UInt64 = 0
  private let count: Int

  /// Creates a copy of the bytes; `nil` for more than 16.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count <= Self.limit else { return nil }
    count = bytes.count
    for (index, byte) in bytes.enumerated() {
      let shifted = UInt64(byte) << UInt64(8 * (index & 7))
      if index < 8 { low |= shifted } else { high |= shifted }
    }
  }

  /// Creates a constant text; traps if it is longer.
  init(_ text: String) {
    var text = text
    guard let short = text.withUTF8({ ShortText(UnsafeRawBufferPointer($0)) }) else {
      preconditionFailure("\(text) is longer than \(Self.limit) bytes")
    }
    self = short
  }

  /// Calls with the bytes.
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) {
      body(UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
  }
}

extension [UInt8] {
  mutating func append(_ text: ShortText) { text.withBytes { append(contentsOf: $0) } }
}
