/// A coder of `Codable` values as JSON text, for files that only this package reads.
package enum CodedJSON {
  /// Returns a value as one line without its end; `nil` if encoding fails.
  package static func bytes(of value: some Encodable) -> [UInt8]? {
    guard let json = encodedJSON(value) else { return nil }
    var bytes: [UInt8] = []
    bytes.appendJSON(json)
    return bytes
  }

  /// Returns the value of a JSON object; `nil` if the bytes are no object, or no such value.
  package static func value<Value: Decodable>(_ type: Value.Type, in bytes: [UInt8]) -> Value? {
    bytes.withUnsafeBytes { text in
      var scanner = JSONScanner(text)
      guard let fields = scanner.wholeObject() else { return nil }
      return try? ExactJSON.object(fields).decoded(as: type)
    }
  }
}
