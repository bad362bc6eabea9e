package import WhereaboutsGeodesy
package import WhereaboutsModel

/// The regions that a platform watches while the program rests, to wake the program near a fence.
///
/// A region that is crossed is never a fence event: it only asks for fixes.
package struct WakePlan: Hashable, Sendable {
  /// A circle that covers one fence, or several in a dense town.
  package struct Place: Hashable, Sendable {
    /// A fence with the serial of its area: a changed area is another place.
    package struct Member: Hashable, Sendable {
      package var fence: FenceID
      package var serial: UInt64
    }

    /// The covered fences, the nearest at the time of the plan first; at least one. A fence that has ended since
    /// stays listed, because the region must not change with it.
    package var members: [Member]
    package var circle: Area.Circle
    package var crossing: WakeRegion.Crossing

    /// The first of the covered fences.
    package var fence: FenceID { members[0].fence }
    /// The region's name in an identifier.
    fileprivate var name: String { members.count == 1 ? String(members[0].serial) : "several" }
  }

  /// The circle from which every fence without a place of its own stays apart: leaving it requires a new plan. `nil`
  /// without fences or without a region for it.
  package var around: Area.Circle?
  /// The circles that cover fences, the nearest first.
  package var places: [Place] = []
  /// Whether more fences are near than can be watched, so that only continuous fixes notice each of them.
  package var isCrowded = false

  /// The plan without regions.
  package static let empty = WakePlan()

  /// All regions; each identifier changes with its circle.
  package var regions: [WakeRegion] {
    let around = around.map {
      WakeRegion(identifier: "\(WakeRegion.prefix)around.\(Self.digest($0))", circle: $0, crossing: .exit)
    }
    return [around].compactMap { $0 }
      + places.map {
        WakeRegion(
          identifier: "\(WakeRegion.prefix)\($0.crossing.rawValue).\($0.name).\(Self.digest($0.circle))",
          circle: $0.circle, crossing: $0.crossing)
      }
  }

  /// Returns a short digest of a circle, equal in every process.
  private static func digest(_ circle: Area.Circle) -> String {
    var hash = FNV1aHash()
    for number in [circle.center.latitude, circle.center.longitude, circle.radius] {
      hash.add(number.bitPattern)
    }
    return String(hash.value & 0xffff_ffff, radix: 36)
  }
}
