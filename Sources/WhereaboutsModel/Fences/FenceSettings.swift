/// The settings that all fences of a watch share.
///
/// A negative duration counts as zero, and a top speed that is not a positive number as `nil`.
public struct FenceSettings: Hashable, Sendable, Codable {
  /// The treatment of a fix that is later than ``lateness`` allows.
  public enum LatePolicy: String, Hashable, Sendable, Codable {
    /// Drops the fix and reports a decision.
    case refuse
    /// Inserts the fix at its time, up to ten minutes back, and reports changed events as revisions.
    case revise
  }

  /// The delay up to which a late fix is still inserted at its time. Events are then the same as if the fix had been on
  /// time. A reported event that changes is reported again with its id.
  public var lateness: Duration
  /// Whether every event waits for ``lateness``. After that, only ``LatePolicy/revise`` can change the event. Otherwise
  /// an event waits no longer than ``FenceTerms/responsiveness``.
  public var waitsForLate: Bool
  /// The treatment of a fix later than ``lateness``.
  public var latePolicy: LatePolicy
  /// The time without fixes after which a crossing in between counts as unseen. After a restart, a stay continues for
  /// this time after the last fix, and then waits for the next one.
  public var gap: Duration
  /// The highest possible speed of the device in metres per second, used for its earliest arrival at a fence. `nil`
  /// uses the speed of the requested activity.
  public var topSpeed: Double?
  /// Whether the source may rest while the device can't have reached a boundary. A source with its own time, such as
  /// a recording, never rests: nothing would end the rest.
  public var savesPower: Bool
  /// The longest time from a request to the source's first fix. The source is asked this long before the device could
  /// be at a boundary.
  public var warmUp: Duration
  /// The longest delay of an event after a rest: the time since a walking device reached the boundary. The source may
  /// also rest while the device does. Zero: the source never rests near a boundary.
  public var delayAfterRest: Duration

  /// Creates settings.
  public init(
    lateness: Duration = .seconds(5), waitsForLate: Bool = false,
    latePolicy: LatePolicy = .refuse, gap: Duration = .seconds(60),
    topSpeed: Double? = nil, savesPower: Bool = true, warmUp: Duration = .seconds(10),
    delayAfterRest: Duration = .seconds(60)
  ) {
    self.lateness = lateness
    self.waitsForLate = waitsForLate
    self.latePolicy = latePolicy
    self.gap = gap
    self.topSpeed = topSpeed
    self.savesPower = savesPower
    self.warmUp = warmUp
    self.delayAfterRest = delayAfterRest
  }

  /// Decodes the form of ``encode(to:)``, and older forms without ``delayAfterRest``.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      lateness: try values.decode(Duration.self, forKey: .lateness),
      waitsForLate: try values.decode(Bool.self, forKey: .waitsForLate),
      latePolicy: try values.decode(LatePolicy.self, forKey: .latePolicy),
      gap: try values.decode(Duration.self, forKey: .gap),
      topSpeed: try values.decodeIfPresent(Double.self, forKey: .topSpeed),
      savesPower: try values.decode(Bool.self, forKey: .savesPower),
      warmUp: try values.decode(Duration.self, forKey: .warmUp))
    if let delay = try values.decodeIfPresent(Duration.self, forKey: .delayAfterRest) {
      delayAfterRest = delay
    }
  }
}
