// `Codable` values as JSON in memory and back: for values without a form of their own in a journal, whose content
// only their type knows. Numbers keep all their digits.

/// Encodes a value.
///
/// - Returns: `nil` if encoding fails.
package func encodedJSON(_ value: some Encodable) -> ExactJSON? {
  let place = JSONNode()
  do {
    try value.encode(to: JSONNodeEncoder(place: place, codingPath: []))
  } catch {
    return nil
  }
  return place.value
}

/// A JSON node that an encoder fills in step by step.
private final class JSONNode {
  private enum Content {
    case empty
    case single(ExactJSON)
    case object([(name: String, place: JSONNode)])
    case array([JSONNode])
  }

  private var content = Content.empty

  var value: ExactJSON {
    switch content {
    case .empty: .null
    case .single(let value): value
    case .object(let members):
      .object(JSONFields(members: members.map { ($0.name, $0.place.value) }))
    case .array(let places): .array(places.map(\.value))
    }
  }

  var count: Int { if case .array(let places) = content { places.count } else { 0 } }

  func set(_ value: ExactJSON) { content = .single(value) }

  func makeObject() { if case .object = content {} else { content = .object([]) } }

  func makeArray() { if case .array = content {} else { content = .array([]) } }

  func member(_ name: String) -> JSONNode {
    let place = JSONNode()
    guard case .object(var members) = content else { return place }
    content = .empty
    members.append((name, place))
    content = .object(members)
    return place
  }

  func element() -> JSONNode {
    let place = JSONNode()
    guard case .array(var places) = content else { return place }
    content = .empty
    places.append(place)
    content = .array(places)
    return place
  }
}

private struct JSONNodeEncoder: Encoder, SingleValueEncodingContainer {
  let place: JSONNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    place.makeObject()
    return KeyedEncodingContainer(Keyed(place: place, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    place.makeArray()
    return Unkeyed(place: place, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { place.set(.null) }
  func encode(_ value: Bool) { place.set(.flag(value)) }
  func encode(_ value: String) { place.set(.text(value)) }
  func encode(_ value: Double) { place.set(.exact(value)) }
  func encode(_ value: Float) { place.set(.exact(Double(value))) }
  func encode<Value: BinaryInteger & Encodable>(_ value: Value) { place.set(.number(String(value))) }

  func encode<Value: Encodable>(_ value: Value) throws {
    switch value {
    // The standard library's own types need no other cases.
    case let value as Bool: encode(value)
    case let value as String: encode(value)
    case let value as Double: encode(value)
    case let value as Float: encode(value)
    case let value as any BinaryInteger & Encodable: encode(value)
    default: try value.encode(to: self)
    }
  }

  struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: JSONNode
    let codingPath: [any CodingKey]

    private func encoder(_ key: some CodingKey) -> JSONNodeEncoder {
      JSONNodeEncoder(place: place.member(key.stringValue), codingPath: codingPath + [key])
    }
    func encodeNil(forKey key: Key) { encoder(key).encodeNil() }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try encoder(key).encode(value) }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { encoder(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder(key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { encoder(SuperKey()) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
  }

  struct Unkeyed: UnkeyedEncodingContainer {
    let place: JSONNode
    let codingPath: [any CodingKey]
    var count: Int { place.count }

    private func encoder() -> JSONNodeEncoder {
      JSONNodeEncoder(place: place.element(), codingPath: codingPath)
    }
    func encodeNil() { encoder().encodeNil() }
    func encode<Value: Encodable>(_ value: Value) throws { try encoder().encode(value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      encoder().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder() }
  }
}

private struct SuperKey: CodingKey {
  var stringValue: String { "super" }
  var intValue: Int? { nil }
  init() {}
  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }
}

extension ExactJSON {
  /// Returns a number with all its digits; the text "nan", "inf" or "-inf" if not finite.
  package static func exact(_ number: Double) -> ExactJSON {
    guard number.isFinite else { return .text(number.isNaN ? "nan" : number > 0 ? "inf" : "-inf") }
    var digits: [UInt8] = []
    digits.appendJSON(number, .exact)
    return .number(String(decoding: digits, as: UTF8.self))
  }
}

extension [UInt8] {
  /// Appends a member of any value.
  package mutating func appendJSONMember(_ key: StaticString, _ value: ExactJSON) {
    appendJSONKey(key)
    appendJSON(value)
  }

  /// Appends any value, with its members in their order.
  package mutating func appendJSON(_ value: ExactJSON) {
    switch value {
    case .null: append("null")
    case .flag(let flag): appendJSON(flag)
    case .number(let digits): append(contentsOf: digits.utf8)
    case .text(let text): appendJSONString(text)
    case .array(let values): appendJSONArray(values) { $0.appendJSON($1) }
    case .object(let fields):
      appendJSONObject {
        for (name, value) in fields.members {
          $0.appendJSONKey(named: name)
          $0.appendJSON(value)
        }
      }
    }
  }
}
