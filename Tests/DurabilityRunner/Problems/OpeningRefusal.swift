import Foundation
import Whereabouts
import WhereaboutsStore

/// A problem that prevents the opening of a store until a person solves it.
struct OpeningRefusal {
  /// The accepted error codes.
  let codes: [StoreError.Code]
  /// Whether the content is available again at the end.
  let isRecoverable: Bool
  private let kind: String
  private let path: String

  init(_ kind: String, path: String) throws {
    self.kind = kind
    self.path = path
    codes =
      switch kind {
      case "read-only-file", "read-only-folder": [.readOnly, .notPermitted]
      case "no-database", "others": [.corrupt]
      case "newer": [.newerVersion]
      default: throw RunnerError("no problem \(kind)")
      }
    isRecoverable = kind != "no-database" && kind != "others"
  }

  private var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  func begin() throws {
    switch kind {
    case "read-only-file": try setMode(0o400, path)
    case "read-only-folder": try setMode(0o500, folder)
    case "no-database": try replace(Data(repeating: 0x41, count: 20_000))
    case "others":
      try replace(nil)
      try SQLiteProgram.run("CREATE TABLE song (title TEXT)", on: path)
    default: try SQLiteProgram.run("PRAGMA user_version = 99", on: path)
    }
  }

  func end() throws {
    switch kind {
    case "read-only-file": try setMode(0o600, path)
    case "read-only-folder": try setMode(0o700, folder)
    case "newer": try SQLiteProgram.run("PRAGMA user_version = \(StoreSchema.version)", on: path)
    default: break
    }
  }

  private func setMode(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  private func replace(_ content: Data?) throws {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    if let content { try content.write(to: URL(fileURLWithPath: path)) }
  }
}
