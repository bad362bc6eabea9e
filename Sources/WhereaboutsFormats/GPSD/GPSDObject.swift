/// A well-formed object of gpsd, with members in any order.
struct GPSDObject {
  /// A member's value.
  enum Value {
    case number(Double)
    case text(JSONScanner.Text)
    case flag(Bool)
    /// An array or an object, which begins there.
    case nested(at: Int)
    /// `null`, or a number that no `Double` holds.
    case none
  }

  private let bytes: UnsafeRawBufferPointer
  /// The offset of the opening brace.
  private let start: Int

  /// Steps over an object; `nil` where there is none, or one that breaks off.
  init?(steppingOver scanner: inout JSONScanner) {
    guard scanner.peek() == UInt8(ascii: "{") else { return nil }
    bytes = scanner.bytes
    start = scanner.position
    guard scanner.skipValue() else { return nil }
  }

  private init(in bytes: UnsafeRawBufferPointer, at start: Int) {
    self.bytes = bytes
    self.start = start
  }

  /// Calls with the name and the value of each member, in the order they are written.
  func eachMember(_ body: (UnsafeRawBufferPointer, Value) -> Void) {
    var scanner = JSONScanner(bytes)
    scanner.position = start
    guard scanner.accept("{"), !scanner.accept("}") else { return }
    repeat {
      guard let key = scanner.key(), let value = scanner.value() else { return }
      scanner.withBytes(of: key) { body($0, Value(value, in: scanner)) }
    } while scanner.accept(",")
  }

  /// Calls the closure with each object of the array at a position; other elements are skipped.
  func eachObject(ofArrayAt position: Int, _ body: (GPSDObject) -> Void) {
    var scanner = JSONScanner(bytes)
    scanner.position = position
    guard scanner.accept("["), !scanner.accept("]") else { return }
    repeat {
      let isObject = scanner.peek() == UInt8(ascii: "{")
      let element = GPSDObject(in: bytes, at: scanner.position)
      guard scanner.skipValue() else { return }
      if isObject { body(element) }
    } while scanner.accept(",")
  }

  /// Calls with the bytes that a string means.
  func withBytes<Result>(of text: JSONScanner.Text, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    JSONScanner(bytes).withBytes(of: text, body)
  }

  /// Returns a string; invalid UTF-8 in it is replaced.
  func string(_ value: Value) -> String? {
    guard case .text(let text) = value else { return nil }
    return withBytes(of: text) { String(decoding: $0, as: UTF8.self) }
  }
}

extension GPSDObject.Value {
  /// The number; `nil` where it is none.
  var number: Double? { if case .number(let number) = self { number } else { nil } }

  /// The whole number; `nil` for other values.
  var integer: Int? { number.flatMap(Int.init(exactly:)) }

  /// The flag; `nil` where it is none.
  var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
}

extension GPSDObject.Value {
  fileprivate init(_ value: JSONScanner.Value, in scanner: JSONScanner) {
    self =
      switch value {
      case .string(let text): .text(text)
      case .number(let range): scanner.double(range).map { .number($0) } ?? .none
      case .flag(let flag): .flag(flag)
      case .null: .none
      case .nested(let start): .nested(at: start)
      }
  }
}
