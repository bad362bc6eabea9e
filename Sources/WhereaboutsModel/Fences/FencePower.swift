/// The demand of the fences on the source, and its reason. The distance from the device to every boundary gives its
/// earliest arrival. Until then no fix is needed.
public struct FencePower: Hashable, Sendable, Codable {
  /// The reason for a demand.
  public enum Reason: String, Hashable, Sendable, Codable {
    /// No fences exist, or fixes are not permitted or not available.
    case unneeded
    /// Power saving is off.
    case unsparing = "power is not saved"
    /// The device's place is unknown or outdated.
    case placeUnknown = "place unknown"
    /// A result is pending that only more fixes can settle.
    case pending
    /// The device may be at a boundary before the next fix.
    case near
    /// The device can't be at a boundary for a while, but the time is too short for the source to rest.
    case approaching
    /// The device can't be at a boundary until later: the source rests.
    case far
    /// The device rests: the source rests too, until the next check.
    case atRest = "at rest"
    /// The source has rested, and the device's place must be checked again.
    case lookAgain = "look again"
  }

  /// The reason for the demand.
  public var reason: Reason
  /// The demand; ``Demand/off`` while the source may rest.
  public var need: Demand
  /// The least distance to the nearest boundary in metres, at most 50 km: boundaries farther away are not searched.
  /// `nil` if the place is unknown, no fence exists, or power is not saved.
  public var clearance: Double?
  /// The fence of the nearest boundary; `nil` if none is within 50 km, and where ``clearance`` is `nil`.
  public var fence: FenceID?
  /// The highest possible speed of the device, in metres per second.
  public var topSpeed: Double
  /// The longest time that the source may rest; `nil` if the source may not rest, or may rest forever.
  public var rest: Duration?

  /// Creates a demand with its numbers.
  public init(
    reason: Reason, need: Demand, clearance: Double?, fence: FenceID?, topSpeed: Double, rest: Duration?
  ) {
    self.reason = reason
    self.need = need
    self.clearance = clearance
    self.fence = fence
    self.topSpeed = topSpeed
    self.rest = rest
  }
}
