import Testing
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsCLI

@Suite struct OutcomeTests {
  private static let answer = Answer(
    fix: .test(latitude: 47, longitude: 8, accuracy: 40, time: nil), age: .seconds(2), level: .block)
  private static let house = "house (15 m, no older than 15 s)"
  private static let broken = SourceProblem(
    .unreadable, message: "read a.gpx: it is empty", remedy: "Record one.")

  static let cases: [(RequestOutcome, String, CommandError.Code?)] = [
    (.reached(answer), "\(house) was reached", nil),
    (
      .settled(answer),
      "fixes had not got better for 20 s, before \(house) was reached; this is the best there was", nil
    ),
    (.timedOut(best: answer), "\(house) was not reached within 30 s; this is the best there was", .timedOut),
    (.timedOut(best: nil), "\(house) was not reached within 30 s; there was no fix at all", .timedOut),
    (.completedEarly(best: answer), "\(house) was not reached; this is the best there was", .interrupted),
    (.cancelled, "\(house) was not reached; there was no fix at all", .interrupted),
    (
      .sourceEnded(best: nil), "the source ended before \(house) was reached; there was no fix at all",
      .failed
    ),
    (
      .sourceFailed(broken, best: nil),
      "could not read a.gpx: it is empty; there was no fix at all. Record one.", .failed
    ),
    (
      .unauthorized(Authorization(.denied, remedy: "Ask bob.")), "not permitted: access is denied. Ask bob.",
      .notPermitted
    ),
    (
      .unauthorized(Authorization(.servicesDisabled)),
      "not permitted: location is switched off for the whole device", .notPermitted
    ),
    (
      .unauthorized(Authorization(.restricted)), "not permitted: something on this device forbids it",
      .notPermitted
    ),
    (
      .unauthorized(Authorization(.notDetermined)),
      "permission to know the location is not decided yet", .notPermitted
    ),
  ]

  @Test(arguments: cases.indices) func outcomeHasSentenceAndExitCode(index: Int) {
    let (outcome, sentence, code) = Self.cases[index]
    let text = OutcomeText(outcome: outcome, level: .house, timeout: .seconds(30), settle: .seconds(20))
    #expect(text.sentence == sentence)
    #expect(text.code == code)
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
        == #"{"outcome":"sourceFailed","trouble":"unreadable","message":"could not read a.gpx: it is empty","#
        + #""remedy":"Record one."}"#)
  }

  @Test func authorizationTextIncludesAccuracy() {
    #expect(AuthorizationText.sentence(Authorization(.always)) == "permitted")
    #expect(
      AuthorizationText.sentence(Authorization(.whenInUse, accuracy: .reduced))
        == "permitted while the program is in use, to some kilometres only")
  }

  @Test func runSummaryCountsFixes() {
    let tally = FixCounts()
    #expect(
      RunSummaryText(counts: tally, elapsed: .seconds(12), isInterrupted: false).line
        == "in 12 s: 0 fixes used")
    #expect(
      RunSummaryText(counts: tally, shown: "2 headings", elapsed: .seconds(75), isInterrupted: true).line
        == "interrupted after 1 min 15 s: 2 headings shown, 0 fixes used")
  }
}

@Suite struct SearchLineTests {
  private let answer = Answer(
    fix: .test(latitude: 47, longitude: 8, accuracy: 24, time: nil), age: .seconds(1), level: .block)

  @Test func lineShowsBestFixAndRemainingTime() {
    var line = SearchLine(level: .house, timeout: .seconds(30), rate: 1)
    #expect(line.text(after: .seconds(1), columns: 80) == "searching · 29 s left for house")
    line.update(with: answer, after: .seconds(2))
    #expect(
      line.text(after: .seconds(5.5), columns: 80)
        == "best so far: within 24 m (block), 4 s old · 25 s left for house")
    #expect(line.text(after: .seconds(99), columns: 80).hasSuffix(" · 0 s left for house"))
  }

  @Test func recordingTimeIsScaledByPlaybackRate() {
    var line = SearchLine(level: .house, timeout: .seconds(60), rate: 10)
    line.update(with: answer, after: .seconds(1))
    #expect(
      line.text(after: .seconds(2), columns: 80)
        == "best so far: within 24 m (block), 11 s old · 40 s left for house")
  }

  @Test func unknownValuesAreOmitted() throws {
    let level = try #require(AccuracyLevel.custom(worstAccuracy: 2, maxAge: .seconds(5)))
    let line = SearchLine(level: level, timeout: .seconds(60), rate: nil)
    #expect(line.text(after: .seconds(2), columns: 80) == "searching · waiting for 2.0 m")
    #expect(
      SearchLine(level: .room, timeout: nil, rate: 1).text(after: .zero, columns: 80).hasSuffix("for room"))
  }

  @Test func lineFitsTerminalWidth() {
    var line = SearchLine(level: .house, timeout: .seconds(30), rate: 1)
    line.update(with: answer, after: .zero)
    #expect(line.text(after: .zero, columns: 50) == "within 24 m (block), 1 s old · 30 s left for house")
    for columns in 0...80 { #expect(line.text(after: .zero, columns: columns).count <= columns) }
  }
}
