import WhereaboutsFormats

/// A JSON file of settings that a person has written. Unknown members are refused.
package enum SettingsFile {
  /// A mistake in a file.
  package struct ParseError: Error, Hashable, Sendable {
    /// The place and the remedy.
    package let message: String
  }

  /// The greatest size of a file in bytes.
  private static let maximumSize = 1 << 20

  /// Returns the content of a file, and the folder to which the paths in it are relative, with a slash at its end.
  static func content<Content: Decodable>(
    _ type: Content.Type, atPath path: String
  ) throws(ParseError) -> (Content, folder: String) {
    let bytes: [UInt8]
    do throws(FileReadError) { bytes = try readFile(path, upTo: maximumSize + 1) } catch {
      throw ParseError(
        message: "The file can't be read: \(error.reason). Check the path and who may read it.")
    }
    guard bytes.count <= maximumSize else {
      throw ParseError(message: "The file is larger than 1 MiB. These are no settings.")
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return (try content(type, bytes), folder)
  }

  /// Returns the content of the bytes of a file.
  static func content<Content: Decodable>(
    _ type: Content.Type, _ bytes: [UInt8]
  ) throws(ParseError) -> Content {
    do { return try decoded(type, bytes) } catch let error as ParseError {
      throw error
    } catch { throw ParseError(message: JSONFileMistake.explanation(of: error)) }
  }

  private static func decoded<Content: Decodable>(_ type: Content.Type, _ bytes: [UInt8]) throws -> Content {
    let fields: Result<JSONFields, ParseError> = bytes.withUnsafeBytes { text in
      var scanner = JSONScanner(text)
      if let fields = scanner.wholeObject() { return .success(fields) }
      let line = text.prefix(scanner.position).count { $0 == 0x0A } + 1
      return .failure(ParseError(message: "line \(line): This is no JSON object."))
    }
    return try ExactJSON.object(fields.get()).decoded(as: type)
  }
}

// MARK: - Values

extension KeyedDecodingContainer {
  /// Returns a value whose text has the form of a setting; `nil` if there is none.
  func setting<Value>(
    _ key: Key, _ form: String, _ parse: (SettingText) -> Value?
  ) throws -> Value? {
    guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
    guard let value = parse(SettingText(text: text)) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "\"\(text)\" must be \(form).")
    }
    return value
  }

  /// Returns one of the texts of an enumeration; `nil` if there is none.
  func choice<Value: RawRepresentable<String> & CaseIterable>(_ key: Key) throws -> Value? {
    let all = Value.allCases.map(\.rawValue).joined(separator: ", ")
    return try setting(key, "one of \(all)") { Value(rawValue: $0.text) }
  }
}
