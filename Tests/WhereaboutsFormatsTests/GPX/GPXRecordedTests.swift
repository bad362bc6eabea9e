import Foundation
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsFormats

/// GPX documents of many makers, against what another reader and a geodesic library found in them.
@Suite(.enabled(if: SharedData.has("gpx/expected.tsv"), "needs ../shared/data/gpx beside the package"))
struct GPXRecordedTests {
  static let table = SharedData.table("gpx/expected.tsv")

  @Test(arguments: table) func countsTimesAndLengthAreAsExpected(row: [String: String]) throws {
    let bytes = try SharedData.bytes("gpx/" + (row["file"] ?? ""))
    var decoder = GPXDecoder()
    let batch = decoder.decodeAll(bytes)
    #expect(batch.problems == ProblemLog())
    let found = RecordingSummary(batch.elements)
    #expect(found.waypoints == row.number("waypoints"))
    #expect(found.routes == row.number("routes"))
    #expect(found.routePoints == row.number("route_points"))
    #expect(found.tracks == row.number("tracks"))
    #expect(found.segments == row.number("segments"))
    let fixes = batch.fixes
    #expect(fixes.count == row.number("track_points"))
    #expect(fixes.count { $0.time != nil } == row.number("points_with_time"))
    #expect(fixes.count { $0.heightAboveGeoid != nil } == row.number("points_with_ele"))
    let times = fixes.compactMap(\.time)
    #expect(times.first == row.time("first_time"))
    #expect(times.last == row.time("last_time"))
    let expectedLength = try #require(Double(row["length_wgs84_m"] ?? ""))
    #expect(abs(found.length - expectedLength) <= max(0.0001 * expectedLength, 0.001))
  }

  @Test(arguments: table) func chunkingDoesNotChangeTheResult(row: [String: String]) throws {
    let bytes = try SharedData.bytes("gpx/" + (row["file"] ?? ""))
    expectSameResultForAnyChunking(bytes, splits: 2) { GPXDecoder() }
  }

  /// The totals of a recording's elements.
  private struct RecordingSummary {
    var waypoints = 0
    var routes = 0
    var routePoints = 0
    var tracks = 0
    var segments = 0
    var length = 0.0

    init(_ elements: [RecordingElement]) {
      var last: Coordinate?
      for element in elements {
        switch element {
        case .waypoint: waypoints += 1
        case .routeBegan: routes += 1
        case .routePoint: routePoints += 1
        case .trackBegan: tracks += 1
        case .segmentBegan:
          segments += 1
          last = nil
        case .fix(let fix):
          if let last { length += last.distance(to: fix.coordinate) }
          last = fix.coordinate
        case .heading, .satellites, .deviceBegan, .visit, .offset: break
        }
      }
    }
  }
}

extension [String: String] {
  fileprivate func number(_ key: String) -> Int? { self[key].flatMap { Int($0) } }
  fileprivate func time(_ key: String) -> UTCTime? { self[key].flatMap { UTCTime(iso8601: $0) } }
}
