import Testing

/// What is left after a power cut, in a model of a disk; `DiskModel` says what it takes into account and what not.
@Suite(.timeLimit(.minutes(2))) struct PowerCutTests {
  @Test(arguments: [1, 2]) func whatWasSureIsThereAndWhatWasNotIsWholeOrAbsent(seed: Int) async throws {
    let run = try await Runner(["cuts", "--count", "20", "--seed", "\(seed)"])
    #expect(run.isFine, run.text)
  }

  /// What shows that the model finds anything at all.
  @Test func aDiskThatDoesNotSyncIsFoundOut() async throws {
    let run = try await Runner(["cuts", "--count", "6", "--seed", "3", "--skips-syncs", "yes"])
    #expect(run.lines.last == "violated" && run.lines.contains { $0.contains("was sure") }, run.text)
  }
}
