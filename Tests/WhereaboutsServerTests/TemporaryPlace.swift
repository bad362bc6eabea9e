import Foundation

/// A temporary folder, removed with its owner.
final class TemporaryPlace: Sendable {
  private let url: URL

  init() throws {
    // The path of a Unix socket has 107 bytes at most, and a folder for temporary files may be deep.
    let usual = FileManager.default.temporaryDirectory
    let parent = usual.path().utf8.count <= 30 ? usual : URL(filePath: "/tmp")
    url = parent.appending(path: "whereabouts-server-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.path() + "/" + name }

  /// Writes a file and returns its path.
  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(filePath: path(name)))
    return path(name)
  }
}
