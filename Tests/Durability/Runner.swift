import Foundation
import Testing

/// A run of the program that is killed and looked at: `DurabilityRunner`, beside the tests.
struct Runner {
  /// The printed lines.
  let lines: [String]

  /// Runs a task of it to its end.
  ///
  /// - Parameter folder: the mount point of a small empty disk; `nil` without one.
  init(_ arguments: [String], onDiskAt folder: String? = nil) async throws {
    let path = try #require(Self.path, "DurabilityRunner is not beside the tests")
    let command = folder.map { Self.onSmallDisk([path] + arguments, at: $0) } ?? [path] + arguments
    lines = try await Task.detached {
      let process = Process(), pipe = Pipe()
      process.executableURL = URL(fileURLWithPath: command[0])
      process.arguments = Array(command.dropFirst())
      process.standardOutput = pipe
      try process.run()
      // The output ends with the process; `waitUntilExit` may spin forever on a thread of the tests' pool.
      let data = pipe.fileHandleForReading.readDataToEndOfFile()
      return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }.value
  }

  /// Whether the runner found no violation; otherwise its lines state the violations.
  var succeeded: Bool { lines.last == "done" && !lines.contains { $0.hasPrefix("violated") } }

  /// The output, for the message of a failed test.
  var text: Comment { Comment(rawValue: lines.joined(separator: "\n")) }

  /// A command that sees a disk of 3 MB at a folder, which is gone with it. It needs Linux, and namespaces.
  static func onSmallDisk(_ command: [String], at folder: String) -> [String] {
    let script = "mount -t tmpfs -o size=3m none \"$0\" && exec \"$@\""
    return ["/usr/bin/env", "unshare", "-Urm", "sh", "-c", script, folder] + command
  }

  private static let path: String? = {
    // The tests of a package are a bundle or a program in the folder in which its programs are.
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<5 {
      let candidate = folder.appendingPathComponent("DurabilityRunner").path
      if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
      folder.deleteLastPathComponent()
    }
    return nil
  }()
}
