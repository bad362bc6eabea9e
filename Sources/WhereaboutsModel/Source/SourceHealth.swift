/// The state of one source, with its beginning and cause.
public struct SourceHealth: Hashable, Sendable, Codable {
  /// The state of a source.
  public enum State: String, Hashable, Sendable, Codable, CaseIterable {
    /// The source has no demand, and its receiver is off.
    case off
    /// The source has a demand, and its connection is being opened.
    case connecting
    /// The source can be reached, and has no position.
    case noFix = "no fix"
    /// The source gives fixes.
    case ok
    /// The source gave fixes, and has been silent for too long.
    case stale
    /// The source can't deliver. The failover retries it later, or when something outside changes.
    case failed
  }

  /// The name of the source, as it would be typed: `gpsd`, `nmea:/dev/ttyACM0`, `geoclue`.
  public var name: String
  /// The state of the source.
  public var state: State
  /// The moment when the state began.
  public var since: Moment
  /// The reason why the source does not deliver; `nil` where it does, or where the reason is unknown.
  public var problem: SourceProblem?
  /// Whether the fixes of this source are used.
  public var isUsed: Bool
  /// The number of restarts for silence since the source last gave a fix.
  public var restarts: Int
  /// The contradiction with another source's place for the device; `nil` where there is none.
  public var contradiction: Contradiction?

  /// Creates the health of a source.
  public init(
    name: String, state: State, since: Moment, problem: SourceProblem? = nil, isUsed: Bool = false,
    restarts: Int = 0, contradiction: Contradiction? = nil
  ) {
    self.name = name
    self.state = state
    self.since = since
    self.problem = problem
    self.isUsed = isUsed
    self.restarts = restarts
    self.contradiction = contradiction
  }
}

extension SourceHealth {
  /// The contradiction of two sources that report the device in two places at the same time.
  public struct Contradiction: Hashable, Sendable, Codable {
    /// The name of the other source.
    public var other: String
    /// The distance between the two places, in metres.
    public var distance: Double
    /// The greatest distance that the accuracies allow, in metres.
    public var allowed: Double

    /// Creates a contradiction.
    public init(other: String, distance: Double, allowed: Double) {
      self.other = other
      self.distance = distance
      self.allowed = allowed
    }
  }
}
