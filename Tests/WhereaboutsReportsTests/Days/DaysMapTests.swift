import ReportTestSupport
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsReports

/// Pictures of days drawn from made-up recordings: a stay, a way by one mode of transport, and a stay.
@Suite struct DaysMapTests {
  private static let start = UTCTime(nanosecondsSince1970: 1_715_670_000_000_000_000)

  private func picture(_ move: (inout TrackBuilder) -> Void) throws -> Picture {
    let home = try #require(Coordinate(latitude: 52.52, longitude: 13.405))
    var track = TrackBuilder(from: home, at: Self.start)
    track.rest(for: .seconds(1800))
    move(&track)
    track.rest(for: .seconds(1800))
    var history = DayHistory()
    for fix in track.fixes(every: .seconds(5), noise: .goodReceiver, seed: 1) { history.add(fix) }
    history.finish()
    let calendar = DayCalendar(TimeZoneRules(name: "UTC", firstOffset: 0))
    return try Picture(DaysMap(DaysReport(history, calendar: calendar)).svg())
  }

  @Test func journeyHasTheColorOfItsMode() throws {
    let walk = try picture { $0.move(azimuth: 90, distance: 1500, speed: 1.4) }
    #expect(walk.strokes.contains(PictureColor.walking.hex) && walk.texts.contains("walking"))
    #expect(!walk.strokes.contains(PictureColor.driving.hex), "\(walk.strokes)")
    let drive = try picture { track in
      for block in 0..<12 {
        track.move(azimuth: block.isMultiple(of: 2) ? 90 : 0, distance: 700, speed: 13)
        track.rest(for: .seconds(20))
      }
    }
    #expect(
      drive.strokes.contains(PictureColor.driving.hex) && drive.texts.contains("driving"), "\(drive.texts)")
    #expect(!drive.strokes.contains(PictureColor.walking.hex), "\(drive.strokes)")
    for picture in [walk, drive] {
      #expect(picture.fills.contains(PictureColor.visit.hex) && picture.texts.contains("visit"))
      #expect(picture.texts.contains { $0.contains("2 visits · 1 journey") }, "\(picture.texts)")
    }
  }

  @Test func modesHaveTheColorsOfTheirMotions() {
    let motions: [(TransportMode, Motion)] = [
      (.walking, .walking), (.cycling, .cycling), (.driving, .driving), (.flying, .fast),
      (.unknown, .unknown),
    ]
    for (mode, motion) in motions { #expect(mode.color == motion.color, "\(mode)") }
    #expect(Set(TransportMode.allCases.map(\.color)).count == TransportMode.allCases.count)
  }

  @Test func emptyDaysAreReported() throws {
    let calendar = DayCalendar(TimeZoneRules(name: "UTC", firstOffset: 0))
    let picture = try Picture(DaysMap(DaysReport(DayHistory(), calendar: calendar)).svg())
    #expect(picture.texts.contains("nothing to draw: no visit and no journey"))
  }
}
