import Foundation
import Testing

/// Recordings of the test kit go the whole way through the command, and the answers are compared with recorded ones. No other
/// data is needed.
///
/// With `RECORD=1` in the environment the answers are rewritten, and the test fails. An answer that
/// changed is read beside the true length in its first line before it is committed.
@Suite struct GoldenTrackTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Expected")

  @Test(arguments: GoldenTrack.all) func answersAreAsRecorded(_ golden: GoldenTrack) async throws {
    let folder = try TemporaryFolder()
    let recording = try folder.file("\(golden.name).jsonl", golden.recording())
    let way = try await CommandRun(["replay", "--track", recording])
    let crossings = try await CommandRun(["replay", "--fences", CommandRun.places, recording])
    #expect(way.code == 0 && way.errors == "")
    #expect(crossings.code == 0 && crossings.errors == "")
    let length = String(format: "%.0f", golden.length)
    let text = "True length: \(length) m\n\n\(way.output)\n\(crossings.output)"
      .replacing(recording, with: "\(golden.name).jsonl")
    try compare(text, with: Self.folder.appending(path: "\(golden.name).txt"))
  }

  private func compare(_ text: String, with file: URL) throws {
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      Issue.record("\(file.lastPathComponent) was written anew")
      return
    }
    let expected = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let lines = text.split(separator: "\n")
    #expect(lines == expected, "other answers than in \(file.lastPathComponent)")
  }
}
