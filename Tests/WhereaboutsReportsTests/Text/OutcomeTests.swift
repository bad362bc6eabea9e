import Testing
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsReports

@Suite struct OutcomeTests {
  private static let answer = Answer(
    fix: .test(latitude: 47, longitude: 8, accuracy: 40, time: nil), age: .seconds(2), level: .block)
  private static let house = "house (15 m, no older than 15 s)"
  private static let broken = SourceProblem(
    .unreadable, message: "read a.gpx: it is empty", remedy: "Record one.")

  static let cases: [(RequestOutcome, String)] = [
    (.reached(answer), "\(house) was reached"),
    (
      .settled(answer),
      "fixes had not got better for 20 s, before \(house) was reached; this is the best there was"
    ),
    (.timedOut(best: answer), "\(house) was not reached within 30 s; this is the best there was"),
    (.timedOut(best: nil), "\(house) was not reached within 30 s; no fix at all"),
    (.completedEarly(best: answer), "\(house) was not reached; this is the best there was"),
    (.cancelled, "\(house) was not reached; no fix at all"),
    (
      .sourceEnded(best: nil), "the source ended before \(house) was reached; no fix at all"
    ),
    (
      .sourceFailed(broken, best: nil),
      "could not read a.gpx: it is empty; no fix at all. Record one."
    ),
    (
      .unauthorized(Authorization(.denied, remedy: "Ask bob.")), "not permitted: access is denied. Ask bob."
    ),
    (
      .unauthorized(Authorization(.servicesDisabled)),
      "not permitted: location is switched off for the whole device"
    ),
    (
      .unauthorized(Authorization(.restricted)), "not permitted: something on this device forbids it"
    ),
    (
      .unauthorized(Authorization(.notDetermined)),
      "permission to know the location is not decided yet"
    ),
  ]

  @Test(arguments: cases.indices) func outcomeHasSentence(index: Int) {
    let (outcome, sentence) = Self.cases[index]
    let text = OutcomeText(outcome: outcome, level: .house, timeout: .seconds(30), settle: .seconds(20))
    #expect(text.sentence == sentence)
  }

  private func json(_ outcome: RequestOutcome) -> String {
    String(decoding: OutcomeJSON(outcome: outcome).bytes, as: UTF8.self)
  }

  @Test func jsonReportsOutcomeAndReasons() {
    #expect(json(.cancelled) == #"{"outcome":"cancelled"}"#)
    #expect(
      json(.settled(Self.answer)).hasPrefix(#"{"outcome":"settled","level":"block","age":2,"fix":{"lat":47,"#)
    )
    #expect(
      json(.unauthorized(Authorization(.servicesDisabled)))
        == #"{"outcome":"unauthorized","authorization":"services disabled"}"#)
    #expect(
      json(.sourceFailed(Self.broken, best: nil))
        == #"{"outcome":"sourceFailed","problem":"unreadable","message":"could not read a.gpx: it is empty","#
        + #""remedy":"Record one."}"#)
  }

  @Test func authorizationTextIncludesAccuracy() {
    #expect(AuthorizationText.sentence(Authorization(.always)) == "permitted")
    #expect(
      AuthorizationText.sentence(Authorization(.whenInUse, accuracy: .reduced))
        == "permitted while the program is in use, to some kilometres only")
  }

  @Test func simulatorIsNoRecording() {
    var fix = Self.answer.fix
    #expect(FixText.lines(Answer(fix: fix, age: .zero, level: .block)).last == "from a recording")
    fix.solution = .simulated
    #expect(FixText.lines(Answer(fix: fix, age: .zero, level: .block)).last == "simulated")
    #expect(FixDetails.entries(fix).last?.text == "scripted, simulated")
    fix.isSimulated = false
    #expect(FixText.simulationOrigin(fix) == nil)
  }

  @Test func runSummaryCountsFixes() {
    let counts = FixCounts()
    #expect(
      RunSummaryText(counts: counts, elapsed: .seconds(12), isInterrupted: false).line
        == "in 12 s: 0 fixes used")
    #expect(
      RunSummaryText(counts: counts, shown: "2 headings", elapsed: .seconds(75), isInterrupted: true).line
        == "interrupted after 1 min 15 s: 2 headings shown, 0 fixes used")
    #expect(!RunSummaryText(counts: counts, elapsed: .seconds(12), isInterrupted: false).hasOnlyRefusals)
  }

  @Test func fixesThatWereAllRefusedAreKnown() {
    var counts = FixCounts()
    counts.refused = [.fromTheFuture: 3]
    let summary = RunSummaryText(counts: counts, elapsed: .seconds(5), isInterrupted: false)
    #expect(summary.hasOnlyRefusals)
    #expect(summary.line == "in 5 s: 0 fixes used; refused: 3 from the future")
    counts.accepted = 1
    #expect(!RunSummaryText(counts: counts, elapsed: .seconds(5), isInterrupted: false).hasOnlyRefusals)
  }
}
