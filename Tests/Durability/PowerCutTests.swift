import Testing
import WhereaboutsTesting

/// What is left after a power cut, in a model of a disk; `DiskModel` says what it takes into account and what not.
@Suite struct PowerCutTests {
  /// The more commits, the more of the cuts are in or after one of the log's being put into the database.
  @Test(arguments: PropertyCases.every(2, of: [(1, 100), (2, 300)]))
  func durableCommitsSurviveAndOthersAreWholeOrAbsent(seed: Int, commits: Int) async throws {
    let run = try await Runner(["cuts", "--count", "20", "--seed", "\(seed)", "--commits", "\(commits)"])
    #expect(run.succeeded, run.text)
  }

  /// What shows that the model finds anything at all.
  @Test func skippedSyncsAreDetected() async throws {
    let run = try await Runner(["cuts", "--count", "6", "--seed", "3", "--skips-syncs", "yes"])
    #expect(run.lines.last == "violated" && run.lines.contains { $0.contains("was power-safe") }, run.text)
  }
}
