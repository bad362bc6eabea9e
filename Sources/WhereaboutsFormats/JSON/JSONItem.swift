import WhereaboutsModel

/// A value in JSON text that is well formed: its bytes and its kind. The bytes are valid only while the text is read.
struct JSONItem {
  enum Kind {
    case number, flag, null, object, array
    case text(hasEscapes: Bool)
  }

  let kind: Kind
  /// The bytes of the value; of a text those between its quotes.
  let bytes: UnsafeRawBufferPointer

  /// Calls with the bytes of a text or a number; `nil` for anything else.
  func withText<Result>(_ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
    switch kind {
    case .text(hasEscapes: true):
      JSONScanner(bytes).withBytes(of: .init(range: 0..<bytes.count, hasEscapes: true), body)
    case .text, .number: body(bytes)
    case .flag, .null, .object, .array: nil
    }
  }

  /// The number, also of a text that is one.
  var number: Double? { withText { Decimal.parse($0) } }

  /// The whole number, also of a text that is one, and as `5.0` or `1e3`; `nil` out of the range of 64 bits.
  var integer: Int64? {
    withText { bytes in
      // Digits of a `Double` do not suffice for every number.
      if bytes.count <= 20, let whole = Int64(String(decoding: bytes, as: UTF8.self)) { return whole }
      return Decimal.parse(bytes).flatMap { Int64(exactly: $0) }
    }
  }

  /// Returns the text; `nil` for an empty one, and for anything else. Of a text with more bytes than the limit the
  /// beginning, up to a whole character.
  func text(limit: Int = 256) -> String? {
    guard case .text = kind else { return nil }
    let text = withText { String(decoding: $0.textPrefix(limit), as: UTF8.self) }
    return text?.isEmpty == false ? text : nil
  }

  var isObject: Bool { if case .object = kind { true } else { false } }
  var isArray: Bool { if case .array = kind { true } else { false } }
  var isNull: Bool { if case .null = kind { true } else { false } }

  /// Calls with the name and the value of each member of an object, as far as it is well formed.
  func forEachMember(_ body: (UnsafeRawBufferPointer, JSONItem) -> Void) {
    guard isObject else { return }
    var scanner = JSONScanner(bytes)
    guard scanner.accept("{"), !scanner.accept("}") else { return }
    repeat {
      guard let name = scanner.key(), let item = scanner.item() else { return }
      body(UnsafeRawBufferPointer(rebasing: bytes[name.range]), item)
    } while scanner.accept(",")
  }

  /// Calls with each element of an array, as far as it is well formed.
  func forEachElement(_ body: (JSONItem) -> Void) {
    guard isArray else { return }
    var scanner = JSONScanner(bytes)
    guard scanner.accept("["), !scanner.accept("]") else { return }
    repeat {
      guard let item = scanner.item() else { return }
      body(item)
    } while scanner.accept(",")
  }

  /// Returns the first member of that name; `nil` if it is absent, `null`, or this is no object.
  func member(_ name: StaticString) -> JSONItem? {
    var found: JSONItem?
    forEachMember { if found == nil, $0.equals(name) { found = $1 } }
    return found?.isNull == true ? nil : found
  }
}

extension JSONItem {
  /// Creates the value that these bytes are; `nil` if they are malformed.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var scanner = JSONScanner(bytes)
    guard let item = scanner.item() else { return nil }
    self = item
  }
}

extension JSONScanner {
  /// Steps over any value; `nil` where there is none.
  mutating func item() -> JSONItem? {
    func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: bytes[range])
    }
    let first = peek()
    let start = position
    switch value() {
    case .string(let text): return JSONItem(kind: .text(hasEscapes: text.hasEscapes), bytes: part(text.range))
    case .number(let range): return JSONItem(kind: .number, bytes: part(range))
    case .flag: return JSONItem(kind: .flag, bytes: part(start..<position))
    case .null: return JSONItem(kind: .null, bytes: part(start..<position))
    case .nested:
      return JSONItem(kind: first == UInt8(ascii: "{") ? .object : .array, bytes: part(start..<position))
    case nil: return nil
    }
  }
}
