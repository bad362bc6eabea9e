import Testing
import WhereaboutsModel

@testable import WhereaboutsOperations

@Suite struct SourceProblemReporterTests {
  private static func health(remedy: String?) -> SourceHealth {
    SourceHealth(
      name: "gpsd", state: .failed, since: Moment(instant: .start, wall: nil),
      problem: SourceProblem(.unreachable, message: "reach gpsd", remedy: remedy))
  }

  @Test func reportOfAWaitEndsEachSentenceOnce() {
    #expect(
      SourceProblemReporter.waitingText(Self.health(remedy: "Start it."))
        == "gpsd: could not reach gpsd. Start it. Waiting.")
    #expect(
      SourceProblemReporter.waitingText(Self.health(remedy: nil)) == "gpsd: could not reach gpsd; waiting")
  }
}
