import Testing

/// What Whereabouts promises, sentence by sentence; each row shows under its own name.
@Suite struct ConformanceTests {
  @Test(arguments: Row.levels) func accuracyLevels(row: Row) throws { try row.play() }
}
