import WhereaboutsEngine
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Fence monitoring with fixes as in the field: rare, in bursts, and with missing values.
struct FenceFieldTests {
  /// Back and forth across the fence, far enough to reset the estimate in between, with a fix every fifteen seconds.
  private func shuttle() -> TrackBuilder {
    var track = FenceTestHarness.track(west: 400)
    for lap in 0..<8 { track.move(azimuth: lap % 2 == 0 ? 90 : 270, distance: 800, speed: 10) }
    return track
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func eventsAreNotRepeatedWhenTheFenceIsNearAgain(seed: UInt64) {
    var walk = FenceTestHarness()
    walk.process(
      shuttle().fixes(every: .seconds(15), noise: .goodReceiver, seed: seed).map { fix in
        var fix = fix
        fix.speed = nil
        fix.course = nil
        return fix
      })
    let kinds = walk.kinds, times = walk.events.map(\.time)
    #expect(zip(kinds, kinds.dropFirst()).allSatisfy { $0 != $1 }, "\(kinds)")
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(kinds.count <= 16 && kinds.count >= 12, "\(kinds.count)")
  }

  /// Each fix stands alone, and one in twenty is as far off as a confidence of 95 % allows. Outliers are excluded,
  /// since a single outlier can't be distinguished from a visit.
  @Test func deviceAtRestWithRareFixesHardlyCrosses() {
    var noise = ReceiverNoise.cityPhone
    noise.statedAccuracyFactor = 1
    noise.outlierShare = 0
    let area = FenceTestHarness.fence().area
    var events = 0, flaps = 0
    for seed in 1...10 as ClosedRange<UInt64> {
      var walk = FenceTestHarness()
      let fixes = FenceTestHarness.track(west: 47).addingRest(86_400).fixes(
        every: .seconds(120), noise: noise, seed: seed)
      walk.process(fixes)
      events += walk.events.count
      let sides = fixes.map { area.signedDistance(to: $0.coordinate).isInside }
      flaps += zip(sides, sides.dropFirst()).filter { $0 != $1 }.count
    }
    #expect(events * 50 < flaps, "\(events) events in ten days, the plain test \(flaps)")
  }

  @Test func deviceThatMovedUnseenHasCrossed() {
    var walk = FenceTestHarness()
    var track = FenceTestHarness.track(west: 0)
    track.rest(for: .seconds(600))
    track.move(azimuth: 90, distance: 120, speed: 1)
    track.rest(for: .seconds(600))
    walk.process(track, every: 200)
    #expect(walk.kinds == [.exit] && walk.events.first?.manner == .unseen)
  }

  @Test(arguments: [30, 3600, 1024 * 7 * 86_400] as [Double])
  func clockSetBackDoesNotStopEvents(seconds: Double) {
    var walk = FenceTestHarness()
    let fixes = FenceTestHarness.track(west: 0).addingRest(60).fixes(
      every: .seconds(1), noise: .goodReceiver, seed: 1)
    walk.process(fixes)
    walk.watch.endSegment(restartsTimeline: true, in: walk.registry, into: &walk.records)
    var on = FenceTestHarness.track(west: 0)
    on.move(azimuth: 90, distance: 300, speed: 1.4)
    on.move(azimuth: 270, distance: 300, speed: 1.4)
    walk.process(
      on.fixes(every: .seconds(1), noise: .goodReceiver, seed: 2).map { fix in
        var fix = fix
        fix.time = fix.time?.advanced(by: .seconds(61 - seconds))
        return fix
      })
    #expect(walk.kinds == [.exit, .enter])
  }

  @Test func zeroAccuracyCountsAsAbsent() {
    func events(_ accuracy: Double?) -> [FenceEvent] {
      var walk = FenceTestHarness()
      walk.process(
        FenceTestHarness.track(west: 49).addingRest(1800).fixes(
          every: .seconds(1), noise: .cityPhone, seed: 4
        ).map {
          fix in
          var fix = fix
          fix.horizontalAccuracy = accuracy
          return fix
        })
      return walk.events
    }
    #expect(events(0).map(\.time) == events(nil).map(\.time))
  }
}
