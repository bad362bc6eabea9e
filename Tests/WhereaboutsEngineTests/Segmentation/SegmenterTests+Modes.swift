import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

/// The modes of the legs of a journey.
extension SegmenterTests {
  @Test func legsHaveTheirModes() throws {
    let walk = try fixes(every: 5) { $0.move(azimuth: 90, distance: 2_000, speed: 1.4) }
    #expect(journeys(Segmenter.segments(of: walk)).first?.legs.map(\.mode) == [.walking])
    let ride = try fixes(every: 5) {
      for _ in 0..<6 { $0.move(azimuth: 90, distance: 900, speed: 5) }
    }
    #expect(journeys(Segmenter.segments(of: ride)).first?.legs.map(\.mode) == [.cycling])
    let drive = try fixes(every: 2) { track in
      for block in 0..<30 {
        track.move(azimuth: block % 2 == 0 ? 0 : 90, distance: 500, speed: 12)
        track.rest(for: .seconds(20))
      }
    }
    #expect(journeys(Segmenter.segments(of: drive)).first?.legs.map(\.mode) == [.driving])
    let flight = try fixes(every: 30) { $0.move(azimuth: 90, distance: 900_000, speed: 230) }
    #expect(journeys(Segmenter.segments(of: flight)).first?.legs.map(\.mode) == [.flying])
  }

  @Test(arguments: [5.0, 15, 60, 300]) func legsAddUpToTheJourney(interval: Double) throws {
    let fixes = try fixes(every: interval, noise: .cityPhone) {
      $0.rest(for: .seconds(1_200))
      $0.move(azimuth: 90, distance: 900, speed: 1.3)
      $0.move(azimuth: 0, distance: 12_000, speed: 14)
      $0.move(azimuth: 90, distance: 900, speed: 1.3)
      $0.rest(for: .seconds(1_200))
    }
    for journey in journeys(Segmenter.segments(of: fixes)) {
      let sum = journey.legs.reduce(0) { $0 + $1.distance }
      #expect((sum - journey.distance).magnitude < 0.01, "\(sum) m of \(journey.distance) m")
    }
  }

  /// Fixes ten minutes apart do not show whether a fast way was by road or by rail, and nothing of a slow one.
  @Test(arguments: [(18.0, TransportMode.vehicle), (5, .unknown)])
  func rareFixesDoNotShowTheVehicle(speed: Double, mode: TransportMode) throws {
    let drive = try fixes(every: 600) { $0.move(azimuth: 90, distance: 5_400 * speed, speed: speed) }
    #expect(journeys(Segmenter.segments(of: drive)).first?.legs.map(\.mode) == [mode])
  }

  /// A straight way at a steady speed, from door to door, could be of either.
  @Test func straightWayWithoutStopsIsByAVehicle() throws {
    let ride = try fixes(every: 60) { $0.move(azimuth: 90, distance: 40_000, speed: 25) }
    #expect(journeys(Segmenter.segments(of: ride)).first?.legs.map(\.mode) == [.vehicle])
  }

  // MARK: Stated activities

  /// A way of 1,000 s at 8 m/s, whose fix number `n` states the activity of `n`.
  private func legs(every interval: Double = 10, _ activity: (Int) -> Fix.StatedActivity?) throws
    -> [JourneyLeg]
  {
    var fixes = try fixes(every: interval) { $0.move(azimuth: 0, distance: 8_000, speed: 8) }
    for index in fixes.indices { fixes[index].activity = activity(index) }
    let segments = Segmenter.segments(of: fixes)
    #expect(kinds(segments) == "j")
    return try #require(journeys(segments).first).legs
  }

  @Test(arguments: [1.0, 10, 60, 250]) func statedActivityIsTheMode(interval: Double) throws {
    let modes: [(Fix.StatedActivity, TransportMode)] = [
      (.walking, .walking), (.running, .walking), (.cycling, .cycling), (.driving, .driving), (.rail, .rail),
      (.flying, .flying),
    ]
    for (activity, mode) in modes {
      let found = try legs(every: interval) { _ in activity }
      #expect(found.map(\.mode) == [mode], "\(activity)")
    }
  }

  /// Phones state a vehicle in trains, too.
  @Test func trainThatIsStatedAsAVehicleIsATrain() throws {
    var fixes = try fixes(every: 10) { $0.move(azimuth: 0, distance: 90_000, speed: 45) }
    for activity in [nil, Fix.StatedActivity.driving] {
      for index in fixes.indices { fixes[index].activity = activity }
      let found = try #require(journeys(Segmenter.segments(of: fixes)).first)
      #expect(found.legs.map(\.mode) == [.rail], "\(String(describing: activity))")
    }
  }

  /// A phone may state walking in a shaking train.
  @Test(arguments: [(Fix.StatedActivity.walking, 28.0), (.running, 28), (.cycling, 45)])
  func activityThatIsImpossibleAtTheSpeedChangesNothing(
    activity: Fix.StatedActivity, speed: Double
  ) throws {
    var fixes = try fixes(every: 10) { $0.move(azimuth: 0, distance: 1_000 * speed, speed: speed) }
    let unstated = try #require(journeys(Segmenter.segments(of: fixes)).first)
    for index in fixes.indices { fixes[index].activity = activity }
    let stated = try #require(journeys(Segmenter.segments(of: fixes)).first)
    #expect(stated.legs == unstated.legs)
    #expect(!stated.legs.contains { $0.mode == .walking || $0.mode == .cycling })
  }

  @Test(arguments: [Fix.StatedActivity.still, .boating]) func activityWithoutAModeChangesNothing(
    activity: Fix.StatedActivity
  ) throws {
    let stated = try legs { _ in activity }, unstated = try legs { _ in nil }
    #expect(stated == unstated)
  }

  /// At least half of the fixes state an activity, and four fifths of those the same one.
  @Test func mostFixesDecide() throws {
    let unstated = try legs { _ in nil }
    #expect(unstated.map(\.mode) != [.rail])
    let mostlyStated = try legs { $0 % 3 == 0 ? nil : .rail }
    #expect(mostlyStated.map(\.mode) == [.rail])
    let rarelyStated = try legs { $0 % 3 == 0 ? .rail : nil }
    #expect(rarelyStated == unstated)
    let agreed = try legs { $0 % 10 == 0 ? .cycling : .rail }
    #expect(agreed.map(\.mode) == [.rail])
    let disputed = try legs { $0 % 2 == 0 ? .cycling : .rail }
    #expect(disputed == unstated)
  }

  @Test func activitiesInTurnAreLegs() throws {
    let legs = try legs { $0 < 50 ? .walking : .rail }
    #expect(legs.map(\.mode) == [.walking, .rail])
    #expect((seconds(legs[0].end) - 500).magnitude <= 40 && legs[0].end == legs[1].start)
    #expect((legs[0].distance / legs[1].distance - 1).magnitude < 0.2)
    // A word for half a minute is no leg.
    let other = try self.legs { (40..<43).contains($0) ? .walking : .rail }
    #expect(other.map(\.mode) == [.rail])
  }
}
