import Foundation

/// Recordings that are not part of the package: beside it, or where `WHEREABOUTS_DATA` says.
enum SharedData {
  static let root: URL = {
    if let path = ProcessInfo.processInfo.environment["WHEREABOUTS_DATA"] {
      return URL(fileURLWithPath: path)
    }
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { package.deleteLastPathComponent() }
    return package.deletingLastPathComponent().appendingPathComponent("shared/data")
  }()

  /// Whether a file or folder is there.
  static func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }

  /// The paths of a folder's files with that extension.
  static func files(_ folder: String, _ fileExtension: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
    return (names ?? []).filter { $0.hasSuffix("." + fileExtension) }.sorted().map { "\(folder)/\($0)" }
  }

  /// A file's bytes.
  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: root.appendingPathComponent(path)))
  }

  /// The rows of a table of tab-separated values, each by the names of its header.
  static func table(_ path: String) -> [[String: String]] {
    guard let bytes = try? bytes(path) else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let header = lines.first?.split(separator: "\t", omittingEmptySubsequences: false) else {
      return []
    }
    return lines.dropFirst().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      return Dictionary(uniqueKeysWithValues: zip(header, fields).map { (String($0), String($1)) })
    }
  }
}
