public import WhereaboutsModel

/// The distance from a device to the nearest boundary.
public struct FenceClearance: Hashable, Sendable, Codable {
  /// The least distance to the nearest boundary in metres, reduced by the device's accuracy; 0 if the device may be
  /// at a boundary.
  public var metres: Double
  /// The fence of the nearest boundary; `nil` if none is within reach.
  public var fence: FenceID?
  /// The time of the fix that the clearance is based on.
  public var time: UTCTime
  /// Whether a result is pending that only more fixes can settle: an unknown side or a likely crossing.
  public var isPending: Bool
  /// Whether the newest fix is probably an outlier that the next fix decides on. The next fix is wanted at once.
  public var isDoubtful: Bool
  /// Whether the device is inside ``fence``.
  public var isInside: Bool
  /// The observed rest of the device in seconds, by three fixes or more; `nil` if no rest was observed.
  public var rested: Double?

  /// Creates a clearance.
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
