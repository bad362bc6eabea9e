import Testing
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsTesting

@testable import WhereaboutsCLI
@testable import WhereaboutsOperations

@Suite struct OutcomeCodeTests {
  private static let answer = Answer(
    fix: .test(latitude: 47, longitude: 8, accuracy: 40, time: nil), age: .seconds(2), level: .block)
  private static let broken = SourceProblem(
    .unreadable, message: "read a.gpx: it is empty", remedy: "Record one.")

  static let cases: [(RequestOutcome, CommandError.Code?)] = [
    (.reached(answer), nil),
    (.settled(answer), nil),
    (.timedOut(best: answer), .timedOut),
    (.timedOut(best: nil), .timedOut),
    (.completedEarly(best: answer), .interrupted),
    (.cancelled, .interrupted),
    (.sourceEnded(best: nil), .failed),
    (.sourceFailed(broken, best: nil), .failed),
    (.unauthorized(Authorization(.denied, remedy: "Ask bob.")), .notPermitted),
    (.unauthorized(Authorization(.servicesDisabled)), .notPermitted),
    (.unauthorized(Authorization(.restricted)), .notPermitted),
    (.unauthorized(Authorization(.notDetermined)), .notPermitted),
  ]

  @Test(arguments: cases.indices) func outcomeHasExitCode(index: Int) {
    let (outcome, code) = Self.cases[index]
    let text = OutcomeText(outcome: outcome, level: .house, timeout: .seconds(30), settle: .seconds(20))
    #expect(text.code == code)
  }
}
