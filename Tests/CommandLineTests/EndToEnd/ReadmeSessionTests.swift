import Foundation
import Testing

/// The session that the README begins with is what the command says.
@Suite struct ReadmeSessionTests {
  /// The commands of the README's first block, each with its stated output.
  private static func session() throws -> [(command: String, output: String)] {
    let readme = SampleTests.folder.deletingLastPathComponent().appending(path: "README.md")
    let blocks = try String(contentsOf: readme, encoding: .utf8).components(separatedBy: "\n```\n")
    let block = try #require(blocks.first { $0.hasPrefix("$ ") })
    return block.components(separatedBy: "$ whereabouts ").dropFirst().map { step in
      let lines = step.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let output = lines.last.map { $0.trimmingCharacters(in: .newlines) } ?? ""
      return ("whereabouts \(lines[0])", output)
    }
  }

  @Test func readmeSessionMatchesOutput() async throws {
    let session = try Self.session()
    #expect(session.count == 2)
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("Samples"), withDestinationPath: SampleTests.folder.path())
    for (command, output) in session {
      let run = try await CommandRun(shell: "cd '\(folder.path("."))' && \(command)")
      #expect(run.output.trimmingCharacters(in: .newlines) == output, "\(command)")
      #expect(run.code == 0)
    }
  }
}
