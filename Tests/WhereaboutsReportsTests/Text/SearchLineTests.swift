import Testing
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsReports

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
