public import WhereaboutsModel
import WhereaboutsGeodesy

/// What a watch knows of the device and its fences.
extension FenceWatch {
  /// The time of the newest fix; `nil` before the first.
  var newestTime: UTCTime? { live.time }

  /// Returns the state towards a fence; `FenceState/Side/unknown` if the id does not exist.
  public func state(of id: FenceID, in registry: FenceRegistry) -> FenceState {
    guard let key = registry.key(of: id) else { return FenceState(side: .unknown) }
    var state = live.state(of: key, in: registry)
    state.deviation = live.lastPosition(in: registry)?.deviation
    return state
  }

  /// Returns the device's estimated place with its deviation in metres; `nil` before the first fix.
  func standing(in registry: FenceRegistry) -> (place: Coordinate, deviation: Double)? {
    live.lastPosition(in: registry).map { ($0.place, $0.deviation) }
  }

  /// Returns the fences that the device is in, in the order of their ids.
  ///
  /// - Complexity: O(n) in the number of fences near the device; the size of the registry does not count.
  func containingFences(in registry: FenceRegistry) -> [Fence] {
    live.containingFences(in: registry).sorted { $0.id < $1.id }
  }

  /// Returns the distance from the device to the nearest boundary; `nil` before the first fix.
  ///
  /// - Parameters:
  ///   - registry: the watched fences.
  ///   - limit: the search radius in metres; farther boundaries are ignored.
  public func clearance(in registry: FenceRegistry, upTo limit: Double = 50_000) -> FenceClearance? {
    guard let standing = live.lastPosition(in: registry) else { return nil }
    let nearest = registry.index.clearance(from: standing.place, upTo: limit)
    let doubt = Self.clearanceDeviations * standing.deviation
    return FenceClearance(
      metres: max(0, (nearest?.metres ?? limit) - doubt),
      fence: nearest.flatMap { registry.entries[Int($0.key)]?.fence.id }, time: standing.time,
      isPending: standing.isPending, isDoubtful: live.hasSuspectedOutlier,
      isInside: nearest.map { live.state(of: $0.key, in: registry).side == .inside } ?? false,
      rested: live.restDuration)
  }

  /// The number of standard deviations by which the device may be nearer than estimated.
  private static let clearanceDeviations = 4.0
}
