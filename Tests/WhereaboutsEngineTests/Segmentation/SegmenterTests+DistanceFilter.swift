import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

/// Phones with a distance filter: they send a fix in each 50 m, and nothing at rest.
extension SegmenterTests {
  private typealias Row = (time: Double, east: Double, north: Double, accuracy: Double)

  /// An hour at home, and a walk with a fix in each 50 m. The last fix is that of the arrival.
  private func walk(steps: Int) -> [Row] {
    var rows: [Row] = []
    for minute in 0..<60 { rows.append((60 * Double(minute), 0, 0, 8)) }
    for step in 1...steps { rows.append((3_560 + 40 * Double(step), 0, 50 * Double(step), 8)) }
    return rows
  }

  /// The way back of a walk, after some minutes without a fix, and an hour at home.
  private func wayBack(of rows: [Row], after minutes: Double) -> [Row] {
    let steps = rows.count - 60
    var rows = rows, time = (rows.last?.time ?? 0) + 60 * minutes
    for step in (0..<steps).reversed() {
      time += 40
      rows.append((time, 0, 50 * Double(step), 8))
    }
    for minute in 1...60 { rows.append((time + 60 * Double(minute), 0, 0, 8)) }
    return rows
  }

  @Test(arguments: [4, 5, 6, 7, 8, 12], [10.0, 25, 28, 120])
  func silentStayOfADistanceFilterIsAVisit(steps: Int, minutes: Double) throws {
    let way = walk(steps: steps), arrival = try #require(way.last).time
    let segments = Segmenter.segments(of: try fixes(wayBack(of: way, after: minutes)))
    #expect(kinds(segments) == "vjvjv")
    let visit = try #require(visits(segments).dropFirst().first), departure = try #require(visit.departure)
    let home = try #require(Coordinate(latitude: 48, longitude: 11))
    #expect((visit.coordinate.distance(to: home) - 50 * Double(steps)).magnitude < 100)
    #expect((seconds(visit.arrival.time) - arrival).magnitude < 120)
    #expect((seconds(departure.time) - arrival - 60 * minutes).magnitude < 120)
  }

  /// A wait at a crossing is shorter than a visit.
  @Test func shortSilenceOfADistanceFilterIsNoVisit() throws {
    let segments = Segmenter.segments(of: try fixes(wayBack(of: walk(steps: 12), after: 3)))
    #expect(kinds(segments) == "vjv")
  }

  /// A tunnel, or a phone that is switched off: the device moved on meanwhile.
  @Test(arguments: [4, 6, 12], [10.0, 25, 120])
  func silenceOnAWayThatGoesOnIsNoVisit(steps: Int, minutes: Double) throws {
    var rows = walk(steps: steps)
    let last = try #require(rows.last)
    let next = (time: last.time + 60 * minutes, north: last.north + 2_000)
    for step in 0..<40 { rows.append((next.time + 40 * Double(step), 0, next.north + 50 * Double(step), 8)) }
    let segments = Segmenter.segments(of: try fixes(rows))
    #expect(visits(segments).count == 1, "\(kinds(segments))")
  }

  /// The last fixes before a phone sleeps at home lie beside the place.
  @Test(arguments: [1, 2], [150.0, 200])
  func fixesBesideAPlaceAreNoSecondPlace(count: Int, off: Double) throws {
    var rows: [Row] = []
    for minute in 0..<60 {
      rows.append((60 * Double(minute), 0, minute < 60 - count ? 0 : off, 20))
    }
    for minute in 0..<60 { rows.append((10_800 + 60 * Double(minute), 0, Double(minute % 3) * 4, 20)) }
    let segments = Segmenter.segments(of: try fixes(rows))
    let home = try #require(Coordinate(latitude: 48, longitude: 11))
    for visit in visits(segments) { #expect(visit.coordinate.distance(to: home) < 30) }
  }
}
