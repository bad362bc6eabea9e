/// Values that say themselves how they are written, as text of JSON: for files that only this package reads.
package enum CodedJSON {
  /// A value as one line without its end; `nil` where the value refuses.
  package static func bytes(of value: some Encodable) -> [UInt8]? {
    guard let json = encodedJSON(value) else { return nil }
    var bytes: [UInt8] = []
    bytes.append(json)
    return bytes
  }

  /// The value that a JSON object is; `nil` where it is none, or not one of these.
  package static func value<Value: Decodable>(_ type: Value.Type, in bytes: [UInt8]) -> Value? {
    bytes.withUnsafeBytes { text in
      var scanner = JSONScanner(text)
      guard let fields = scanner.wholeObject() else { return nil }
      return try? ExactJSON.object(fields).decoded(as: type)
    }
  }
}
