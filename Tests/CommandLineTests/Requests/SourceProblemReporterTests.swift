import Testing
import WhereaboutsModel
import WhereaboutsTesting

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

  @Test func poorFixIsExplainedByTheSourcesWithAProblem() async throws {
    let failed = Self.health(remedy: nil)
    let working = SourceHealth(name: "geoclue", state: .ok, since: failed.since)
    let reporter = SourceProblemReporter()
    await reporter.update(with: [failed, working])
    let poor = Answer(
      fix: .test(latitude: 51.5, longitude: 0, accuracy: 40, time: nil), age: .zero, level: nil)
    let outcomes: [(RequestOutcome, [SourceHealth])] = [
      (.timedOut(best: nil), [failed, working]), (.timedOut(best: poor), [failed]), (.settled(poor), []),
      (.reached(poor), []),
    ]
    for (outcome, expected) in outcomes {
      let sources = await reporter.sources(explaining: outcome)
      #expect(sources == expected, "\(outcome)")
    }
  }
}
