import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsSystem

/// A file of alerts; docs/alerts.md describes its form.
///
/// Unknown members are refused: an alert with a mistyped condition would notify too often.
package enum AlertFile {
  /// A mistake in a file.
  package struct ParseError: Error, Hashable, Sendable {
    /// The place and the remedy.
    package let message: String
  }

  /// The greatest size of a file in bytes.
  private static let maximumSize = 1 << 20

  /// Reads a file. Other files that it names are relative to its folder.
  package static func settings(atPath path: String) throws(ParseError) -> AlertSettings {
    guard let bytes = readFile(path, upTo: maximumSize + 1) else {
      let reason = String(cString: strerror(errno))
      throw ParseError(message: "The file can't be read: \(reason). Check the path and who may read it.")
    }
    guard bytes.count <= maximumSize else {
      throw ParseError(message: "The file is larger than 1 MiB. These are no alerts.")
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return try settings(bytes, folder: folder)
  }

  /// Reads the content of a file.
  ///
  /// - Parameter folder: the folder of other files, with a slash at its end.
  static func settings(_ bytes: [UInt8], folder: String) throws(ParseError) -> AlertSettings {
    let content: AlertFileContent
    do { content = try decode(bytes) } catch let error as ParseError {
      throw error
    } catch { throw ParseError(message: JSONFileMistake.explanation(of: error)) }
    return try content.settings(folder: folder)
  }

  private static func decode(_ bytes: [UInt8]) throws -> AlertFileContent {
    let fields: Result<JSONFields, ParseError> = bytes.withUnsafeBytes { text in
      var scanner = JSONScanner(text)
      if let fields = scanner.wholeObject() { return .success(fields) }
      let line = text.prefix(scanner.position).count { $0 == 0x0A } + 1
      return .failure(ParseError(message: "line \(line): This is no JSON object."))
    }
    return try ExactJSON.object(fields.get()).decoded(as: AlertFileContent.self)
  }
}
