/// A value in a D-Bus message: the types that the location service uses, and their element types.
package enum BusValue: Hashable, Sendable {
  case bool(Bool)
  case uint32(UInt32)
  case uint64(UInt64)
  case double(Double)
  case text(String)
  /// The path of an object; "/" for none.
  case path(String)
  /// Values of one type; the signature is needed for an empty array.
  case array(of: String, [BusValue])
  case structure([BusValue])
  indirect case entry(BusValue, BusValue)
  indirect case variant(BusValue)
  /// A value of an unsupported type.
  case other

  /// The signature of the type; `nil` if unknown.
  package var signature: String? {
    switch self {
    case .bool: "b"
    case .uint32: "u"
    case .uint64: "t"
    case .double: "d"
    case .text: "s"
    case .path: "o"
    case .array(let element, _): "a" + element
    case .structure(let members): Self.joinedSignature(members).map { "(\($0))" }
    case .entry(let key, let value): Self.joinedSignature([key, value]).map { "{\($0)}" }
    case .variant: "v"
    case .other: nil
    }
  }

  /// Returns the signatures of several values, joined.
  package static func joinedSignature(_ values: [BusValue]) -> String? {
    var joined = ""
    for value in values {
      guard let signature = value.signature else { return nil }
      joined += signature
    }
    return joined
  }

  /// Returns a dictionary of names and values of any type.
  package static func properties(_ values: KeyValuePairs<String, BusValue>) -> BusValue {
    .array(of: "{sv}", values.map { .entry(.text($0.key), .variant($0.value)) })
  }

  /// The values by name if this is a dictionary of names; the first of two with the same name.
  package var properties: [String: BusValue]? {
    guard case .array(_, let entries) = self else { return nil }
    var properties: [String: BusValue] = [:]
    for case .entry(.text(let name), let value) in entries where properties[name] == nil {
      properties[name] = value.content
    }
    return properties
  }

  /// The value inside a variant; for other types, the value itself.
  package var content: BusValue {
    if case .variant(let value) = self { value.content } else { self }
  }

  package var asText: String? {
    if case .text(let text) = content { text } else { nil }
  }

  package var asPath: String? {
    if case .path(let path) = content { path } else { nil }
  }

  package var asDouble: Double? {
    if case .double(let number) = content { number } else { nil }
  }

  package var asBool: Bool? {
    if case .bool(let flag) = content { flag } else { nil }
  }

  package var asNumber: UInt64? {
    switch content {
    case .uint32(let number): UInt64(number)
    case .uint64(let number): number
    default: nil
    }
  }
}
