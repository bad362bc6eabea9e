import Foundation

/// A child process, by default of this program.
struct ChildProcess {
  /// The end of a process.
  struct Termination {
    /// The printed lines.
    var lines: [String]
    /// Whether the process was killed.
    var isKilled: Bool
    /// The run time in seconds.
    var seconds: Double

    /// Whether the process completed its run.
    var isDone: Bool { lines.last == "done" }

    /// Returns the rest of the last line that starts with a word.
    func value(_ word: String) -> String? {
      lines.last { $0.hasPrefix(word + " ") }.map { String($0.dropFirst(word.count + 1)) }
    }
  }

  /// The time in seconds after which a process has hung. No slow machine reaches it, and it is less than the half hour after
  /// which the continuous run kills its tests and all that they know.
  static let timeLimit = 1500.0

  private let process = Process()
  /// Signalled at the end. `Process.waitUntilExit` may spin forever on a thread that runs tasks.
  private let ended = DispatchSemaphore(value: 0)
  private let output: URL
  private let start = Date()

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - program: the program to run; `nil` runs this program.
  ///   - folder: a folder for the output.
  init(_ arguments: [String], of program: String? = nil, in folder: URL) throws {
    output = folder.appendingPathComponent("output-\(UUID().uuidString)")
    guard FileManager.default.createFile(atPath: output.path, contents: nil) else {
      throw RunnerError("can't write \(output.path)")
    }
    process.executableURL = URL(fileURLWithPath: program ?? CommandLine.arguments[0])
    process.arguments = arguments
    let file = try FileHandle(forWritingTo: output)
    process.standardOutput = file
    process.standardError = file
    process.terminationHandler = { [ended] _ in ended.signal() }
    try process.run()
    try file.close()
  }

  /// Kills the process with SIGKILL after a number of seconds.
  func kill(after seconds: Double) {
    usleep(UInt32(seconds * 1e6))
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
  }

  /// Waits for the end of the process, for at most 25 minutes.
  ///
  /// - Parameter codes: exit codes that are no failure.
  func end(allowing codes: Set<Int32> = [0]) throws -> Termination {
    let pid = process.processIdentifier
    let guardian = DispatchWorkItem { Foundation.kill(pid, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.timeLimit, execute: guardian)
    ended.wait()
    guardian.cancel()
    let seconds = Date().timeIntervalSince(start)
    defer { try? FileManager.default.removeItem(at: output) }
    let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n").map(String.init)
    guard seconds < Self.timeLimit else { throw RunnerError("a process hung: \(lines.suffix(3))") }
    let isKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    guard isKilled || process.terminationReason == .exit && codes.contains(process.terminationStatus) else {
      throw RunnerError(
        "a process failed (\(process.terminationStatus)): \(lines.suffix(20).joined(separator: " / "))")
    }
    return Termination(lines: lines, isKilled: isKilled, seconds: seconds)
  }
}

/// A temporary folder for one run.
struct WorkFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("durability-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func remove() { try? FileManager.default.removeItem(at: url) }
}
