// Decoding of the JSON that `encodedJSON` writes.

extension ExactJSON {
  /// Decodes a value.
  ///
  /// - Throws: `DecodingError`, or the type's own error.
  package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    try JSONValueDecoder(value: self, codingPath: []).decode(type)
  }
}

private struct JSONValueDecoder: Decoder, SingleValueDecodingContainer {
  let value: ExactJSON
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func decodingError(_ text: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: text))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let fields) = value else { throw decodingError("no object") }
    // Of two with one name the first counts.
    let members = Dictionary(fields.members.map { ($0.name, $0.value) }) { first, _ in first }
    return KeyedDecodingContainer(Keyed(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let values) = value else { throw decodingError("no array") }
    return Unkeyed(values: values, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { if case .null = value { true } else { false } }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .flag(let flag) = value else { throw decodingError("neither true nor false") }
    return flag
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .text(let text) = value else { throw decodingError("no text") }
    return text
  }

  func decode(_ type: Double.Type) throws -> Double {
    do throws(JSONFields.FieldError) {
      if let number = try JSONFields(members: [("", value)]).double("") { return number }
    } catch {}
    throw decodingError("no number")
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

  func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
    guard case .number(let digits) = value, let number = Value(digits) else {
      throw decodingError("no whole number in its range")
    }
    return number
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    func whole<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> any Decodable {
      try decode(type)
    }
    let plain: (any Decodable)? =
      switch type {
      case is Bool.Type: try decode(Bool.self)
      case is String.Type: try decode(String.self)
      case is Double.Type: try decode(Double.self)
      case is Float.Type: try decode(Float.self)
      case let type as any (FixedWidthInteger & Decodable).Type: try whole(type)
      default: nil
      }
    if let plain = plain as? Value { return plain }
    return try Value(from: self)
  }

  struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: ExactJSON]
    let codingPath: [any CodingKey]
    var allKeys: [Key] { members.keys.sorted().compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    private func decoder(_ key: some CodingKey) throws -> JSONValueDecoder {
      guard let value = members[key.stringValue] else {
        throw DecodingError.keyNotFound(
          key, DecodingError.Context(codingPath: codingPath, debugDescription: "no \(key.stringValue)"))
      }
      return JSONValueDecoder(value: value, codingPath: codingPath + [key])
    }
    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try decoder(key).decode(type)
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try decoder(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder {
      JSONValueDecoder(value: members["super"] ?? .null, codingPath: codingPath)
    }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
  }

  /// The place of an element in an array.
  private struct ElementKey: CodingKey {
    let index: Int
    var intValue: Int? { index }
    var stringValue: String { "\(index)" }

    init(index: Int) { self.index = index }
    init?(intValue: Int) { index = intValue }
    init?(stringValue: String) { nil }
  }

  struct Unkeyed: UnkeyedDecodingContainer {
    let values: [ExactJSON]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    init(values: [ExactJSON], codingPath: [any CodingKey]) {
      self.values = values
      self.codingPath = codingPath
    }

    private func decoder() throws -> JSONValueDecoder {
      guard !isAtEnd else {
        throw DecodingError.valueNotFound(
          ExactJSON.self, DecodingError.Context(codingPath: codingPath, debugDescription: "too few elements"))
      }
      return JSONValueDecoder(
        value: values[currentIndex], codingPath: codingPath + [ElementKey(index: currentIndex)])
    }
    mutating func decodeNil() throws -> Bool {
      guard try decoder().decodeNil() else { return false }
      currentIndex += 1
      return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      let value = try decoder().decode(type)
      currentIndex += 1
      return value
    }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
      let container = try decoder().container(keyedBy: type)
      currentIndex += 1
      return container
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      let container = try decoder().unkeyedContainer()
      currentIndex += 1
      return container
    }
    mutating func superDecoder() throws -> any Decoder {
      let decoder = try decoder()
      currentIndex += 1
      return decoder
    }
  }
}
