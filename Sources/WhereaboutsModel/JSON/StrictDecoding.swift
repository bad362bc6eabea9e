private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  package func dataCorrupted(_ text: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: text))
  }

  /// Returns a container for an object that has no other members than these.
  package func strictContainer<Key: CodingKey & CaseIterable>(_ type: Key.Type) throws
    -> KeyedDecodingContainer<Key>
  {
    let known = Key.allCases.map(\.stringValue)
    for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
      throw dataCorrupted("\(key.stringValue) is unknown. Known are \(known.joined(separator: ", "))")
    }
    return try container(keyedBy: type)
  }
}

extension KeyedDecodingContainer {
  /// Returns a duration in seconds, `nil` where it is missing; throws where it is too long to represent.
  package func seconds(_ key: Key) throws -> Duration? {
    guard let seconds = try decodeIfPresent(Double.self, forKey: key) else { return nil }
    guard seconds.magnitude < 1e9 else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "no number of seconds")
    }
    return .seconds(seconds)
  }
}
