/// What the fences need of the source and why: how far the device is from every boundary says how soon it could be at
/// one, and until then nobody needs to look.
public struct FencePower: Hashable, Sendable, Codable {
  /// Why.
  public enum Reason: String, Hashable, Sendable, Codable {
    /// There are no fences, fixes may not be had, or none will come.
    case unneeded
    /// Power is not to be saved.
    case unsparing = "power is not saved"
    /// It is not known where the device is, or not any more.
    case placeUnknown = "place unknown"
    /// Something is waited for that only more fixes can tell.
    case pending
    /// The device may be at a boundary before another fix could come.
    case near
    /// The device can't be at a boundary for a while, too short for the source to rest.
    case approaching
    /// The device can't be at a boundary until later: the source rests.
    case far
    /// The device rests: the source does so, too, until it is looked at again.
    case atRest = "at rest"
    /// The source has rested: where is the device now?
    case lookAgain = "look again"
  }

  /// Why.
  public var reason: Reason
  /// What is needed: ``Demand/off`` while the source may rest.
  public var need: Demand
  /// Metres that the device is from the nearest boundary at least; `nil` where that is not known, infinite where there is
  /// none.
  public var clearance: Double?
  /// The fence of that boundary.
  public var fence: FenceID?
  /// The speed that the device can't exceed, in metres per second.
  public var topSpeed: Double
  /// How long the source may rest, at the most; `nil` where it may not, or for ever.
  public var rest: Duration?

  /// A need and its numbers.
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
