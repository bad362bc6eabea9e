import Foundation
import Testing
import WhereaboutsEngine
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@Suite struct WakePlannerTests {
  private static let munich = Coordinate(uncheckedLatitude: 48.137, longitude: 11.575)

  private static func circle(
    _ name: String, _ azimuth: Double, _ distance: Double, radius: Double = 100,
    from center: Coordinate = munich
  ) throws -> Fence {
    let place = try #require(center.destination(azimuth: azimuth, distance: distance))
    return Fence(id: FenceID(name), area: .circle(try Area.Circle(center: place, radius: radius)))
  }

  private static func registry(_ fences: [Fence]) throws -> FenceRegistry {
    var registry = FenceRegistry()
    for fence in fences { try registry.add(fence) }
    return registry
  }

  @Test func noFenceOrNoRegionNeedsNoPlan() throws {
    var planner = WakePlanner(capacity: 20)
    let isChanged = planner.update(at: Self.munich, accuracy: 10, fences: FenceRegistry())
    #expect(!isChanged)
    #expect(planner.plan == .empty)
    var none = WakePlanner(capacity: 0)
    let fences = try Self.registry([Self.circle("a", 0, 1000)])
    let isChangedToo = none.update(at: Self.munich, accuracy: 10, fences: fences)
    #expect(!isChangedToo)
  }

  @Test func circleAroundIsAlwaysWatched() throws {
    var planner = WakePlanner(capacity: 20)
    let fences = try Self.registry([Self.circle("far", 0, 900_000)])
    let isChanged = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    #expect(isChanged)
    #expect(planner.plan.around?.radius == 20_000)
    var one = WakePlanner(capacity: 1)
    let near = try Self.registry([Self.circle("near", 0, 5000)])
    let isChangedToo = one.update(at: Self.munich, accuracy: 10, fences: near)
    #expect(isChangedToo)
    #expect(one.plan.places.isEmpty)
    let radius = try #require(one.plan.around?.radius)
    #expect(abs(radius - (5000 - 100 - 10 - 250)) < 1)
  }

  @Test func nearestBoundariesGetThePlaces() throws {
    var planner = WakePlanner(capacity: 3)
    let fences = try Self.registry([
      Self.circle("far", 0, 9000), Self.circle("large", 90, 12_000, radius: 11_000),
      Self.circle("near", 180, 2000),
    ])
    _ = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    // The distance counts to the boundary, not to the centre.
    #expect(planner.plan.places.map(\.fence) == ["large", "near"])
    let radius = try #require(planner.plan.around?.radius)
    #expect(abs(radius - (9000 - 100 - 10 - 250)) < 1)
  }

  @Test func deviceInsideIsWokenByTheExit() throws {
    var planner = WakePlanner(capacity: 20)
    let fences = try Self.registry([
      Self.circle("home", 0, 0, radius: 400), Self.circle("small", 0, 2000, radius: 20),
    ])
    _ = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    let places = planner.plan.places
    #expect(places.map(\.crossing) == [.exit, .enter])
    #expect(places.map(\.circle.radius) == [400, 100])
  }

  @Test func crowdedPlanIsReported() throws {
    var planner = WakePlanner(capacity: 3)
    let fences = try Self.registry((0..<10).map { try Self.circle("\($0)", Double($0) * 36, 350) })
    _ = planner.update(at: Self.munich, accuracy: 5, fences: fences)
    #expect(planner.plan.isCrowded)
    #expect(planner.plan.around?.radius == 150)
    #expect(planner.plan.regions.count == 3)
  }

  @Test func planStaysWhileTheDeviceHardlyMoves() throws {
    var planner = WakePlanner(capacity: 4)
    let fences = try Self.registry(
      (0..<30).map { try Self.circle("\($0)", Double($0) * 12, 4000 + 200 * Double($0)) })
    let isChanged = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    #expect(isChanged)
    let around = planner.plan.around
    for step in 1...10 {
      let place = try #require(Self.munich.destination(azimuth: 45, distance: Double(step) * 20))
      _ = planner.update(at: place, accuracy: 10, fences: fences)
      #expect(planner.plan.around == around)
    }
  }

  @Test func changedFenceIsAnotherRegion() throws {
    var planner = WakePlanner(capacity: 20)
    var fences = try Self.registry([Self.circle("a", 0, 1000), Self.circle("b", 90, 3000)])
    _ = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    let before = Set(planner.plan.regions.map(\.identifier))
    fences.update(try Self.circle("b", 90, 4000))
    _ = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    let after = Set(planner.plan.regions.map(\.identifier))
    #expect(before.subtracting(after).count == 1 && after.subtracting(before).count == 1)
    #expect(after.allSatisfy { $0.hasPrefix(WakeRegion.prefix) })
  }

  @Test func planSurvivesItsStorage() throws {
    var planner = WakePlanner(capacity: 3)
    let fences = try Self.registry((0..<10).map { try Self.circle("\($0)", Double($0) * 36, 350) })
    _ = planner.update(at: Self.munich, accuracy: 5, fences: fences)
    let stored = try JSONEncoder().encode(planner)
    #expect(try JSONDecoder().decode(WakePlanner.self, from: stored) == planner)
    for text in [
      "{}", #"{"capacity":3,"plan":{"around":{"numbers":[91,0,5]},"places":[],"isCrowded":false}}"#,
    ] {
      #expect(throws: (any Error).self) { try JSONDecoder().decode(WakePlanner.self, from: Data(text.utf8)) }
    }
  }

  // MARK: Regions that may hold a crossing

  /// A fix of a significant change must not remove regions that the device may have crossed.
  @Test func coarseFixRemovesNoRegion() throws {
    var planner = WakePlanner(capacity: 20)
    let fences = try Self.registry([
      Self.circle("home", 0, 0, radius: 300), Self.circle("a", 90, 900), Self.circle("b", 180, 1100),
    ])
    _ = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    let plan = planner.plan
    #expect(plan.places.count == 3)
    let near = try #require(Self.munich.destination(azimuth: 90, distance: 350))
    let isChanged = planner.update(at: near, accuracy: 660, fences: fences)
    #expect(!isChanged && planner.plan == plan)
    let isChangedByFine = planner.update(at: near, accuracy: 10, fences: fences)
    #expect(isChangedByFine, "the fix shows that the device has left home")
    #expect(planner.plan.places.first { $0.fence == "home" }?.crossing == .enter)
  }

  /// A coarse fix far away shows that the device has left the circle around it.
  @Test func coarseFixFarAwayMovesThePlan() throws {
    var planner = WakePlanner(capacity: 2)
    let fences = try Self.registry([
      Self.circle("home", 0, 0, radius: 300), Self.circle("other", 270, 3000),
    ])
    _ = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    #expect(planner.plan.places.map(\.crossing) == [.exit])
    let far = try #require(Self.munich.destination(azimuth: 90, distance: 5000))
    let isChanged = planner.update(at: far, accuracy: 660, fences: fences)
    #expect(isChanged && planner.plan.places.map(\.crossing) == [.enter])
    let around = try #require(planner.plan.around)
    #expect(around.center == far && around.radius >= 660, "it contains the device")
  }

  /// The other regions stay, although another fence is nearer now: it would hardly enlarge the circle around the device.
  @Test func crossedRegionAloneIsReplaced() throws {
    var planner = WakePlanner(capacity: 3)
    let fences = try Self.registry([
      Self.circle("a", 90, 600), Self.circle("b", 270, 2500), Self.circle("c", 90, 3500),
    ])
    _ = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    let before = planner.plan
    #expect(before.places.map(\.fence) == ["a", "b"])
    let inside = try #require(Self.munich.destination(azimuth: 90, distance: 600))
    let isChanged = planner.update(at: inside, accuracy: 10, fences: fences)
    #expect(isChanged && planner.plan.around == before.around)
    #expect(planner.plan.places.map(\.fence) == ["a", "b"])
    #expect(planner.plan.places.first?.crossing == .exit && planner.plan.places.last == before.places.last)
    let isChangedAgain = planner.update(at: inside, accuracy: 10, fences: fences)
    #expect(!isChangedAgain)
  }

  @Test func nearerFenceTakesAPlaceForAMuchLargerCircle() throws {
    var planner = WakePlanner(capacity: 2)
    let fences = try Self.registry([Self.circle("a", 270, 2000), Self.circle("b", 90, 4000)])
    _ = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    #expect(planner.plan.places.map(\.fence) == ["a"])
    let near = try #require(Self.munich.destination(azimuth: 90, distance: 3000))
    _ = planner.update(at: near, accuracy: 10, fences: fences)
    #expect(planner.plan.places.map(\.fence) == ["b"] && planner.plan.around?.center == near)
  }

  @Test func circleAroundContainsTheDeviceAfterACoarseFix() throws {
    var planner = WakePlanner(capacity: 3)
    let town = try #require(Self.munich.destination(azimuth: 90, distance: 60_000))
    let fences = try Self.registry(
      (0..<10).map { try Self.circle("\($0)", Double($0) * 36, 350, from: town) })
    _ = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    _ = planner.update(at: town, accuracy: 660, fences: fences)
    #expect(planner.plan.isCrowded && planner.plan.around?.center == town)
    #expect(planner.plan.around?.radius == 660)
  }

  @Test func regionWithTheDeviceOnItsLineStays() throws {
    var planner = WakePlanner(capacity: 2)
    let fences = try Self.registry([
      Self.circle("a", 90, 1000, radius: 200), Self.circle("b", 270, 3000, radius: 1200),
    ])
    _ = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    let place = planner.plan.places
    #expect(place.map(\.fence) == ["a"])
    let line = try #require(Self.munich.destination(azimuth: 90, distance: 795))
    _ = planner.update(at: line, accuracy: 10, fences: fences)
    #expect(planner.plan.places == place)
    let inside = try #require(Self.munich.destination(azimuth: 90, distance: 1000))
    _ = planner.update(at: inside, accuracy: 10, fences: fences)
    #expect(planner.plan.places.map(\.crossing) == [.exit])
  }

  /// Otherwise the platform would continue with the old circle.
  @Test func anotherCircleAroundIsAnotherRegion() throws {
    var planner = WakePlanner(capacity: 20)
    let fences = try Self.registry([Self.circle("far", 0, 900_000)])
    _ = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    let before = planner.plan.regions.map(\.identifier)
    let moved = try #require(Self.munich.destination(azimuth: 90, distance: 15_000))
    _ = planner.update(at: moved, accuracy: 10, fences: fences)
    #expect(planner.plan.around?.center == moved && planner.plan.regions.map(\.identifier) != before)
  }

  @Test func deviceInsideAPolygonHasNoRegionForItsExit() throws {
    var planner = WakePlanner(capacity: 20)
    let corners = try [0.0, 90, 180, 270].map {
      try #require(Self.munich.destination(azimuth: $0, distance: 2000))
    }
    let fences = try Self.registry([
      Fence(id: "square", area: .polygon(try Area.Polygon(exterior: corners)))
    ])
    _ = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    #expect(planner.plan.places.isEmpty, "the circle over the square is left far from its edges")
    let radius = try #require(planner.plan.around?.radius)
    #expect(radius < 2000 / 2.0.squareRoot() - 250)
  }

  @Test func fenceLargerThanThePlatformWatchesHasNoRegion() throws {
    var planner = WakePlanner(capacity: 20)
    let fences = try Self.registry([Self.circle("country", 0, 150_000, radius: 120_000)])
    _ = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    #expect(planner.plan.places.isEmpty && planner.plan.around?.radius == 20_000)
  }

  @Test func statedRadiusOfThePlatformLimitsTheRegions() throws {
    var planner = WakePlanner(capacity: 20)
    let fences = try Self.registry([Self.circle("county", 0, 30_000, radius: 8000)])
    _ = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    #expect(planner.plan.places.count == 1 && planner.plan.around?.radius == 20_000)
    planner = planner.resized(to: 20, margins: WakePlanner.Margins(greatestRadius: 5000))
    _ = planner.update(at: Self.munich, accuracy: 10, fences: fences)
    #expect(planner.plan.places.isEmpty && planner.plan.around?.radius == 5000)
    let stored = try JSONEncoder().encode(planner)
    #expect(try JSONDecoder().decode(WakePlanner.self, from: stored) == planner)
  }

  // MARK: Several fences in one region

  @Test func denseTownSharesRegions() throws {
    var planner = WakePlanner(capacity: 6)
    let town = try #require(Self.munich.destination(azimuth: 0, distance: 1500))
    let fences = try (0..<60).map {
      try Self.circle("\($0)", Double($0) * 36, 20 + 6 * Double($0), radius: 40, from: town)
    }
    let registry = try Self.registry(fences)
    _ = planner.update(at: Self.munich, accuracy: 5, fences: registry)
    let shared = try #require(planner.plan.places.max { $0.members.count < $1.members.count })
    #expect(shared.members.count > 10 && shared.crossing == .enter)
    #expect(planner.plan.regions.count <= 6 && !planner.plan.isCrowded)
    // The nearest boundary is 1,086 m away.
    let radius = try #require(planner.plan.around?.radius)
    #expect(radius > 1200)
    for place in planner.plan.places {
      #expect(place.circle.center.distance(to: Self.munich) - place.circle.radius > 700)
    }
    let stored = try JSONEncoder().encode(planner)
    #expect(try JSONDecoder().decode(WakePlanner.self, from: stored) == planner)
  }

  @Test func regionOfSeveralStaysWithOneOfThem() throws {
    var planner = WakePlanner(capacity: 2)
    var fences = try Self.registry([
      Self.circle("a", 0, 1200, radius: 60), Self.circle("b", 5, 1250, radius: 60),
      Self.circle("c", 180, 2400, radius: 60),
    ])
    _ = planner.update(at: Self.munich, accuracy: 5, fences: fences)
    let regions = planner.plan.regions
    #expect(planner.plan.places.map { $0.members.map(\.fence) } == [["a", "b"]])
    fences.remove("a")
    _ = planner.update(at: Self.munich, accuracy: 5, fences: fences)
    #expect(planner.plan.regions == regions)
    fences.remove("b")
    _ = planner.update(at: Self.munich, accuracy: 5, fences: fences)
    #expect(!planner.plan.regions.contains(regions[1]))
  }

  @Test func fewFencesHaveARegionEach() throws {
    var planner = WakePlanner(capacity: 20)
    let fences = try Self.registry((0..<10).map { try Self.circle("\($0)", Double($0), 900, radius: 20) })
    _ = planner.update(at: Self.munich, accuracy: 5, fences: fences)
    #expect(planner.plan.places.count == 10 && planner.plan.places.allSatisfy { $0.members.count == 1 })
  }

  @Test func planOfAnEarlierVersionIsReplacedByTheNextFix() throws {
    let old =
      #"{"capacity":3,"plan":{"around":{"numbers":[48.137,11.575,500]},"isCrowded":false,"#
      + #""places":[{"fence":"a","serial":1,"circle":{"numbers":[48.15,11.575,100]},"crossing":"enter"}]}}"#
    var planner = try JSONDecoder().decode(WakePlanner.self, from: Data(old.utf8))
    let regions = planner.plan.regions
    #expect(regions.count == 2 && regions[1].identifier.hasPrefix("wa.enter.1."))
    let fences = try Self.registry([
      Fence(
        id: "a",
        area: .circle(
          try Area.Circle(center: Coordinate(uncheckedLatitude: 48.15, longitude: 11.575), radius: 100))),
      Self.circle("b", 90, 2000),
    ])
    _ = planner.update(at: Self.munich, accuracy: 5, fences: fences)
    #expect(planner.plan.places.contains { $0.fence == "b" })
    #expect(planner.plan.regions.contains(regions[1]), "an unchanged region is not touched")
  }

  // MARK: Random worlds

  /// Runs random worlds: 100,000 in a long run.
  @Test(arguments: PropertyCases.seeds(8, of: 0...99 as ClosedRange<UInt64>))
  func plansOfRandomWorldsHold(batch: UInt64) throws {
    for world in 0..<(PropertyCases.runsAll ? 1000 : 10) as Range<UInt64> {
      let seed = batch * 1000 + world
      let problems = try RandomWakeWorld.problems(seed: seed)
      #expect(problems == [], "seed \(seed)")
      guard problems.isEmpty else { return }
    }
  }
}
