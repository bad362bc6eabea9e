package import WhereaboutsGeodesy
import WhereaboutsModel

/// A planner of the regions that wake a resting program near its fences: circles that cover the nearest fences, and a
/// circle around the device that excludes all others by a margin.
///
/// While the device stays inside ``WakePlan/around``, no boundary of a fence without a place is nearer than the margin,
/// unless ``WakePlan/isCrowded``.
///
/// A region may hold a crossing that the platform has noticed and not reported yet. So a region is given up only by a
/// fix that shows on which side of its boundary the device is. The plan changes only when it no longer serves.
package struct WakePlanner: Hashable, Sendable {
  /// Margins against the platform's lateness; all in metres.
  package struct Margins: Hashable, Sendable {
    /// The least distance of boundaries without a place, in metres.
    package var lateness = 250.0
    /// The least radius of a region: smaller ones are unreliable.
    package var leastPlaceRadius = 100.0
    package var leastAroundRadius = 150.0
    package var greatestAroundRadius = 20_000.0
    /// The greatest radius that the platform watches.
    package var greatestRadius = 100_000.0
    /// The radius of a circle around the device that is large enough not to cover several fences with one region.
    package var spaciousAroundRadius = 1000.0
    /// The worst accuracy of a fix that changes the plan while the device may be in the circle around it. All that a
    /// crossing of the circle asks for is a fix as good as this.
    package var fineAccuracy = 100.0

    /// - Parameter platformRadius: the greatest radius that the platform states; `nil` where it is unknown.
    package init(greatestRadius platformRadius: Double? = nil) {
      guard let platformRadius, platformRadius > 0 else { return }
      greatestRadius = min(greatestRadius, platformRadius)
      greatestAroundRadius = min(greatestAroundRadius, platformRadius)
    }
  }

  /// The least distance of a circle over several fences from the device, as a share of its fences' distance.
  static let groupDistanceShare = 0.7
  /// The factor by which circles over several fences must enlarge the circle around the device.
  static let groupGain = 1.25
  /// The factor by which other regions must enlarge the circle around the device, where they replace regions that serve.
  static let replacementGain = 1.25

  /// The number of regions, including the one around the device.
  package let capacity: Int
  package let margins: Margins
  package private(set) var plan = WakePlan.empty
  /// The newest serial of the fences that the plan knows; `nil` where a new plan is due.
  private(set) var plannedSerial: UInt64?

  package init(capacity: Int, margins: Margins = Margins()) {
    self.init(capacity: capacity, margins: margins, plan: .empty, plannedSerial: nil)
  }

  init(capacity: Int, margins: Margins = Margins(), plan: WakePlan, plannedSerial: UInt64?) {
    self.capacity = max(0, capacity)
    self.margins = margins
    self.plan = plan
    self.plannedSerial = plannedSerial
  }
  /// Returns the planner for another number of regions, and other margins. The regions stay until the next update, as
  /// far as there is room for them.
  package func resized(to capacity: Int, margins: Margins? = nil) -> WakePlanner {
    WakePlanner(capacity: capacity, margins: margins ?? self.margins, plan: plan, plannedSerial: nil)
  }

  /// Ends the plan; returns whether there was one.
  package mutating func removeAll() -> Bool {
    defer {
      plan = .empty
      plannedSerial = nil
    }
    return plan != .empty
  }

  // MARK: Update

  /// The place of the device by a fix.
  private struct Standing {
    var center: Coordinate
    /// The accuracy in metres; not negative.
    var accuracy: Double

    /// The side of a region that the device is on.
    enum Side { case inside, outside, unsettled }

    func side(of circle: Area.Circle) -> Side {
      let separation = circle.center.distance(to: center)
      if separation + accuracy < circle.radius { return .inside }
      return separation - accuracy > circle.radius ? .outside : .unsettled
    }
  }

  /// Plans anew from an accepted fix, where the plan no longer serves; to be called after each, and after each change
  /// of the fences.
  ///
  /// - Parameters:
  ///   - center: the place of the fix.
  ///   - accuracy: the accuracy of the fix, in metres.
  ///   - fences: all fences.
  /// - Returns: whether a region or ``WakePlan/isCrowded`` has changed.
  package mutating func update(at center: Coordinate, accuracy: Double, fences: FenceRegistry) -> Bool {
    let before = plan
    guard capacity > 0, fences.count > 0 else { return removeAll() }
    let standing = Standing(
      center: center, accuracy: accuracy.isFinite ? max(0, accuracy) : margins.greatestAroundRadius)
    plan.places = plan.places.filter {
      $0.exists(in: fences) && $0.circle.radius <= margins.greatestRadius
    }
    plan.places.removeLast(max(0, plan.places.count - (capacity - 1)))
    if !mustHold(standing) { updatePlaces(standing, fences: fences) }
    return plan.around != before.around || plan.isCrowded != before.isCrowded
      || Set(plan.places) != Set(before.places)
  }

  /// Returns whether the fix is too coarse to change the plan: the device may still be in the circle around it, for
  /// which the plan is made. A region may have been crossed since the last fix, and a coarse fix does not show that.
  private func mustHold(_ standing: Standing) -> Bool {
    guard let around = plan.around, standing.accuracy > margins.fineAccuracy else { return false }
    return standing.side(of: around) != .outside
  }

  private mutating func updatePlaces(_ standing: Standing, fences: FenceRegistry) {
    var armed: [WakePlan.Place] = [], unsettled: [WakePlan.Place] = []
    for place in plan.places {
      switch standing.side(of: place.circle) {
      case .unsettled: unsettled.append(place)
      case .inside where place.crossing == .exit, .outside where place.crossing == .enter: armed.append(place)
      // The crossing is known: the region has nothing more to report.
      case .inside, .outside: break
      }
    }
    let isUnchanged =
      armed.count + unsettled.count == plan.places.count && plannedSerial == fences.newestSerial
    if isUnchanged, serves(standing, armed: armed, fences: fences) { return }
    let selection = select(standing, armed: armed, unsettled: unsettled, fences: fences)
    plan.places = selection.places
    plannedSerial = fences.newestSerial
    updateAround(standing, watched: selection.watched, fences: fences)
  }

  // MARK: Around

  /// Returns whether the circle around the device serves on: the device is well inside, and no free boundary is near to
  /// the circle.
  private func serves(_ standing: Standing, armed: [WakePlan.Place], fences: FenceRegistry) -> Bool {
    guard let around = plan.around, around.radius <= margins.greatestRadius else { return false }
    // In a crowd no circle is far enough from all boundaries, so a new one would not be better.
    if plan.isCrowded, around.radius <= margins.leastAroundRadius {
      return standing.side(of: around) == .inside
    }
    return isWellInside(around, standing)
      && around.radius <= room(at: around.center, watched: Self.members(of: armed), fences: fences)
  }

  /// Returns whether the device does not leave the circle soon.
  private func isWellInside(_ around: Area.Circle, _ standing: Standing) -> Bool {
    around.center.distance(to: standing.center) <= around.radius / 2
  }

  private mutating func updateAround(
    _ standing: Standing, watched: Set<WakePlan.Place.Member>, fences: FenceRegistry
  ) {
    let free = room(at: standing.center, watched: watched, fences: fences) - standing.accuracy
    let room = min(free, margins.greatestAroundRadius)
    plan.isCrowded = room < margins.leastAroundRadius
    if let around = plan.around, around.radius <= margins.greatestRadius, isWellInside(around, standing) {
      if around.radius <= self.room(at: around.center, watched: watched, fences: fences) { return }
      if plan.isCrowded, around.radius <= margins.leastAroundRadius { return }
    }
    // A circle that may not contain the device would not report that the device leaves it.
    let radius = max(room, margins.leastAroundRadius, min(standing.accuracy, margins.greatestRadius))
    plan.around = try? Area.Circle(center: standing.center, radius: radius)
  }

  /// Returns the greatest radius of a circle that stays apart from every boundary by the margin.
  private func room(
    at center: Coordinate, watched: Set<WakePlan.Place.Member>, fences: FenceRegistry
  ) -> Double {
    // One more than the watched ones, so that an unwatched one is among them.
    let near = fences.nearest(watched.count + 1, to: center)
    guard let free = near.first(where: { !watched.contains(fences.member($0.fence)) }) else {
      return .infinity
    }
    return abs(free.distance.metres) - free.distance.errorBound - margins.lateness
  }

  private static func members(of places: [WakePlan.Place]) -> Set<WakePlan.Place.Member> {
    Set(places.flatMap(\.members))
  }

  // MARK: Places

  /// A fence near the device.
  private struct Candidate {
    var member: WakePlan.Place.Member
    /// The circle of one fence; `nil` if the platform could not detect the crossing.
    var place: WakePlan.Place?
    /// The least distance to the boundary.
    var clearance: Double
  }

  /// The places of a plan.
  private struct Selection {
    var places: [WakePlan.Place] = []
    /// The fences whose crossing some place reports.
    var watched: Set<WakePlan.Place.Member> = []
    /// The least distance to a boundary without a place.
    var freeClearance = Double.infinity
  }

  /// Selects the places for a plan: the regions that may hold a crossing, then circles for the nearest fences. A region
  /// that covers one of them already is used, and regions of farther fences are given up only for a larger circle around
  /// the device.
  private func select(
    _ standing: Standing, armed: [WakePlan.Place], unsettled: [WakePlan.Place], fences: FenceRegistry
  ) -> Selection {
    let candidates = fences.nearest(6 * capacity + 10, to: standing.center).map { fence, distance in
      candidate(fence, distance, standing, in: fences)
    }
    let isComplete = candidates.count == fences.count
    func select(sharing: Bool = false, retainsArmed: Bool = false) -> Selection {
      self.select(
        candidates, isComplete: isComplete, standing, armed: armed, unsettled: unsettled, sharing: sharing,
        retainsArmed: retainsArmed)
    }
    var best = select()
    if best.freeClearance < margins.spaciousAroundRadius + margins.lateness {
      let shared = select(sharing: true)
      if shared.freeClearance > best.freeClearance * Self.groupGain { best = shared }
    }
    let retained = select(retainsArmed: true)
    let room = retained.freeClearance - margins.lateness
    let greatestRoom = min(best.freeClearance - margins.lateness, margins.greatestAroundRadius)
    // In a crowd the nearest fences come first.
    guard room >= margins.leastAroundRadius, greatestRoom <= room * Self.replacementGain else { return best }
    return retained
  }

  /// - Parameters:
  ///   - sharing: whether a circle may cover several fences.
  ///   - retainsArmed: whether all armed regions stay, and circles of nearer fences get only the other places.
  private func select(
    _ candidates: [Candidate], isComplete: Bool, _ standing: Standing, armed: [WakePlan.Place],
    unsettled: [WakePlan.Place], sharing: Bool, retainsArmed: Bool
  ) -> Selection {
    let slots = capacity - 1 - unsettled.count
    var chosen: [WakePlan.Place] = [], fresh: [WakePlan.Place] = []
    var selection = Selection()
    // In a crowd, a fence near the least circle around is watched although a nearer one is not.
    var reach = Double.infinity
    func leaveFree(_ clearance: Double) {
      selection.freeClearance = min(selection.freeClearance, clearance)
      reach = max(selection.freeClearance, margins.leastAroundRadius + margins.lateness)
    }
    for candidate in candidates where !selection.watched.contains(candidate.member) {
      guard candidate.clearance < reach else { break }
      guard let own = candidate.place else {
        leaveFree(candidate.clearance)
        continue
      }
      if chosen.count + fresh.count < slots, let old = armed.first(where: { $0.covers(candidate.member) }) {
        chosen.append(old)
        selection.watched.formUnion(old.members)
      } else if sharing, let index = join(own, to: &fresh, standing) {
        selection.watched.formUnion(fresh[index].members)
      } else if (retainsArmed ? armed.count : chosen.count) + fresh.count < slots {
        fresh.append(own)
        selection.watched.insert(candidate.member)
      } else {
        leaveFree(candidate.clearance)
      }
    }
    if !isComplete, let last = candidates.last { leaveFree(last.clearance) }
    // A region with room costs nothing to retain.
    let spare = armed.filter { !chosen.contains($0) }.prefix(max(0, slots - chosen.count - fresh.count))
    selection.watched.formUnion(Self.members(of: Array(spare)))
    selection.places = unsettled + chosen + fresh + spare
    return selection
  }

  /// Enlarges one of the fresh circles to cover another fence, where the circle then keeps its distance from the
  /// device.
  ///
  /// - Returns: the index of the enlarged circle; `nil` if none can be.
  private func join(_ own: WakePlan.Place, to fresh: inout [WakePlan.Place], _ standing: Standing) -> Int? {
    guard own.crossing == .enter else { return nil }
    var best: (index: Int, circle: Area.Circle)?
    for (index, place) in fresh.enumerated() where place.crossing == .enter {
      guard let merged = place.circle.enclosing(own.circle), merged.radius <= margins.greatestRadius else {
        continue
      }
      let nearest = min(distance(of: place.circle, standing), distance(of: own.circle, standing))
      guard distance(of: merged, standing) >= nearest * Self.groupDistanceShare,
        merged.radius < best?.circle.radius ?? .infinity
      else { continue }
      best = (index, merged)
    }
    guard let best else { return nil }
    fresh[best.index].circle = best.circle
    fresh[best.index].members += own.members
    return best.index
  }

  /// Returns the least distance of the device to a circle that it is outside of.
  private func distance(of circle: Area.Circle, _ standing: Standing) -> Double {
    circle.center.distance(to: standing.center) - circle.radius - standing.accuracy
  }

  private func candidate(
    _ fence: Fence, _ distance: SignedDistance, _ standing: Standing, in fences: FenceRegistry
  ) -> Candidate {
    let clearance = max(0, abs(distance.metres) - distance.errorBound - standing.accuracy)
    let member = fences.member(fence)
    guard let circle = covering(fence.area) else {
      return Candidate(member: member, place: nil, clearance: clearance)
    }
    var crossing: WakeRegion.Crossing?
    switch standing.side(of: circle) {
    case .outside: crossing = .enter
    case .inside: if case .circle = fence.area, distance.isInside { crossing = .exit }
    case .unsettled: break
    }
    let place = crossing.map { WakePlan.Place(members: [member], circle: circle, crossing: $0) }
    return Candidate(member: member, place: place, clearance: clearance)
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
}

extension WakePlan.Place {
  fileprivate func covers(_ member: Member) -> Bool { members.contains(member) }

  /// Returns whether any of the covered fences still has the area that the circle was made for.
  fileprivate func exists(in fences: FenceRegistry) -> Bool {
    members.contains { fences.fenceWithSerial($0.fence)?.serial == $0.serial }
  }
}

extension FenceRegistry {
  /// Returns a fence of the registry with its serial.
  fileprivate func member(_ fence: Fence) -> WakePlan.Place.Member {
    WakePlan.Place.Member(fence: fence.id, serial: fenceWithSerial(fence.id)?.serial ?? 0)
  }
}

extension Area.Circle {
  /// Returns the smallest circle around two, a little enlarged for the curvature of the Earth; `nil` beyond the
  /// greatest radius.
  fileprivate func enclosing(_ other: Area.Circle) -> Area.Circle? {
    let (large, small) = radius >= other.radius ? (self, other) : (other, self)
    let apart = large.center.distance(to: small.center)
    if apart + small.radius <= large.radius { return large }
    let least = (apart + large.radius + small.radius) / 2
    let shift = least - large.radius
    guard let azimuth = large.center.initialAzimuth(to: small.center),
      let center = large.center.destination(azimuth: azimuth, distance: shift)
    else { return nil }
    let radius = max(
      center.distance(to: large.center) + large.radius, center.distance(to: small.center) + small.radius)
    return try? Area.Circle(center: center, radius: radius)
  }
}
