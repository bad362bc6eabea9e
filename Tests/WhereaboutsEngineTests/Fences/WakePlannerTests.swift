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
    // By the boundary and not by the centre.
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

  @Test func crowdIsSaid() throws {
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

  /// For every place that the device reaches without leaving the circle around, no boundary without a place of its own
  /// lies within the margin; and the platform can tell each place's crossing.
  @Test(arguments: PropertyCases.seeds(8, of: 0...299 as ClosedRange<UInt64>))
  func freeBoundariesKeepTheirDistance(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fences = try Self.randomFences(using: &random)
    let registry = try Self.registry(fences)
    var planner = WakePlanner(capacity: Int.random(in: 1...20, using: &random))
    var device = Self.munich
    var plan = WakePlan.empty
    for _ in 0..<25 {
      let step = Double.random(in: 0...3000, using: &random)
      device = try #require(device.destination(azimuth: .random(in: 0..<360, using: &random), distance: step))
      let accuracy = Double.random(in: 3...100, using: &random)
      let hasChanged = planner.update(at: device, accuracy: accuracy, fences: registry)
      #expect(
        hasChanged
          == (planner.plan.isCrowded != plan.isCrowded || Set(planner.plan.regions) != Set(plan.regions)))
      plan = planner.plan
      try Self.check(plan, planner, at: device, accuracy, fences, using: &random)
      let isChangedAgain = planner.update(at: device, accuracy: accuracy, fences: registry)
      #expect(!isChangedAgain, "the same fix changes nothing")
    }
  }

  private static func randomFences(using random: inout SeededGenerator) throws -> [Fence] {
    let spread = Double.random(in: 500...30_000, using: &random)
    return try (0..<Int.random(in: 1...60, using: &random)).map { number in
      let azimuth = Double.random(in: 0..<360, using: &random),
        distance = Double.random(in: 0...spread, using: &random)
      let size = Double.random(in: 10...(spread / 4), using: &random)
      guard Bool.random(using: &random) else {
        return try circle("\(number)", azimuth, distance, radius: size)
      }
      let center = try #require(munich.destination(azimuth: azimuth, distance: distance))
      let corners = try [0.0, 90, 180, 270].map {
        try #require(center.destination(azimuth: $0, distance: size))
      }
      return Fence(id: FenceID("\(number)"), area: .polygon(try Area.Polygon(exterior: corners)))
    }
  }

  private static func check(
    _ plan: WakePlan, _ planner: WakePlanner, at device: Coordinate, _ accuracy: Double, _ fences: [Fence],
    using random: inout SeededGenerator
  ) throws {
    #expect(plan.regions.count <= planner.capacity)
    #expect(Set(plan.regions.map(\.identifier)).count == plan.regions.count)
    let around = try #require(plan.around)
    #expect(around.center.distance(to: device) < around.radius)
    for place in plan.places {
      let separation = place.circle.center.distance(to: device)
      #expect(place.circle.radius >= planner.margins.leastPlaceRadius)
      #expect(place.crossing == .enter ? separation > place.circle.radius : separation < place.circle.radius)
      let fence = try #require(fences.first { $0.id == place.fence })
      // The circle covers the fence: from outside, no boundary is reached before the circle.
      for azimuth in stride(from: 0.0, to: 360, by: 45) {
        let outside = try #require(
          place.circle.center.destination(azimuth: azimuth, distance: place.circle.radius + 1))
        #expect(!fence.area.contains(outside))
      }
    }
    guard !plan.isCrowded else { return }
    let watched = Set(plan.places.map(\.fence))
    for _ in 0..<8 {
      let reached = try #require(
        around.center.destination(
          azimuth: .random(in: 0..<360, using: &random),
          distance: around.radius * Double.random(in: 0...1, using: &random).squareRoot()))
      for fence in fences where !watched.contains(fence.id) {
        let distance = fence.area.signedDistance(to: reached)
        #expect(abs(distance.metres) + distance.errorBound >= planner.margins.lateness - 0.01)
      }
    }
  }
}
