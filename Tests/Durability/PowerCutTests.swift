import Testing
import WhereaboutsTesting

/// The content of a modelled disk after a power cut; `DiskModel` documents the model and its limits.
@Suite struct PowerCutTests {
  /// The more commits, the more of the cuts are in or after one of the log's being put into the database.
  @Test(arguments: PropertyCases.every(2, of: [(1, 100), (2, 300)]))
  func durableCommitsSurviveAndOthersAreWholeOrAbsent(seed: Int, commits: Int) async throws {
    let run = try await Runner(["cuts", "--count", "20", "--seed", "\(seed)", "--commits", "\(commits)"])
    #expect(run.succeeded, run.text)
  }

  /// Checks that the model detects a violation.
  @Test func skippedSyncsAreDetected() async throws {
    let run = try await Runner(["cuts", "--count", "6", "--seed", "3", "--skips-syncs", "yes"])
    #expect(run.lines.last == "violated" && run.lines.contains { $0.contains("was power-safe") }, run.text)
  }
}
