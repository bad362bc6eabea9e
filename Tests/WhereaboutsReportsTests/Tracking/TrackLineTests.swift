import Testing
import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsReports

@Suite struct TrackLineTests {
  private let began = UTCTime(nanosecondsSince1970: 1_715_671_800_000_000_000)

  @Test func lineShowsDistanceErrorAndProvisionalPart() throws {
    let text = TrackLine(update: try walkedUpdate(began: began), began: began).text
    #expect(text.hasPrefix("07:40:00  1.31 km ±12 m, 80 m of it provisional "))
    #expect(
      text.contains("5.0 km/h  walking  signal strong") && text.hasSuffix("10 min 00 s, moving 9 min 00 s"))
  }

  @Test func settledDistanceIsNotMarkedProvisional() throws {
    var update = try walkedUpdate(began: began)
    update.ahead = 0
    #expect(!TrackLine(update: update, began: began).text.contains("provisional"))
  }

  @Test func lineIsShortBeforeFirstFix() throws {
    let update = TrackUpdate(
      phase: .counting, totals: TrackTotals(), ahead: 0, settledTo: nil, speed: nil, motion: .unknown,
      signal: .invalid, fix: nil)
    let line = TrackLine(update: update, began: nil)
    #expect(line.text.hasPrefix("no fix") && line.text.contains("no signal"))
    #expect(line.panel(columns: 60).contains("  no fix yet"))
  }

  @Test(arguments: [0, 1, 2, 10, 24, 79, 200]) func panelFitsColumns(columns: Int) throws {
    let lines = TrackLine(update: try walkedUpdate(began: began), began: began).panel(columns: columns)
    #expect(lines.count == 6 && lines.allSatisfy { $0.count <= columns })
  }
}

/// Returns the update of a walk of ten minutes.
func walkedUpdate(began: UTCTime) throws -> TrackUpdate {
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
