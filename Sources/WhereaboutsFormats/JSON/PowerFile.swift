package import WhereaboutsModel

/// A file of power settings; docs/power.md describes the form.
package enum PowerFile {
  /// The reason why a file is refused.
  package struct ParseError: Error {
    /// The place and the reason, as a message.
    package let message: String
  }

  /// Returns the settings in a file.
  package static func settings(_ bytes: [UInt8]) throws(ParseError) -> PowerSettings {
    let fields = bytes.withUnsafeBytes { text in
      var scanner = JSONScanner(text)
      return scanner.wholeObject()
    }
    guard let fields else { throw ParseError(message: "it is no JSON object") }
    do { return try ExactJSON.object(fields).decoded(as: PowerSettings.self) } catch {
      throw ParseError(message: JSONFileMistake.explanation(of: error))
    }
  }
}
