import Foundation
import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsTesting

/// Visits and rests whose fixes show no velocity that stands out from its error, most of them without a stated speed.
@Suite struct FenceRecentPlacesTests {
  private func noise(_ deviation: Double) -> ReceiverNoise {
    var noise = ReceiverNoise.wandering
    noise.deviation = deviation
    return noise
  }

  /// A walk from outside to 25 m beyond the boundary of a place of 50 m, a minute there, and the way back.
  private var visit: TrackBuilder {
    var track = FenceTestHarness.track(west: 150).addingRest(120)
    track.move(azimuth: 90, distance: 125, speed: 1.3)
    track.rest(for: .seconds(60))
    track.move(azimuth: 270, distance: 125, speed: 1.3)
    track.rest(for: .seconds(120))
    return track
  }

  @Test(arguments: [5, 10, 15])
  func walkerEntersAndLeaves(every interval: Int) {
    for seed in 1...20 as ClosedRange<UInt64> {
      var walk = FenceTestHarness()
      walk.process(visit, every: interval, noise: noise(6), seed: seed)
      #expect(walk.kinds == [.enter, .exit], "seed \(seed)")
    }
  }

  /// Ten hours of rest beside a boundary. The fixes wander by a multiple of the distance to it.
  @Test(arguments: [40.0, 60])
  func wanderingFixesAreNoDisplacement(west metres: Double) {
    for seed in 1...5 as ClosedRange<UInt64> {
      var rest = FenceTestHarness()
      rest.process(
        FenceTestHarness.track(west: metres).addingRest(7200), every: 5, noise: noise(20), seed: seed)
      #expect(rest.events.isEmpty, "seed \(seed)")
    }
  }

  /// Noise with a standard deviation of which the receiver states half.
  private func understated(_ deviation: Double) -> ReceiverNoise {
    var noise = noise(deviation)
    noise.statedAccuracyFactor = 0.5
    return noise
  }

  /// Eighty hours of rest, 10 to 25 m from a boundary. Where stated accuracies are trusted there are 98 events.
  @Test func understatedWanderingSeldomCrosses() {
    var events = 0
    for deviation in [8.0, 10] {
      for metres in [25.0, 40, 60, 75] {
        for seed in 1...5 as ClosedRange<UInt64> {
          var rest = FenceTestHarness()
          rest.process(
            FenceTestHarness.track(west: metres).addingRest(7200), every: 5, noise: understated(deviation),
            seed: seed)
          events += rest.events.count
        }
      }
    }
    #expect(events < 45)
  }

  /// A walker leaves after a quarter of an hour, and stays 150 m beyond the boundary.
  @Test(arguments: [1, 5, 15])
  func walkerLeavesAfterUnderstatedWandering(every interval: Int) throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      var track = FenceTestHarness.track(west: 0).addingRest(900)
      track.move(azimuth: 90, distance: 200, speed: 1.3)
      track.rest(for: .seconds(120))
      var walk = FenceTestHarness()
      walk.process(track, every: interval, noise: understated(8), seed: seed)
      #expect(walk.kinds == [.exit], "seed \(seed)")
    }
  }

  /// A walk to and fro over the boundary, 30 m on each side. Its places spread as those of a device at rest that errs do, but
  /// its steps persist in a direction.
  @Test(arguments: [1, 5])
  func walkToAndFroCrossesEachTime(every interval: Int) {
    for seed in 1...6 as ClosedRange<UInt64> {
      var track = FenceTestHarness.track(west: 80).addingRest(60)
      for leg in 0..<18 {
        track.move(azimuth: leg.isMultiple(of: 2) ? 90 : 270, distance: 60, speed: 1.2)
      }
      track.rest(for: .seconds(60))
      var walk = FenceTestHarness()
      walk.process(track, every: interval, noise: noise(5), seed: seed)
      #expect(walk.events.count == 18, "seed \(seed)")
    }
  }

  /// A car arrives, and its phone states a speed of 0 once and then sends nothing. That one fix must be enough: no movement
  /// is seen, but the place is beyond doubt.
  @Test(arguments: [10, 20, 30, 60])
  func arrivalWithStatedSpeedsIsKnownAtItsLastFix(every interval: Int) {
    var noise = noise(2)
    noise.speedDeviation = 0
    for seed in 1...10 as ClosedRange<UInt64> {
      var track = FenceTestHarness.track(west: 1_800)
      track.move(azimuth: 90, distance: 1_790, speed: 15)
      track.rest(for: .seconds(1))
      var drive = FenceTestHarness()
      drive.process(track, every: interval, noise: noise, seed: seed)
      #expect(drive.kinds == [.enter], "seed \(seed)")
    }
  }

  /// A process that ends after each fix loses no displacement.
  @Test func storedPlacesContinue() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      var walk = FenceTestHarness()
      for fix in visit.fixes(every: .seconds(15), noise: noise(6), seed: seed) {
        walk.process([fix])
        walk.watch = try JSONDecoder().decode(FenceWatch.self, from: JSONEncoder().encode(walk.watch))
      }
      #expect(walk.kinds == [.enter, .exit], "seed \(seed)")
    }
  }
}
