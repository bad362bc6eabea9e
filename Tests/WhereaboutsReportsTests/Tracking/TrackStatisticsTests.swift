import ReportTestSupport
import Testing
import WhereaboutsModel

@testable import WhereaboutsReports

@Suite struct TrackStatisticsTests {
  @Test func timeAndLengthAreCountedByMotionExcludingGaps() throws {
    let collected = statistics(SampleTrack.commute)
    // The first of each segment begins it; what a gap ends with is the gap's.
    #expect(collected.shares[.walking]?.seconds == 299)
    #expect(collected.shares[.still]?.seconds == 800)
    #expect(collected.shares[.driving]?.seconds == 599)
    #expect(collected.shares[.cycling]?.seconds == 499)
    #expect(try #require(collected.shares[.running]?.metres).rounded() == 897)
  }

  @Test func gapTextReportsBridging() {
    let gaps = statistics(SampleTrack.commute).gaps
    #expect(gaps.count == 3 && gaps.longest.map(\.isBridged) == [true, false, false])
    #expect(gaps.longest.map(\.seconds) == [151, 401, 91])
    #expect(gaps.longest.map { $0.bridge == nil } == [false, true, false])
  }

  @Test func stopBeginsAtStandstill() {
    let stops = statistics(SampleTrack.commute).stops
    #expect(stops.longest.map(\.seconds) == [200, 600])
    #expect(stops.longest.map(\.start) == [299, 1249])
  }

  @Test func stopBeginsBeforeItsRecognition() {
    var way = SampleTrack()
    way.move(.walking, 1.4, seconds: 100)
    way.move(.walking, 0, seconds: 10)
    way.move(.still, 0, seconds: 200)
    way.move(.cycling, 6, seconds: 100)
    way.move(.cycling, 0, seconds: 10)
    way.addGap(seconds: 180, metres: 5, counted: 3)
    way.move(.cycling, 6, seconds: 100)
    let stops = statistics(way).stops.longest
    #expect(stops.map(\.seconds) == [210, 191] && stops.map(\.start) == [99, 409])
    #expect(stops.map(\.secondsWithoutFix) == [0, 181])
  }

  @Test func stopsDoNotOverlap() {
    var way = SampleTrack()
    way.move(.driving, 10, seconds: 10)
    way.move(.still, 0, seconds: 100)
    way.move(.driving, 0, seconds: 1)
    way.move(.still, 0, seconds: 150)
    let stops = statistics(way).stops.longest
    #expect(stops.map(\.seconds) == [100, 150] && stops.map(\.start) == [9, 110])
  }

  @Test func stopContinuesOverGapAtSamePlaceOnly() {
    for (metres, seconds) in [(5.0, [561.0]), (500, [99, 160])] {
      var way = SampleTrack()
      way.move(.still, 0, seconds: 100)
      way.addGap(seconds: 300, metres: metres, counted: 0)
      way.move(.still, 0, seconds: 161)
      way.move(.walking, 1, seconds: 10)
      // The second point of a stop is a second after its first, which a gap ends with.
      #expect(statistics(way).stops.longest.map(\.seconds) == (metres < 100 ? [560] : seconds))
    }
  }

  @Test func gapAtOnePlaceIsStop() {
    for (metres, counted, stops) in [(5.0, 3.0, 1), (5, 40, 0), (40, 40, 0)] {
      var way = SampleTrack()
      way.move(.cycling, 6, seconds: 100)
      way.addGap(seconds: 180, metres: metres, counted: counted)
      way.move(.cycling, 6, seconds: 100)
      let collected = statistics(way)
      #expect(
        collected.stops.count == stops && collected.gaps.count == 1 - stops, "\(metres) m, \(counted) m")
      guard let stop = collected.stops.longest.first else { continue }
      #expect(stop.seconds == 181 && stop.secondsWithoutFix == 181)
      #expect(
        TrackSummaryText(track: TrackSummary(totals: TrackTotals(), statistics: collected)).entries.contains {
          label, text in
          label == "Stops" && text.hasSuffix(" for 3 min 01 s, no fixes")
        })
    }
  }

  /// The first half minute of a trip is not settled, and a trip may stay open before its end.
  @Test(arguments: [(249.0, ["none settled yet", "249 m more"]), (0.0, ["none: too few fixes"])])
  func summaryOfAnOpenTripHasItsProvisionalDistance(ahead: Double, values: [String]) {
    let summary = TrackSummary(totals: TrackTotals(), statistics: TrackStatistics(), ahead: ahead)
    let entries = TrackSummaryText(track: summary).entries
    #expect(entries.map { $0.label } == Array(["Distance", "Ahead"].prefix(values.count)))
    #expect(zip(entries, values).allSatisfy { entry, value in entry.text.hasPrefix(value) }, "\(entries)")
  }

  /// A kill leaves the last half minute or more of a run provisional.
  @Test(arguments: [(0.0, "1.20 km"), (300.0, "900 m"), (1500.0, "0.0 m")])
  func resumedTripStatesTheDistanceOfThisRun(ahead: Double, text: String) {
    var previous = Trip(id: "walk"), totals = TrackTotals()
    previous.totals.distance = 800
    previous.ahead = ahead
    totals.distance = 2000
    let summary = TrackSummary(totals: totals, statistics: TrackStatistics())
    let lines = ResumedTripText.lines(summary, of: "walk", after: previous)
    #expect(lines.contains("          \(text) of it in this run"), "\(lines)")
  }

  /// The last points before a kill are settled in the run after it.
  @Test func resumedTripStatesTheMotionOfThisRun() throws {
    var way = SampleTrack()
    way.move(.driving, 14, seconds: 100)
    way.addGap(seconds: 60, metres: 700, counted: 800)
    way.move(.driving, 14, seconds: 100)
    let earlier = way.points
    way.addGap(seconds: 180, metres: 1700, counted: 1900)
    way.move(.walking, 1.5, seconds: 100)
    var previous = Trip(id: "walk")
    previous.began = earlier.first?.time
    previous.provisionalTo = earlier.last?.time
    for settled in [nil, earlier[10].time] {
      previous.settledTo = settled
      var run = TrackStatistics(resuming: previous)
      for point in settled == nil ? way.points[...] : way.points[11...] { run.process(point) }
      run.finish()
      #expect(run.shares.keys.sorted { $0.rawValue < $1.rawValue } == [.walking])
      #expect(run.points == way.points.count - earlier.count)
      #expect(run.first == way.points[earlier.count].time)
      // The gap up to this run counts in it.
      #expect(run.gaps.longest.map(\.from) == [try #require(earlier.last).time])
    }
  }

  @Test func shortInterruptionAtOnePlaceIsStop() {
    for (seconds, isStop) in [(30.0, false), (300, true), (4000, false)] {
      var way = SampleTrack()
      way.move(.cycling, 6, seconds: 100)
      way.addInterruption(seconds: seconds)
      way.move(.cycling, 6, seconds: 100)
      let collected = statistics(way)
      #expect(
        collected.stops.count == (isStop ? 1 : 0) && collected.gaps.count == (isStop ? 0 : 1), "\(seconds) s")
    }
  }

  /// The first fixes of a receiver had the date of a wrong clock.
  @Test(arguments: [true, false]) func breakLongerThanTheRunIsNoGap(isBridged: Bool) {
    var way = SampleTrack()
    way.move(.cycling, 6, seconds: 100)
    if isBridged {
      way.addGap(seconds: 250_000_000, metres: 5, counted: 0)
    } else {
      way.addInterruption(seconds: 250_000_000)
    }
    way.move(.cycling, 6, seconds: 100)
    var live = TrackStatistics(), recorded = TrackStatistics()
    for point in way.points {
      live.process(point, longestBreak: 86_500)
      recorded.process(point)
    }
    #expect(live.gaps.count == 0 && live.stops.count == 0)
    #expect(recorded.gaps.count == (isBridged ? 0 : 1) && recorded.stops.count == (isBridged ? 1 : 0))
  }

  @Test func shortStandstillIsNotStop() {
    var way = SampleTrack()
    way.move(.driving, 10, seconds: 10)
    way.move(.still, 0, seconds: 59)
    way.move(.driving, 10, seconds: 10)
    #expect(statistics(way).stops.count == 0)
  }

  @Test func longestElementsKeepOrder() {
    var few = LongestElements<Int>(limit: 3) { Double($0) }
    for number in [5, 1, 9, 2, 8, 3, 7, 4, 6, 0] { few.add(number) }
    #expect(few.count == 10 && few.longest == [9, 8, 7])
    #expect(few.retained.count < 6)
  }

  @Test func clockContinuesWhenTimeGoesBack() throws {
    var clock = TrackClock()
    let times = [0, 10, 5, 7, 100].map { UTCTime(nanosecondsSince1970: $0 * 1_000_000_000) }
    #expect(times.map { clock.advance(to: $0) } == [0, 10, 10, 12, 105])
    #expect(clock.isShifted)
  }

  private func statistics(_ way: SampleTrack) -> TrackStatistics {
    var collected = TrackStatistics()
    for point in way.points { collected.process(point) }
    collected.finish()
    return collected
  }
}
