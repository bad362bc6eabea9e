/// Named values of a message.
protocol PhoneFields {
  /// Returns the value of that name; `nil` where absent or `null`. Of two with one name the first counts.
  func value(_ name: StaticString) -> PhoneValue?
}

/// A JSON object with members in any order.
struct PhoneObject: PhoneFields {
  private var members: [(name: JSONScanner.Text, value: PhoneValue)] = []
  /// The object's own bytes.
  let bytes: UnsafeRawBufferPointer
  /// Whether the object ends with its bytes.
  private(set) var isComplete = true

  /// Reads an object that must be well formed, with only white space around it.
  init?(_ bytes: UnsafeRawBufferPointer) {
    self.init(bytes, isTolerant: false)
    guard isComplete else { return nil }
  }

  /// Reads an object with malformed or cut members; each one alone is lost.
  init?(tolerant bytes: UnsafeRawBufferPointer) {
    self.init(bytes, isTolerant: true)
  }

  private init?(_ bytes: UnsafeRawBufferPointer, isTolerant: Bool) {
    self.bytes = bytes
    var scanner = JSONScanner.lenient(bytes)
    guard scanner.accept("{") else { return nil }
    if !scanner.accept("}") {
      repeat {
        guard let key = scanner.key() else {
          guard isTolerant else { return nil }
          isComplete = false
          return
        }
        guard readMember(key, &scanner, isTolerant: isTolerant) else { return nil }
      } while scanner.accept(",")
      isComplete = scanner.accept("}")
    }
    if scanner.peek() != nil { isComplete = false }
  }

  private mutating func readMember(
    _ key: JSONScanner.Text, _ scanner: inout JSONScanner, isTolerant: Bool
  ) -> Bool {
    let first = scanner.peek()
    let start = scanner.position
    if !scanner.skipValue() {
      guard isTolerant else { return false }
      scanner.position = start
      scanner.skipMalformedValue(until: "}")
    }
    guard let first else { return isTolerant }
    let written = UnsafeRawBufferPointer(rebasing: bytes[start..<scanner.position])
    if let value = PhoneValue(written, first: first) { members.append((key, value)) }
    return true
  }

  func value(_ name: StaticString) -> PhoneValue? { value { $0.equals(name) } }

  /// Returns the value of that name, which has small letters only, written in any case.
  func value(ignoringCase name: StaticString) -> PhoneValue? { value { $0.equalsIgnoringCase(name) } }

  private func value(_ isName: (UnsafeRawBufferPointer) -> Bool) -> PhoneValue? {
    for member in members {
      let written = UnsafeRawBufferPointer(rebasing: bytes[member.name.range])
      let isNamed =
        member.name.hasEscapes ? JSONScanner(bytes).withBytes(of: member.name, isName) : isName(written)
      if isNamed { return member.value }
    }
    return nil
  }

  /// Returns the object of that name; `nil` for anything else.
  func object(_ name: StaticString) -> PhoneObject? {
    guard let value = value(name), case .object = value.kind else { return nil }
    return PhoneObject(value.bytes)
  }

  /// Returns the bytes of the array of that name; `nil` for anything else.
  func array(_ name: StaticString) -> UnsafeRawBufferPointer? {
    guard let value = value(name), case .array = value.kind else { return nil }
    return value.bytes
  }
}

/// The members of a JSON object by their names in any case.
struct PhoneObjectIgnoringCase: PhoneFields {
  let object: PhoneObject

  func value(_ name: StaticString) -> PhoneValue? { object.value(ignoringCase: name) }
}

extension PhoneValue {
  /// Creates a JSON value by its bytes and the first of them; `nil` for `null` and for a malformed text.
  init?(_ bytes: UnsafeRawBufferPointer, first: UInt8) {
    switch first {
    case UInt8(ascii: "\""):
      var scanner = JSONScanner(bytes)
      guard let text = scanner.string() else { return nil }
      self.init(
        kind: .text(hasEscapes: text.hasEscapes), bytes: UnsafeRawBufferPointer(rebasing: bytes[text.range]))
    case UInt8(ascii: "{"): self.init(kind: .object, bytes: bytes)
    case UInt8(ascii: "["): self.init(kind: .array, bytes: bytes)
    case UInt8(ascii: "t"): self.init(kind: .flag(true), bytes: bytes)
    case UInt8(ascii: "f"): self.init(kind: .flag(false), bytes: bytes)
    case UInt8(ascii: "n"): return nil
    default: self.init(kind: .number, bytes: bytes)
    }
  }
}
