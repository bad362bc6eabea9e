import Testing

/// The promises of Whereabouts; each case is reported under its own title.
@Suite struct ConformanceTests {
  @Test(arguments: EngineConformanceCase.levels) func accuracyLevels(row: EngineConformanceCase) throws {
    try row.run()
  }
  @Test(arguments: EngineConformanceCase.requests) func requests(row: EngineConformanceCase) throws {
    try row.run()
  }
  @Test(arguments: EngineConformanceCase.timeouts) func timeouts(row: EngineConformanceCase) throws {
    try row.run()
  }
  @Test(arguments: EngineConformanceCase.demands) func demand(row: EngineConformanceCase) throws {
    try row.run()
  }
  @Test(arguments: EngineConformanceCase.permission) func permission(row: EngineConformanceCase) throws {
    try row.run()
  }
  @Test(arguments: EngineConformanceCase.subscriptions) func subscriptions(row: EngineConformanceCase) throws
  { try row.run() }
  @Test(arguments: EngineConformanceCase.acceptance) func acceptance(row: EngineConformanceCase) throws {
    try row.run()
  }
  @Test(arguments: EngineConformanceCase.outliers) func outliers(row: EngineConformanceCase) throws {
    try row.run()
  }
  @Test(arguments: EngineConformanceCase.headings) func headings(row: EngineConformanceCase) throws {
    try row.run()
  }
  @Test(arguments: EngineConformanceCase.motions) func motions(row: EngineConformanceCase) throws {
    try row.run()
  }
  @Test(arguments: EngineConformanceCase.fixes) func fixes(row: EngineConformanceCase) throws {
    try row.run()
  }
  @Test(arguments: EngineConformanceCase.clocks) func clocks(row: EngineConformanceCase) throws {
    try row.run()
  }
  @Test(arguments: EngineConformanceCase.trackers) func trackers(row: EngineConformanceCase) throws {
    try row.run()
  }
  @Test(arguments: EngineConformanceCase.fences) func fences(row: EngineConformanceCase) throws {
    try row.run()
  }
  @Test(arguments: EngineConformanceCase.signal) func signal(row: EngineConformanceCase) throws {
    try row.run()
  }
  @Test(arguments: EngineConformanceCase.power) func power(row: EngineConformanceCase) throws {
    try row.run()
  }
  @Test(arguments: EngineConformanceCase.search) func search(row: EngineConformanceCase) throws {
    try row.run()
  }

  @Test(arguments: ManagerConformanceCase.requests) func managerRequests(row: ManagerConformanceCase)
    async throws
  {
    try await row.run()
  }

  @Test(arguments: ManagerConformanceCase.permission) func managerPermission(row: ManagerConformanceCase)
    async throws
  {
    try await row.run()
  }

  @Test(arguments: ManagerConformanceCase.fences) func managerFences(row: ManagerConformanceCase) async throws
  {
    try await row.run()
  }

  @Test(arguments: ManagerConformanceCase.clocks) func managerClocks(row: ManagerConformanceCase) async throws
  {
    try await row.run()
  }
}
