/// A value as a message on the bus carries it: the types that the location service speaks, and those they are made of.
package enum BusValue: Hashable, Sendable {
  case bool(Bool)
  case uint32(UInt32)
  case uint64(UInt64)
  case double(Double)
  case text(String)
  /// The path of an object; "/" is none.
  case path(String)
  /// Values of one type, whose signature is needed where there are none.
  case array(of: String, [BusValue])
  case structure([BusValue])
  indirect case entry(BusValue, BusValue)
  indirect case variant(BusValue)
  /// A value of a type that nothing here needs.
  case other

  /// The signature of its type; `nil` where it can't be told.
  package var signature: String? {
    switch self {
    case .bool: "b"
    case .uint32: "u"
    case .uint64: "t"
    case .double: "d"
    case .text: "s"
    case .path: "o"
    case .array(let element, _): "a" + element
    case .structure(let members): Self.joined(members).map { "(\($0))" }
    case .entry(let key, let value): Self.joined([key, value]).map { "{\($0)}" }
    case .variant: "v"
    case .other: nil
    }
  }

  /// The signatures of several values, one after the other.
  package static func joined(_ values: [BusValue]) -> String? {
    var joined = ""
    for value in values {
      guard let signature = value.signature else { return nil }
      joined += signature
    }
    return joined
  }

  /// A dictionary of names and values of any type.
  package static func properties(_ values: KeyValuePairs<String, BusValue>) -> BusValue {
    .array(of: "{sv}", values.map { .entry(.text($0.key), .variant($0.value)) })
  }

  /// The values by their names, where this is a dictionary of names; the first where a name is there twice.
  package var properties: [String: BusValue]? {
    guard case .array(_, let entries) = self else { return nil }
    var properties: [String: BusValue] = [:]
    for case .entry(.text(let name), let value) in entries where properties[name] == nil {
      properties[name] = value.content
    }
    return properties
  }

  /// What is inside a variant; any other value is its own content.
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
