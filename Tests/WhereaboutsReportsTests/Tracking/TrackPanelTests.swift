import Testing
import WhereaboutsGeodesy
import WhereaboutsModel

@testable import WhereaboutsReports

@Suite struct TrackPanelTests {
  private let began = UTCTime(nanosecondsSince1970: 1_715_671_800_000_000_000)

  @Test func panelIsRedrawnAtLimitedRate() throws {
    var panel = TrackPanel()
    let line = TrackLine(update: try walkedUpdate(began: began), began: began)
    let now = ContinuousClock.now
    let first = panel.show(line, columns: 79, at: now) ?? ""
    let tooSoon = panel.show(line, columns: 79, at: now.advanced(by: .milliseconds(99)))
    let second = panel.show(line, columns: 79, at: now.advanced(by: .milliseconds(100)))
    let erasures = [panel.erase(), panel.erase()]
    #expect(!first.contains("\u{1B}") && first.split(separator: "\n").count == 6 && tooSoon == nil)
    #expect(second == "\r\u{1B}[6A\u{1B}[J" + first)
    #expect(erasures == ["\r\u{1B}[6A\u{1B}[J", ""])
  }
}
