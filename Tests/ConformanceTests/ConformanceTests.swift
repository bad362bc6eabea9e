import Testing

/// What Whereabouts promises, sentence by sentence; each row shows under its own name.
@Suite struct ConformanceTests {
  @Test(arguments: Row.levels) func accuracyLevels(row: Row) throws { try row.play() }
  @Test(arguments: Row.requests) func requests(row: Row) throws { try row.play() }
  @Test(arguments: Row.timeouts) func timeouts(row: Row) throws { try row.play() }
  @Test(arguments: Row.demands) func demand(row: Row) throws { try row.play() }
  @Test(arguments: Row.permission) func permission(row: Row) throws { try row.play() }
  @Test(arguments: Row.subscriptions) func subscriptions(row: Row) throws { try row.play() }
  @Test(arguments: Row.acceptance) func acceptance(row: Row) throws { try row.play() }
  @Test(arguments: Row.outliers) func outliers(row: Row) throws { try row.play() }
  @Test(arguments: Row.headings) func headings(row: Row) throws { try row.play() }
  @Test(arguments: Row.motions) func motions(row: Row) throws { try row.play() }
  @Test(arguments: Row.fixes) func fixes(row: Row) throws { try row.play() }
  @Test(arguments: Row.clocks) func clocks(row: Row) throws { try row.play() }
  @Test(arguments: Row.trackers) func trackers(row: Row) throws { try row.play() }
  @Test(arguments: Row.fences) func fences(row: Row) throws { try row.play() }
  @Test(arguments: Row.signal) func signal(row: Row) throws { try row.play() }
  @Test(arguments: Row.power) func power(row: Row) throws { try row.play() }
  @Test(arguments: Row.search) func search(row: Row) throws { try row.play() }

  @Test(arguments: ManagerRow.requests) func requestsOfAManager(row: ManagerRow) async throws {
    try await row.play()
  }

  @Test(arguments: ManagerRow.permission) func permissionOfAManager(row: ManagerRow) async throws {
    try await row.play()
  }

  @Test(arguments: ManagerRow.fences) func fencesOfAManager(row: ManagerRow) async throws {
    try await row.play()
  }

  @Test(arguments: ManagerRow.clocks) func clocksOfAManager(row: ManagerRow) async throws {
    try await row.play()
  }
}
