package import WhereaboutsGeodesy
import WhereaboutsModel

/// A planner of the regions that wake a resting program near its fences: circles of their own for the nearest fences,
/// and a circle around the device that keeps all others at a distance.
///
/// While the device stays inside ``WakePlan/around``, no boundary of a fence without a place is nearer than the margin,
/// unless ``WakePlan/isCrowded``.
package struct WakePlanner: Hashable, Sendable {
  /// Margins against the platform's lateness; all in metres.
  package struct Margins: Hashable, Sendable {
    /// The distance that boundaries without a place keep.
    package var lateness = 250.0
    /// The least radius of a region: smaller ones are unreliable.
    package var leastPlaceRadius = 100.0
    package var leastAroundRadius = 150.0
    package var greatestAroundRadius = 20_000.0
    /// The greatest radius that the platform watches.
    package var greatestRadius = 100_000.0

    package init() {}
  }

  /// How much nearer a fence must be to take another's place.
  static let evictionRatio = 0.8

  /// The number of regions, including the one around the device.
  package let capacity: Int
  package let margins: Margins
  package private(set) var plan = WakePlan.empty

  package init(capacity: Int, margins: Margins = Margins()) {
    self.capacity = max(0, capacity)
    self.margins = margins
  }

  init(capacity: Int, plan: WakePlan) {
    self.init(capacity: capacity)
    self.plan = plan
  }

  /// A fence near the device.
  private struct Candidate {
    var place: WakePlan.Place?
    /// The least distance to the boundary.
    var clearance: Double
  }

  /// Plans anew from an accepted fix; to be called after each, and after each change of the fences.
  ///
  /// - Parameters:
  ///   - center: the place of the fix.
  ///   - accuracy: the accuracy of the fix, in metres.
  ///   - fences: all fences.
  /// - Returns: whether a region or ``WakePlan/isCrowded`` has changed.
  package mutating func update(at center: Coordinate, accuracy: Double, fences: FenceRegistry) -> Bool {
    let before = plan
    let accuracy = accuracy.isFinite ? max(0, accuracy) : margins.greatestAroundRadius
    guard capacity > 0, fences.count > 0 else {
      plan = .empty
      return before != .empty
    }
    let reach = 3 * capacity + 10
    let candidates = fences.nearest(reach, to: center).map { fence, distance in
      candidate(fence, distance, at: center, accuracy: accuracy, in: fences)
    }
    let places = choosePlaces(among: candidates)
    plan.places = places
    updateAround(center, accuracy: accuracy, fences: fences)
    return plan.around != before.around || plan.isCrowded != before.isCrowded
      || Set(plan.places) != Set(before.places)
  }

  /// Returns the planner for another number of regions. The regions stay until the next update, as far as there is
  /// room for them.
  package func resized(to capacity: Int) -> WakePlanner {
    var planner = WakePlanner(capacity: capacity, margins: margins)
    planner.plan = plan
    return planner
  }

  /// Ends the plan; returns whether there was one.
  package mutating func removeAll() -> Bool {
    defer { plan = .empty }
    return plan != .empty
  }

  private func candidate(
    _ fence: Fence, _ distance: SignedDistance, at center: Coordinate, accuracy: Double,
    in fences: FenceRegistry
  ) -> Candidate {
    let clearance = max(0, abs(distance.metres) - distance.errorBound - accuracy)
    guard let serial = fences.fenceWithSerial(fence.id)?.serial, let circle = covering(fence.area) else {
      return Candidate(place: nil, clearance: clearance)
    }
    let separation = circle.center.distance(to: center)
    var crossing: WakeRegion.Crossing?
    if separation - accuracy > circle.radius {
      crossing = .enter
    } else if separation + accuracy < circle.radius, case .circle = fence.area, distance.isInside {
      crossing = .exit
    }
    let place = crossing.map {
      WakePlan.Place(fence: fence.id, serial: serial, circle: circle, crossing: $0)
    }
    return Candidate(place: place, clearance: clearance)
  }

  /// Returns the smallest circle at hand that covers an area; `nil` where the platform can't watch one.
  private func covering(_ area: Area) -> Area.Circle? {
    let (center, radius): (Coordinate, Double)
    if case .circle(let circle) = area {
      (center, radius) = (circle.center, circle.radius)
    } else {
      let box = area.boundingBox
      guard box.longitudeSpan < 10, box.north - box.south < 10 else { return nil }
      let corners = [
        (box.south, box.west), (box.south, box.east), (box.north, box.west), (box.north, box.east),
      ]
      center = box.center
      let farthest = corners.compactMap { Coordinate(latitude: $0.0, longitude: $0.1)?.distance(to: center) }
        .max()
      // A parallel bulges a little between its corners.
      radius = (farthest ?? .infinity) * 1.02
    }
    let watched = max(radius, margins.leastPlaceRadius)
    guard watched <= margins.greatestRadius else { return nil }
    return try? Area.Circle(center: center, radius: watched)
  }

  /// Chooses the fences with places of their own. One that has a place keeps it, until another is clearly nearer.
  private func choosePlaces(among candidates: [Candidate]) -> [WakePlan.Place] {
    let count = capacity - 1
    let watchable = candidates.filter { $0.place != nil }
    let before = Set(plan.places)
    var chosen = watchable.filter { $0.place.map(before.contains) ?? false }
    for newcomer in watchable.prefix(count) where !(newcomer.place.map(before.contains) ?? true) {
      if chosen.count < count {
        chosen.append(newcomer)
      } else if let farthest = chosen.indices.max(by: { chosen[$0].clearance < chosen[$1].clearance }),
        newcomer.clearance < chosen[farthest].clearance * Self.evictionRatio
      {
        chosen[farthest] = newcomer
      }
    }
    return chosen.sorted { $0.clearance < $1.clearance }.prefix(count).compactMap(\.place)
  }

  /// Keeps the circle around the device while the device is well inside and no free boundary is near to the circle.
  private mutating func updateAround(_ center: Coordinate, accuracy: Double, fences: FenceRegistry) {
    let room = min(self.room(at: center, fences: fences) - accuracy, margins.greatestAroundRadius)
    plan.isCrowded = room < margins.leastAroundRadius
    if let around = plan.around, around.center.distance(to: center) <= around.radius / 2 {
      let isFree = around.radius <= self.room(at: around.center, fences: fences)
      if isFree || plan.isCrowded && around.radius <= margins.leastAroundRadius { return }
    }
    plan.around = try? Area.Circle(center: center, radius: max(room, margins.leastAroundRadius))
  }

  /// Returns the greatest radius of a circle that every boundary without a place keeps the margin from.
  private func room(at center: Coordinate, fences: FenceRegistry) -> Double {
    let watched = Set(plan.places.map(\.fence))
    let near = fences.nearest(capacity + 1, to: center)
    // There is one more within the reach than there are places; beyond it no boundary is nearer.
    let free = near.first { !watched.contains($0.fence.id) } ?? (near.count < fences.count ? near.last : nil)
    guard let free else { return .infinity }
    return abs(free.distance.metres) - free.distance.errorBound - margins.lateness
  }
}
