import EngineTestSupport
import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Exits of a device without stated speeds that rests in a fence and drives off.
@Suite struct FenceDepartureTests {
  /// The way in which a car sets off.
  enum Departure: CaseIterable {
    case town, road, acceleration

    /// The legs of the drive, in metres and m/s.
    private var legs: [(distance: Double, speed: Double)] {
      var legs: [(distance: Double, speed: Double)] = []
      if self == .acceleration {
        // 2 m/s² up to 15 m/s, in steps of half a second.
        for speed in stride(from: 0.5, to: 15, by: 1) { legs.append((speed / 2, speed)) }
      }
      legs.append((3000, self == .town ? 10 : 15))
      return legs
    }

    func drive(_ track: inout TrackBuilder, azimuth: Double) {
      for leg in legs { track.move(azimuth: azimuth, distance: leg.distance, speed: leg.speed) }
    }

    /// Returns the seconds from the departure to a distance in metres.
    func seconds(to distance: Double) -> Double {
      var left = distance, seconds = 0.0
      for leg in legs where left > 0 {
        seconds += min(left, leg.distance) / leg.speed
        left -= leg.distance
      }
      return seconds
    }
  }

  /// The exit of one drive, and the seconds from the true crossing to its time and its decision.
  private struct Exit {
    var error: Double
    var uncertainty: Double
    var delay: Double
    var isWithin: Bool { error.magnitude <= max(3, 2 * uncertainty) }
  }

  /// Returns the exits of drives with different seeds, one each. Drives with no exit or further events are recorded as
  /// issues.
  private func exits(
    _ departure: Departure, radius: Double, every interval: Int, seeds: ClosedRange<UInt64> = 1...10
  ) -> [Exit] {
    seeds.compactMap { seed in
      var track = FenceTestHarness.track(west: 0)
      // The device sets off at different moments between two fixes.
      let rest = 200 + Double(seed) / Double(seeds.count) * Double(interval)
      track.rest(for: .seconds(rest))
      departure.drive(&track, azimuth: Double(seed) * 37)
      let truth = FenceTestHarness.start.advanced(by: .seconds(rest + departure.seconds(to: radius)))
      var walk = FenceTestHarness([FenceTestHarness.fence(radius: radius)])
      walk.process(track, every: interval, noise: .wandering, seed: seed)
      guard walk.kinds == [.exit], let exit = walk.events.first else {
        Issue.record("seed \(seed), every \(interval) s: \(walk.kinds)")
        return nil
      }
      return Exit(
        error: exit.time.seconds(since: truth), uncertainty: exit.timeUncertainty,
        delay: exit.decided.seconds(since: truth))
    }
  }

  @Test(arguments: [
    (Departure.town, 1), (.town, 5), (.road, 1), (.road, 5), (.acceleration, 1),
  ])
  func exitTimeIsWithinItsUncertainty(departure: Departure, interval: Int) {
    for radius in [50.0, 150] {
      for (place, exit) in exits(departure, radius: radius, every: interval).enumerated() {
        #expect(
          exit.isWithin,
          "seed \(place + 1), \(radius) m: \(exit.error) s ± \(exit.uncertainty) s, every \(interval) s")
        // At most four fixes are held back.
        #expect(exit.delay <= 4 * Double(interval) + 3, "seed \(place + 1), \(radius) m: \(exit.delay) s")
      }
    }
  }

  /// Rare fixes leave the moment of the departure open, and a car that accelerates while few fixes come shows several
  /// manoeuvres. Two standard deviations hold for most exits.
  @Test(arguments: Departure.allCases, [2, 5, 10, 15, 20, 30])
  func exitTimeIsMostlyWithinItsUncertainty(departure: Departure, interval: Int) {
    for radius in [50.0, 150] {
      let exits = exits(departure, radius: radius, every: interval, seeds: 1...40)
      let outside = exits.filter { !$0.isWithin }
      #expect(outside.count <= 5, "seeds 1 to 40, every \(interval) s, \(radius) m: \(outside)")
    }
  }
}
