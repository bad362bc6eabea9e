/// How far a device is from all boundaries.
public struct FenceClearance: Hashable, Sendable, Codable {
  /// Metres that the device is from the nearest boundary at least, its accuracy taken off; 0 where it may be at one.
  public var metres: Double
  /// The fence of that boundary; `nil` where none is within reach.
  public var fence: FenceID?
  /// By which time of fixes that is so.
  public var time: UTCTime
  /// Whether something is being waited for that only more fixes can tell: a side that is unknown, a crossing that is
  /// likely.
  public var isPending: Bool
  /// Whether the newest fix is probably an outlier and the next one decides: it is wanted at once.
  public var isDoubtful: Bool
  /// Whether the device is inside of that fence.
  public var isInside: Bool
  /// How long the device has been seen to rest, in seconds, by three fixes or more; `nil` where it was not.
  public var rested: Double?

  /// A clearance of so many metres.
  public init(
    metres: Double, fence: FenceID?, time: UTCTime, isPending: Bool, isDoubtful: Bool = false,
    isInside: Bool = false,
    rested: Double? = nil
  ) {
    self.metres = metres
    self.fence = fence
    self.time = time
    self.isPending = isPending
    self.isDoubtful = isDoubtful
    self.isInside = isInside
    self.rested = rested
  }
}
