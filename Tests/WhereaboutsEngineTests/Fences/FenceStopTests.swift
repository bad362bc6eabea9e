import EngineTestSupport
import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Cars that stop in a fence and leave it, or turn before it, and outliers on the way.
@Suite struct FenceStopTests {
  /// Drives 1,000 m to the centre of the fence, brakes, and rests there.
  private func arrival(speed: Double, braking: Double, azimuth: Double, wait: Double) -> TrackBuilder {
    let start = FenceTestHarness.home.destination(azimuth: azimuth + 180, distance: 1000)!
    var track = TrackBuilder(from: start, at: FenceTestHarness.start)
    track.rest(for: .seconds(wait))
    track.move(azimuth: azimuth, distance: 1000 - speed * speed / 2 / braking, speed: speed)
    let steps = (speed / braking * 2).rounded()
    for step in 0..<Int(steps) {
      let now = speed * (1 - (Double(step) + 0.5) / steps)
      track.move(azimuth: azimuth, distance: now * speed / braking / steps, speed: now)
    }
    track.rest(for: .seconds(180))
    return track
  }

  @Test(arguments: [1, 5, 10, 15, 20, 30], [10.0, 14, 20])
  func brakingCarDoesNotLeave(interval: Int, speed: Double) {
    for seed in PropertyCases.seeds(5, of: UInt64(1)...40) {
      let track = arrival(
        speed: speed, braking: 1.5 + Double(seed % 5) / 2, azimuth: Double(seed) * 37,
        wait: Double(seed % 5) / 5 * Double(interval))
      var walk = FenceTestHarness([FenceTestHarness.fence(radius: 100)])
      walk.process(track, every: interval, noise: .wandering, seed: seed)
      #expect(walk.kinds == [.enter], "seed \(seed), every \(interval) s, \(speed) m/s")
    }
  }

  /// Some receivers state a speed without a course.
  @Test(arguments: [1, 2, 5, 10, 15]) func exitTimeIsRightWithoutCourses(interval: Int) throws {
    var noise = ReceiverNoise.wandering
    noise.speedDeviation = 0.2
    for seed in PropertyCases.seeds(5, of: UInt64(1)...40) {
      var track = arrival(
        speed: 14, braking: 2, azimuth: Double(seed) * 37, wait: Double(seed % 5) / 5 * Double(interval))
      let rested = FenceTestHarness.start.advanced(by: track.duration)
      track.move(azimuth: Double(seed) * 53, distance: 1500, speed: 14)
      let left = rested.advanced(by: .seconds(100.0 / 14))
      let fixes = track.fixes(every: .seconds(interval), noise: noise, seed: seed).map { fix in
        var fix = fix
        fix.course = nil
        return fix
      }
      var walk = FenceTestHarness([FenceTestHarness.fence(radius: 100)])
      walk.process(fixes)
      #expect(walk.kinds == [.enter, .exit], "seed \(seed), every \(interval) s")
      let exit = try #require(walk.events.last)
      #expect(exit.time.seconds(since: left).magnitude < 5, "seed \(seed), every \(interval) s")
    }
  }

  /// The estimated path goes straight on at a corner first. The fence begins 20 m beyond it.
  @Test(arguments: [1, 2, 5]) func turningCarDoesNotEnterBeyondTheCorner(interval: Int) {
    var entered = 0
    let seeds = PropertyCases.seeds(20, of: UInt64(1)...100)
    for seed in seeds {
      let azimuth = Double(seed) * 37, turn = seed.isMultiple(of: 2) ? 90.0 : -90
      let start = FenceTestHarness.home.destination(azimuth: azimuth + 180, distance: 1115)!
      var track = TrackBuilder(from: start, at: FenceTestHarness.start)
      track.rest(for: .seconds(Double(seed % 5) / 5 * Double(interval)))
      track.move(azimuth: azimuth, distance: 955, speed: 14)
      for step in 0..<8 { track.move(azimuth: azimuth, distance: 5, speed: 13 - Double(step)) }
      for step in 0..<8 { track.move(azimuth: azimuth + turn, distance: 5, speed: 6 + Double(step)) }
      track.move(azimuth: azimuth + turn, distance: 1000, speed: 14)
      var walk = FenceTestHarness([FenceTestHarness.fence(radius: 100)])
      walk.process(track, every: interval, noise: .wandering, seed: seed)
      if !walk.kinds.isEmpty { entered += 1 }
    }
    #expect(entered <= seeds.count / 20, "of \(seeds.count), every \(interval) s: \(entered)")
  }

  /// The fixes from before a fence was near may begin with an outlier.
  @Test func outlierBeforeTheFenceWasNearDelaysNothing() throws {
    let start = FenceTestHarness.home.destination(azimuth: 180, distance: 600)!
    var track = TrackBuilder(from: start, at: FenceTestHarness.start)
    track.move(azimuth: 0, distance: 1200, speed: 18)
    let entered = FenceTestHarness.start.advanced(by: .seconds(500.0 / 18))
    let left = FenceTestHarness.start.advanced(by: .seconds(700.0 / 18))
    for index in 0..<25 {
      var fixes = track.fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
      fixes[index].coordinate = fixes[index].coordinate.destination(azimuth: 70, distance: 180)!
      var walk = FenceTestHarness([FenceTestHarness.fence(radius: 100)])
      walk.process(fixes)
      try #require(walk.kinds == [.enter, .exit], "outlier \(index)")
      #expect(walk.events[0].time.seconds(since: entered).magnitude < 1.5, "outlier \(index)")
      #expect(walk.events[1].time.seconds(since: left).magnitude < 1.5, "outlier \(index)")
    }
  }
}
