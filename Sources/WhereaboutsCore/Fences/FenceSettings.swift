/// How fences are watched, all of them.
public struct FenceSettings: Hashable, Sendable, Codable {
  /// What becomes of a fix that comes later than ``lateness`` allows.
  public enum LatePolicy: String, Hashable, Sendable, Codable {
    /// It is not used, and a decision says so.
    case refuse
    /// It is put in its place all the same, up to ten minutes back, and what it changes is told as a revision.
    case revise
  }

  /// How much later than newer ones a fix may come and still be put in its place: events come out as if it had not
  /// been late. An event that was told before is told again with its id where that changes it.
  public var lateness: Duration
  /// Whether every event waits until no such fix can change it any more, as where nobody is in a hurry. Otherwise it waits
  /// no longer than ``FenceTerms/responsiveness`` says.
  public var waitsForLate: Bool
  /// What becomes of a fix that comes later than that.
  public var latePolicy: LatePolicy
  /// How long no fix must come for what happens meanwhile to be unseen.
  public var gap: Duration
  /// The speed in metres per second that the device can't exceed, for how soon it could be at a fence; `nil`: by the
  /// activity that is asked for.
  public var topSpeed: Double?
  /// Whether the source may rest while the device can't have come to a boundary. A source that brings its own time, as a
  /// recording does, never rests: nothing would end that.
  public var savesPower: Bool
  /// How long a source may take from being asked to its first fix. It is asked so much before the device could be at a
  /// boundary.
  public var warmUp: Duration
  /// How late an event may be known after a rest: so long after a device that walks off has come to the boundary. While
  /// the device rests the source may do so, too; zero for a source that never does near a boundary.
  public var delayAfterRest: Duration

  /// Settings of one's own.
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

  /// Reads what ``encode(to:)`` writes, and what was written before there was ``delayAfterRest``.
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
