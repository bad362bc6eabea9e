import FaultyDisk
import Foundation

/// A process for tests with kills, full disks and power cuts. The first argument is the task; the others are options,
/// as `--name value`.
@main struct DurabilityRunner {
  static func main() async {
    do {
      let options = try RunnerOptions(Array(CommandLine.arguments.dropFirst()))
      guard faulty_disk_install() else { throw RunnerError("no SQLite") }
      switch options.task {
      case "replay": try await ReplayRun(options).run()
      case "kills": try await KillRun(options).run()
      case "uploads": try await UploadKillRun(options).run()
      case "send": try await SendRun(options).run()
      case "hammer": try await HammerRun(options).run()
      case "cuts": try await PowerCutRun(options).run()
      case "watchers":
        var run = try WatcherRun(options)
        try await run.run()
      case "server":
        var run = try ServerRun(options)
        try await run.run()
      case "erase":
        var run = EraseRun(options)
        try await run.run()
      case "crowd": try await ConcurrentWriterRun(options).run()
      case "problem":
        var run = try ProblemRun(options)
        try await run.run()
      default: throw RunnerError("unknown task: \(options.task)")
      }
    } catch {
      printLine("failed: \(error)")
      exit(1)
    }
  }
}

/// A failure of the runner itself.
struct RunnerError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The task and options of the command line.
struct RunnerOptions {
  let task: String
  private var values: [String: String] = [:]

  init(_ arguments: [String]) throws {
    guard let task = arguments.first else { throw RunnerError("No task. Pass a task as the first argument.") }
    self.task = task
    var rest = arguments.dropFirst()
    while let name = rest.popFirst() {
      guard name.hasPrefix("--"), let value = rest.popFirst() else {
        throw RunnerError("Unexpected argument \(name). Pass options as --name value.")
      }
      values[String(name.dropFirst(2))] = value
    }
  }

  func text(_ name: String) throws -> String {
    guard let value = values[name] else { throw RunnerError("Option --\(name) is missing.") }
    return value
  }

  func optionalText(_ name: String) -> String? { values[name] }

  func number(_ name: String, default value: UInt64) throws -> UInt64 {
    guard let text = values[name] else { return value }
    guard let number = UInt64(text) else { throw RunnerError("Option --\(name) is not a number: \(text)") }
    return number
  }

  /// Returns the path of the `whereabouts` that was built together with this program.
  func program() throws -> String {
    let runner = URL(fileURLWithPath: CommandLine.arguments[0])
    let program = runner.deletingLastPathComponent().appendingPathComponent("whereabouts").path
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw RunnerError("there is no whereabouts beside \(runner.path)")
    }
    return program
  }
}

/// Prints a line and flushes it, so that a kill does not lose it.
func printLine(_ line: String) {
  print(line)
  fflush(nil)
}
