import CommandTestSupport
import Foundation

/// A run of the built command against a peer of a test.
struct LiveCommand {
  /// The binary built with these tests.
  static let binary = BuiltCommand.url

  var code: Int32
  var output: String
  var errors: String

  /// Runs the command with empty standard input and waits for its end.
  init(_ arguments: [String]) async throws {
    let line = ([Self.binary.path()] + arguments).map { "'\($0)'" }.joined(separator: " ")
    try await self.init(shell: "\(line) < /dev/null")
  }

  /// Runs the command until its result is the expected one, at most five times. Where the machine stands still for seconds,
  /// a command may end before it has seen the fault of its peer.
  static func repeated(
    _ run: () async throws -> LiveCommand, until isExpected: (LiveCommand) -> Bool
  ) async throws -> LiveCommand {
    var last = try await run()
    for _ in 0..<4 where !isExpected(last) { last = try await run() }
    return last
  }

  /// Runs a shell command line in which `whereabouts` is the binary. In the background use `"$WHEREABOUTS"`, so that
  /// `$!` is the process number of the binary.
  init(shell line: String) async throws {
    let folder = try TemporaryFolder()
    // Files instead of pipes: a pipe must be drained and can block.
    let script = """
      WHEREABOUTS='\(Self.binary.path())'
      whereabouts() { '\(Self.binary.path())' "$@"; }
      { \(line)
      } > '\(folder.path)/output' 2> '\(folder.path)/errors'
      """
    let process = try LiveProcess("/bin/bash", ["-c", script])
    code = await process.end()
    output = try String(contentsOfFile: "\(folder.path)/output", encoding: .utf8)
    errors = try String(contentsOfFile: "\(folder.path)/errors", encoding: .utf8)
  }
}
