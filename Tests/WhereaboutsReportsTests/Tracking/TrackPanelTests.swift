import Testing
import WhereaboutsGeodesy
import WhereaboutsModel

@testable import WhereaboutsReports

@Suite struct TrackPanelTests {
  private let began = UTCTime(nanosecondsSince1970: 1_715_671_800_000_000_000)

  @Test func panelIsRedrawnAtLimitedRate() throws {
    var panel = TrackPanel()
    let line = TrackLine(update: try update(), began: began)
    let now = ContinuousClock.now
    let first = panel.show(line, columns: 79, at: now) ?? ""
    let tooSoon = panel.show(line, columns: 79, at: now.advanced(by: .milliseconds(99)))
    let second = panel.show(line, columns: 79, at: now.advanced(by: .milliseconds(100)))
    let erasures = [panel.erase(), panel.erase()]
    #expect(!first.contains("\u{1B}") && first.split(separator: "\n").count == 6 && tooSoon == nil)
    #expect(second == "\r\u{1B}[6A\u{1B}[J" + first)
    #expect(erasures == ["\r\u{1B}[6A\u{1B}[J", ""])
  }

  private func update() throws -> TrackUpdate {
    var totals = TrackTotals()
    (totals.distance, totals.uncertainty, totals.moving) = (1230, 12, 540)
    (totals.ascent, totals.descent) = (31, 12)
    var fix = Fix(
      coordinate: try #require(Coordinate(latitude: 47, longitude: 8)),
      time: began.advanced(by: .seconds(600)),
      source: .scripted)
    fix.horizontalAccuracy = 4
    return TrackUpdate(
      phase: .counting, totals: totals, ahead: 80, settledTo: began.advanced(by: .seconds(570)), speed: 1.4,
      motion: .walking, signal: .strong, fix: fix)
  }
}
