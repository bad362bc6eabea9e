import Foundation

/// Writes the files of a folder as a Swift source: `DocumentEmbedder FOLDER OUTPUT`.
///
/// Each file becomes a static property of the enum `Documents`, named for the file: `openapi.json` is `openapi_json`.
/// The files of a folder within become the table of its name: `Page/app.js` is in `page`, by the name `app.js`.
@main struct DocumentEmbedder {
  static func main() throws {
    guard CommandLine.arguments.count == 3 else { throw Failure("usage: DocumentEmbedder FOLDER OUTPUT") }
    let source = try source(of: URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true))
    try source.write(toFile: CommandLine.arguments[2], atomically: true, encoding: .utf8)
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  /// Returns the source of the enum.
  private static func source(of folder: URL) throws -> String {
    var lines = ["/// The files of the folder `Documents`, as they are.", "enum Documents {"]
    for file in try contents(of: folder) {
      if isFolder(file) {
        lines.append("  static let \(identifier(file.lastPathComponent.lowercased())): [String: [UInt8]] = [")
        for part in try contents(of: file) {
          guard !isFolder(part), served.contains(part.pathExtension) else {
            throw Failure("\(part.path): only files are served, of the kinds \(served.sorted())")
          }
          lines.append("\"\(part.lastPathComponent)\": \(try literal(of: part)),")
        }
        lines.append("  ]")
      } else {
        lines.append("  static let \(identifier(file.lastPathComponent)): [UInt8] = \(try literal(of: file))")
      }
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  /// The kinds of files that a folder may have: a copy that an editor left must not be published.
  private static let served: Set = ["css", "html", "js", "png", "svg", "txt", "webmanifest"]

  /// Returns the entries of a folder by name, hidden ones left out.
  private static func contents(of folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { !$0.lastPathComponent.hasPrefix(".") }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  private static func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Returns the name of a property: letters and digits, with `_` for all else.
  private static func identifier(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  /// Returns an expression that has the bytes of a file.
  private static func literal(of file: URL) throws -> String {
    let bytes = try Data(contentsOf: file)
    // A literal of several lines has no carriage returns, and control characters belong in no source.
    guard let text = String(data: bytes, encoding: .utf8),
      text.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x0A || $0 == 0x09 })
    else { return "[\(bytes.map { String($0) }.joined(separator: ","))]" }
    // As many marks as the text never has after a quotation mark or a backslash.
    var marks = "#"
    while text.contains("\"" + marks) || text.contains("\\" + marks) { marks += "#" }
    return "Array(\(marks)\"\"\"\n\(text)\n\"\"\"\(marks).utf8)"
  }
}
