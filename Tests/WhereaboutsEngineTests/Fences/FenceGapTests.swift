import EngineTestSupport
import Testing
import WhereaboutsEngine
import WhereaboutsGeodesy
import WhereaboutsModel

/// The times of crossings that no fix has seen, with a fix every ten minutes and no speeds.
@Suite struct FenceGapTests {
  /// Fixes every ten minutes at some metres north of a fence of 100 m, all with the same accuracy unless stated.
  private func events(_ north: [Double], accuracies: [Int: Double] = [:]) -> [FenceEvent] {
    var walk = FenceTestHarness([fence("home")])
    walk.process(
      north.enumerated().map { fix(accuracies[$0] ?? 15, at: Double($0) * 600, north: $1) })
    return walk.events
  }

  @Test func deviceAtRestSetsOffAtAnyMoment() throws {
    let exit = try #require(events([0, 4, 8, 0, 4, 8, 0, 1000, 2000]).first)
    #expect(exit.kind == .exit && exit.lastBefore == utc(3600) && exit.firstAfter == utc(4200))
    // 1000 m take 200 s at 5 m/s: the device set off in the 400 s before.
    #expect(abs(exit.time.seconds(since: utc(3600)) - 220) < 10, "\(exit.time)")
    #expect(abs(exit.timeUncertainty - 600 / 12.0.squareRoot()) < 1)
  }

  @Test func arrivingDeviceMayRestBeforeItsNextFix() throws {
    let enter = try #require(events([9000, 6000, 3000, 0, 4, 8]).first)
    #expect(enter.kind == .enter && enter.lastBefore == utc(1200) && enter.firstAfter == utc(1800))
    // 2900 of 3000 m at 5 m/s and more.
    #expect(abs(enter.time.seconds(since: utc(1200)) - 580) < 5, "\(enter.time)")
    let near = try #require(events([9000, 6000, 1000, 0, 4, 8]).first)
    // 900 of 1000 m that take between 200 and 600 s: 400 s on the average.
    #expect(abs(near.time.seconds(since: utc(1200)) - 360) < 5, "\(near.time)")
  }

  @Test func inaccurateFixesInsideLimitTheEstimateOfAnExit() throws {
    let north = [0.0, 4, 8, 0, 4, 60, 55, 60, 1000, 2000]
    let exit = try #require(events(north, accuracies: [5: 40, 6: 40, 7: 40]).first)
    #expect(exit.kind == .exit && exit.firstAfter == utc(4800))
    // None of the inaccurate fixes is certain, and all of them are probably inside.
    #expect(exit.lastBefore == utc(2400))
    #expect(exit.time >= utc(4200), "\(exit.time)")
  }

  /// The next fix confirms a fix inside after which the device left.
  @Test func stayIsReportedAtTheFixThatShowsIt() throws {
    var walk = FenceTestHarness([fence("home", radius: 1000, FenceTerms(dwell: .seconds(3900)))])
    let north = [0.0, 4, 8, 0, 4, 8, 0, 300, 5000, 9000]
    walk.process(north.enumerated().map { fix(15, at: Double($0) * 600, north: $1) })
    let stay = try #require(walk.events.first { $0.kind == .dwell })
    #expect(stay.time == utc(3900) && stay.firstAfter == utc(4200))
    #expect(stay.place.distance(to: fix(15, at: 0).coordinate) < 400)
  }

  /// A source that stops ends the segment before the gap.
  @Test func endOfASegmentRetainsTheMovementBeforeIt() throws {
    func enter(endsSegment: Bool) throws -> UTCTime {
      var walk = FenceTestHarness([fence("home")])
      walk.process((0..<60).map { fix(5, at: Double($0), north: 1180 - Double($0) * 3) })
      if endsSegment { walk.watch.endSegment(in: walk.registry, into: &walk.records) }
      walk.process((0..<5).map { fix(5, at: 660 + Double($0), north: 0) })
      return try #require(walk.events.first { $0.kind == .enter }).time
    }
    #expect(try enter(endsSegment: true) == enter(endsSegment: false))
  }
}
