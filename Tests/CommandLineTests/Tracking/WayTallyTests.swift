import Testing
import WhereaboutsCore

@testable import WhereaboutsCLI

@Suite struct WayTallyTests {
  @Test func timeAndLengthAreCountedByMotionAndGapsByNone() throws {
    let tally = tally(SampleWay.commute)
    // The first of each segment begins it; what a gap ends with is the gap's.
    #expect(tally.shares[.walking]?.seconds == 299)
    #expect(tally.shares[.still]?.seconds == 800)
    #expect(tally.shares[.driving]?.seconds == 599)
    #expect(tally.shares[.cycling]?.seconds == 499)
    #expect(try #require(tally.shares[.running]?.metres).rounded() == 897)
  }

  @Test func gapsAreToldWithWhatBecameOfThem() {
    let gaps = tally(SampleWay.commute).gaps
    #expect(gaps.count == 3 && gaps.longest.map(\.isBridged) == [true, false, false])
    #expect(gaps.longest.map(\.seconds) == [151, 401, 91])
    #expect(gaps.longest.map { $0.bridge == nil } == [false, true, false])
  }

  @Test func stopsBeginWhenItStoodStill() {
    let stops = tally(SampleWay.commute).stops
    #expect(stops.longest.map(\.seconds) == [200, 600])
    #expect(stops.longest.map(\.start) == [299, 1249])
  }

  @Test func aStopGoesOnOverAGapAtTheSamePlaceAndNotOverAnother() {
    for (metres, seconds) in [(5.0, [561.0]), (500, [99, 160])] {
      var way = SampleWay()
      way.go(.still, 0, seconds: 100)
      way.lose(seconds: 300, metres: metres, counted: 0)
      way.go(.still, 0, seconds: 161)
      way.go(.walking, 1, seconds: 10)
      // The second point of a stop is a second after its first, which a gap ends with.
      #expect(tally(way).stops.longest.map(\.seconds) == (metres < 100 ? [560] : seconds))
    }
  }

  @Test func aPauseAtOnePlaceIsAStopAndNoGap() {
    for (metres, counted, stops) in [(5.0, 3.0, 1), (5, 40, 0), (40, 40, 0)] {
      var way = SampleWay()
      way.go(.cycling, 6, seconds: 100)
      way.lose(seconds: 180, metres: metres, counted: counted)
      way.go(.cycling, 6, seconds: 100)
      let tally = tally(way)
      #expect(tally.stops.count == stops && tally.gaps.count == 1 - stops, "\(metres) m, \(counted) m")
      guard let stop = tally.stops.longest.first else { continue }
      #expect(stop.seconds == 181 && stop.silence == 181)
      #expect(
        WayText(way: Way(totals: TrackTotals(), tally: tally)).entries.contains { label, text in
          label == "Stops" && text.hasSuffix(" for 3 min 01 s, no fixes")
        })
    }
  }

  @Test func anInterruptionIsAStopWhereItIsShortAndAtOnePlace() {
    for (seconds, isStop) in [(30.0, false), (300, true), (4000, false)] {
      var way = SampleWay()
      way.go(.cycling, 6, seconds: 100)
      way.pause(seconds: seconds)
      way.go(.cycling, 6, seconds: 100)
      let tally = tally(way)
      #expect(tally.stops.count == (isStop ? 1 : 0) && tally.gaps.count == (isStop ? 0 : 1), "\(seconds) s")
    }
  }

  @Test func shortStopsAreTraffic() {
    var way = SampleWay()
    way.go(.driving, 10, seconds: 10)
    way.go(.still, 0, seconds: 59)
    way.go(.driving, 10, seconds: 10)
    #expect(tally(way).stops.count == 0)
  }

  @Test func theLongestFewAreKeptInTheirOrder() {
    var few = LongestFew<Int>(limit: 3) { Double($0) }
    for number in [5, 1, 9, 2, 8, 3, 7, 4, 6, 0] { few.add(number) }
    #expect(few.count == 10 && few.longest == [9, 8, 7])
    #expect(few.kept.count < 6)
  }

  @Test func timeThatGoesBackGoesOnBehind() throws {
    var clock = WayClock()
    let times = [0, 10, 5, 7, 100].map { UTCTime(nanosecondsSince1970: $0 * 1_000_000_000) }
    #expect(times.map { clock.advance(to: $0) } == [0, 10, 10, 12, 105])
    #expect(clock.isShifted)
  }

  private func tally(_ way: SampleWay) -> WayTally {
    var tally = WayTally()
    for point in way.points { tally.take(point) }
    tally.finish()
    return tally
  }
}
