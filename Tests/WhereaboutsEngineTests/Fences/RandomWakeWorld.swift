import WhereaboutsEngine
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

/// A device that moves at random among random fences, with fixes of any accuracy, and a planner of its regions.
///
/// The checks measure distances independently of the planner.
struct RandomWakeWorld {
  private static let munich = Coordinate(uncheckedLatitude: 48.137, longitude: 11.575)
  /// The minimum distance of boundaries without a region, and the accuracy of a fine fix.
  private static let lateness = 250.0, fine = 100.0

  private var random: SeededGenerator
  private var registry = FenceRegistry()
  private var fences: [FenceID: Fence] = [:]
  private var planner: WakePlanner
  private var device = RandomWakeWorld.munich
  private var accuracy = 0.0
  private var count = 0
  private let spread: Double
  private let largest: Double
  private var problems: [String] = []

  private init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    spread = .random(in: 500...30_000, using: &random)
    largest = Bool.random(using: &random) ? spread / 4 : 150
    planner = WakePlanner(capacity: .random(in: 1...20, using: &random))
    for _ in 0..<Int.random(in: 1...60, using: &random) { try addFence() }
  }

  /// Returns the problems of a world's plans.
  static func problems(seed: UInt64) throws -> [String] {
    var world = try RandomWakeWorld(seed: seed)
    for _ in 0..<6 where world.problems.isEmpty { try world.step() }
    return world.problems
  }

  private mutating func addFence() throws {
    let distance = Double.random(in: 0...spread, using: &random)
    let center = try moved(Self.munich, by: distance)
    let size = Double.random(in: 10...largest, using: &random)
    let id = FenceID("\(count)")
    count += 1
    var area = Area.circle(try Area.Circle(center: center, radius: size))
    if Int.random(in: 0..<3, using: &random) == 0 {
      let corners = [0.0, 90, 180, 270].compactMap { center.destination(azimuth: $0, distance: size) }
      area = .polygon(try Area.Polygon(exterior: corners))
    }
    let fence = Fence(id: id, area: area)
    fences[id] = fence
    try registry.add(fence)
  }

  private mutating func moved(_ place: Coordinate, by distance: Double) throws -> Coordinate {
    guard let moved = place.destination(azimuth: .random(in: 0..<360, using: &random), distance: distance)
    else {
      throw Fence.Problem.duplicate("no destination")
    }
    return moved
  }

  private mutating func step() throws {
    let paces: [Double] = [30, 300, 3000]
    let distance = Double.random(in: 0...paces[Int.random(in: 0..<3, using: &random)], using: &random)
    device = try moved(device, by: distance)
    accuracy =
      Int.random(in: 0..<4, using: &random) == 0
      ? .random(in: 100...1500, using: &random) : .random(in: 3...100, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: try addFence()
    case 1:
      if fences.count > 1, let id = fences.keys.min(by: { $0 < $1 }) {
        fences[id] = nil
        registry.remove(id)
      }
    case 2: planner = planner.resized(to: .random(in: 1...20, using: &random))
    default: break
    }
    let before = planner.plan
    let isChanged = planner.update(at: device, accuracy: accuracy, fences: registry)
    let plan = planner.plan
    let differs = plan.isCrowded != before.isCrowded || Set(plan.regions) != Set(before.regions)
    if differs, !isChanged { problems.append("a change is not reported") }
    checkRegions(plan)
    checkRemovals(before, plan)
    if !isHeld(before) {
      checkPlaces(plan, before)
      try checkFreeBoundaries(plan)
    }
    if planner.update(at: device, accuracy: accuracy, fences: registry) {
      problems.append("the same fix changes the plan")
    }
  }

  /// Whether the fix is coarse and does not show that the device has left the circle around it.
  private func isHeld(_ plan: WakePlan) -> Bool {
    guard let around = plan.around, accuracy > Self.fine else { return false }
    return around.center.distance(to: device) - accuracy <= around.radius
  }

  private func isUnsettled(_ circle: Area.Circle) -> Bool {
    abs(circle.center.distance(to: device) - circle.radius) <= accuracy
  }

  private func exists(_ member: WakePlan.Place.Member) -> Bool {
    registry.fenceWithSerial(member.fence)?.serial == member.serial
  }

  private mutating func checkRegions(_ plan: WakePlan) {
    if plan.regions.count > planner.capacity { problems.append("\(plan.regions.count) regions") }
    if Set(plan.regions.map(\.identifier)).count != plan.regions.count {
      problems.append("equal identifiers")
    }
    guard let around = plan.around else { return problems.append("no circle around") }
    if around.center.distance(to: device) > around.radius + accuracy {
      problems.append("the device is outside")
    }
    for place in plan.places where !place.members.contains(where: exists) {
      problems.append("a place without a fence")
    }
    for place in plan.places where place.circle.radius < 100 { problems.append("a small place") }
  }

  /// Checks that no region is removed whose boundary the device may have crossed.
  private mutating func checkRemovals(_ before: WakePlan, _ plan: WakePlan) {
    let retained = Set(plan.places)
    let hadRoom = before.places.count < planner.capacity
    for place in before.places where !retained.contains(place) && isUnsettled(place.circle) {
      if hadRoom, place.members.contains(where: exists) { problems.append("removed \(place.fence)") }
    }
    if isHeld(before), plan.around != before.around {
      problems.append("removed the circle around the device")
    }
  }

  private mutating func checkPlaces(_ plan: WakePlan, _ before: WakePlan) {
    for place in plan.places {
      let separation = place.circle.center.distance(to: device)
      let isKept = before.places.contains(place)
      let slack = isKept ? accuracy : -accuracy
      let isArmed =
        place.crossing == .enter
        ? separation + slack >= place.circle.radius : separation - slack <= place.circle.radius
      if !isArmed { problems.append("\(place.crossing) \(place.fence) can't be detected") }
      for member in place.members {
        guard exists(member), let fence = fences[member.fence] else { continue }
        // From outside, no boundary is reached before the circle.
        for azimuth in stride(from: 0.0, to: 360, by: 60) {
          let rim = place.circle.center.destination(azimuth: azimuth, distance: place.circle.radius + 1)
          if let rim, fence.area.contains(rim) { problems.append("\(member.fence) is not covered") }
        }
      }
    }
  }

  /// Checks that no boundary without a region is near the area that the device reaches inside the circle around it.
  private mutating func checkFreeBoundaries(_ plan: WakePlan) throws {
    guard !plan.isCrowded, let around = plan.around else { return }
    let watched = Set(
      plan.places.filter { !isUnsettled($0.circle) }.flatMap(\.members).filter(exists).map(\.fence))
    for _ in 0..<4 {
      let share = Double.random(in: 0...1, using: &random).squareRoot()
      let reached = try moved(around.center, by: around.radius * share)
      for fence in fences.values where !watched.contains(fence.id) {
        let distance = fence.area.signedDistance(to: reached)
        if abs(distance.metres) + distance.errorBound < Self.lateness - 0.01, around.radius > accuracy {
          problems.append("\(fence.id) is \(Int(distance.metres)) m away and free")
        }
      }
    }
  }
}
