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

  /// Lines of the shell that feed a number of bytes of the drive to a command on its descriptor 3, and wait until the command
  /// has stored all but the last instant, which waits for the next one. From then on the command leaves its store alone.
  /// The command is the last one that was started in the background.
  ///
  /// - Parameter bytes: at most 30,000: all fixes until there are whole.
  static func fed(_ bytes: Int, to store: String) -> String {
    """
    head -c \(bytes) '\(drive)' >&3
    fixes=$(head -c \(bytes) '\(drive)' | grep -c 'RMC,[^,]*,A')
    saved() { '\(binary.path())' history --json --since 2000-01-01 --store '\(store)' 2>/dev/null | wc -l; }
    has_saved() { [ "$(saved)" -ge $((fixes - 1)) ]; }
    wait_for $! has_saved
    """
  }

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
        is_ready() { \(isReady); }
        wait_for $run is_ready
        kill -\(signal) $run
        exec 3>&-
        wait $run
        cat "$out"
        """)
  }
}
