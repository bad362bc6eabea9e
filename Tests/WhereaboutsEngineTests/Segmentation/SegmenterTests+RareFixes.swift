import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

/// Fixes that are rare, or false, on a way.
extension SegmenterTests {
  /// Errands in a town, with a fix every 12.5 min. Two of them lie nearer to the first place than to each other.
  @Test func rareFixesThatGoBackAndForthAreNoGap() throws {
    var rows: [(time: Double, east: Double, north: Double, accuracy: Double)] = []
    for index in 0...12 { rows.append((600 * Double(index), 0, 0, 8)) }
    rows += [
      (7_950, 0, 1_500, 8), (8_700, 0, 3_000, 8), (9_450, 1_400, 1_600, 8), (10_200, -1_300, 1_400, 8),
      (10_950, -2_600, 1_400, 8),
    ]
    for index in 0...12 { rows.append((11_700 + 600 * Double(index), -4_000, 1_400, 8)) }
    let segments = Segmenter.segments(of: try fixes(rows))
    #expect(kinds(segments) == "vjv")
    let journey = try #require(journeys(segments).first)
    // 10.4 km along straight lines; ways are longer.
    #expect(journey.distance > 11_000 && journey.distance < 14_500, "\(journey.distance)")
  }

  /// A receiver's first fix after a tunnel is off the way. The fixes after it, 30 s apart, show the way.
  @Test func falseFixBetweenFrequentOnesIsNoPointOfThePath() throws {
    var rows: [(time: Double, east: Double, north: Double, accuracy: Double)] = []
    for index in 0..<120 {
      rows.append((30 * Double(index) + (index < 60 ? 0 : 1_500), 450 * Double(index), 0, 8))
    }
    rows[60].north = 1_000
    let segments = Segmenter.segments(of: try fixes(rows))
    #expect(kinds(segments) == "j")
    let path = try #require(journeys(segments).first).path
    #expect(path.allSatisfy { $0.coordinate.latitude < 48.005 })
  }

  /// Four and more false fixes in a row, which agree with each other. The odometer jumps there and back.
  @Test(arguments: [1.0, 5, 15], [4, 8, 20])
  func burstOfFalseFixesAddsNoDistance(interval: Double, count: Int) throws {
    var rows: [(time: Double, east: Double, north: Double, accuracy: Double)] = []
    for index in 0..<400 { rows.append((interval * Double(index), 0, 11 * interval * Double(index), 8)) }
    for index in 210..<(210 + count) { rows[index].north -= 55_000 }
    let segments = Segmenter.segments(of: try fixes(rows))
    #expect(kinds(segments) == "j")
    let journey = try #require(journeys(segments).first), way = 399 * 11 * interval
    #expect((journey.distance - way).magnitude < max(0.02 * way, 2 * journey.uncertainty))
    #expect(journey.distance < 1.05 * way, "\(journey.distance)")
    #expect(journey.path.allSatisfy { $0.coordinate.latitude > 47.99 })
  }

  /// A receiver that shows an old place at first. The true place is out of reach of it, and is trusted nevertheless.
  @Test func placeOutOfReachIsTrustedInTime() throws {
    var rows: [(time: Double, east: Double, north: Double, accuracy: Double)] = []
    for index in 0..<260 { rows.append((15 * Double(index), 0, index < 60 ? 0 : 55_000, 8)) }
    let visit = try #require(visits(Segmenter.segments(of: try fixes(rows))).last)
    #expect(visit.coordinate.latitude > 48.4 && visit.fixes >= 190, "\(visit.fixes)")
  }

  /// A hike with a fix in 40 min: each one alone between two silences, but all of them kilometres from home.
  @Test func rareFixesOfAHikeEndTheVisit() throws {
    var rows: [(time: Double, east: Double, north: Double, accuracy: Double)] = []
    func add(_ east: Double, _ north: Double) { rows.append((2_400 * Double(rows.count), east, north, 20)) }
    for _ in 0..<14 { add(0, 0) }
    add(2_000, 0)
    add(4_000, 1_000)
    add(6_000, 3_000)
    add(6_000, 6_000)
    add(4_000, 7_000)
    add(2_000, 5_000)
    add(1_000, 2_000)
    for _ in 0..<14 { add(0, 0) }
    let segments = Segmenter.segments(of: try fixes(rows))
    #expect(kinds(segments) == "vggggggggv")
    // The first of them shows that the device has left.
    #expect(visits(segments).first?.departure?.latest == utc(2_400 * 14))
    // A single fix elsewhere is an error.
    rows.removeSubrange(15..<21)
    #expect(kinds(Segmenter.segments(of: try fixes(rows))) == "v")
  }
}
