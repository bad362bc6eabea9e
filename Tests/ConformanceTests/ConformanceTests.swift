import Testing

/// What Whereabouts promises, sentence by sentence; each row shows under its own name.
@Suite(.timeLimit(.minutes(1))) struct ConformanceTests {
  @Test(arguments: Row.levels) func accuracyLevels(row: Row) throws { try row.play() }
  @Test(arguments: Row.clocks) func clocks(row: Row) throws { try row.play() }
}
