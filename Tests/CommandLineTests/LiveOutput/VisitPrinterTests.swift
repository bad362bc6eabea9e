import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsTesting

@Suite struct VisitPrinterTests {
  /// The source goes on trying, and no command waits for it.
  @Test func problemThatWaitingDoesNotRepairIsTheError() async throws {
    let source = ScriptedSource(), clock = StepClock()
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let visits = manager.visits()
    let watching = Task {
      var lines = try LiveLineWriter(limit: nil)
      try await VisitPrinter(isJSON: false).run(visits, manager, &lines)
    }
    let problem = SourceProblem(.notPermitted, message: "read the newest fix", remedy: "Pass another token.")
    await source.emit(.unavailable(problem))
    await #expect(throws: CommandError(problem)) { try await watching.value }
  }
}
