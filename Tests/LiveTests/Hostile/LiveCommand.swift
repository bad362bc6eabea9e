import Foundation

/// A run of the built command against a peer of a test.
struct LiveCommand {
  /// The binary that was built together with these tests.
  static let binary: URL = {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    var folder = URL(filePath: bundle)
    while folder.pathComponents.contains(where: { $0.hasSuffix(".xctest") }) {
      folder.deleteLastPathComponent()
    }
    return folder.appending(path: "whereabouts")
  }()

  var code: Int32
  var output: String
  var errors: String

  /// Runs it with nothing on its standard input, and waits for its end.
  init(_ arguments: [String]) async throws {
    let line = ([Self.binary.path()] + arguments).map { "'\($0)'" }.joined(separator: " ")
    try await self.init(shell: "\(line) < /dev/null")
  }

  /// Runs a command line of the shell in which `whereabouts` is the binary; in the background, so that `$!` is its own
  /// number, it is `"$WHEREABOUTS"`.
  init(shell line: String) async throws {
    let folder = try TemporaryFolder()
    // Files and not pipes: nothing to drain, nothing to block on.
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
