import Foundation
import Testing

/// The first session of a document is what the command says.
@Suite struct ReadmeSessionTests {
  /// The commands of a document's first session, each with its stated output.
  private static func session(of document: String) throws -> [(command: String, output: String)] {
    let file = SampleTests.folder.deletingLastPathComponent().appending(path: document)
    let blocks = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n```\n")
    let block = try #require(blocks.first { $0.hasPrefix("$ ") })
    return block.components(separatedBy: "$ whereabouts ").dropFirst().map { step in
      let lines = step.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let output = lines.last.map { $0.trimmingCharacters(in: .newlines) } ?? ""
      return ("whereabouts \(lines[0])", output)
    }
  }

  @Test(arguments: [("README.md", 2), ("docs/days.md", 1)])
  func sessionMatchesOutput(document: String, count: Int) async throws {
    let session = try Self.session(of: document)
    #expect(session.count == count)
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
