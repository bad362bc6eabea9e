import Foundation
import Testing

/// A temporary store for a test.
struct TestStore {
  let folder: TemporaryFolder
  var path: String { folder.path("store.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// Runs a command about fences on it.
  func fenceCommand(_ arguments: String...) async throws -> CommandRun {
    try await CommandRun(["fence"] + arguments + ["--store", path])
  }

  /// Runs any other command on it.
  func command(_ arguments: String...) async throws -> CommandRun {
    try await CommandRun(arguments + ["--store", path])
  }

  func permissions(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
  }
}

extension CommandRun {
  /// Whether the sqlite3 program is available, to read or damage stores.
  static let hasSQLite = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

  static let driveSource = "replay:\(drive)?speed=max"
  static let walkSource = "replay:\(walk)?speed=max"

  /// Runs a command over a pipe with the beginning of a recording in it, kills it when a condition of the shell holds, and
  /// says what it printed until then.
  ///
  /// - Parameters:
  ///   - bytes: how much of the recording goes in; `nil` for all of it.
  ///   - isReady: what is asked again and again; `$out` is the file it prints to.
  static func killed(
    _ arguments: [String], on recording: String, bytes: Int? = nil, signal: String = "KILL",
    when isReady: String
  ) async throws -> CommandRun {
    let folder = try TemporaryFolder()
    let pipe = folder.path("pipe")
    return try await CommandRun(
      shell: """
        out='\(folder.path("out"))'
        mkfifo '\(pipe)'
        '\(binary.path())' \(arguments.joined(separator: " ")) --source 'replay:\(pipe)?speed=max' >"$out" &
        run=$!
        exec 3> '\(pipe)'
        \(bytes.map { "head -c \($0)" } ?? "cat") '\(recording)' >&3 &
        until \(isReady); do sleep 0.01; done
        kill -\(signal) $run
        exec 3>&-
        wait $run
        cat "$out"
        """)
  }
}
