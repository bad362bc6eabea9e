/// How one source is doing, since when, and why.
public struct SourceHealth: Hashable, Sendable, Codable {
  /// How it is doing.
  public enum State: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nothing is asked of it, and its receiver is off.
    case off
    /// It was asked, and nothing has come of it yet: the way to it is being opened.
    case connecting
    /// It can be reached, and has no position.
    case noFix = "no fix"
    /// It gives fixes.
    case ok
    /// It gave fixes, and none has come for too long.
    case stale
    /// It can't deliver: it is tried again later, or when something changes outside.
    case failed
  }

  /// What the source is called, as it would be typed: `gpsd`, `nmea:/dev/ttyACM0`, `geoclue`.
  public var name: String
  /// How it is doing.
  public var state: State
  /// When it came to be so.
  public var since: Moment
  /// Why it does not deliver; `nil` where it does, or where nothing is known.
  public var trouble: SourceTrouble?
  /// Whether its fixes are those that are used.
  public var isUsed: Bool
  /// How often it was stopped and started since it last gave a fix, because it was silent.
  public var restarts: Int
  /// Which other source says that the device is somewhere else; `nil` where none does.
  public var contradiction: SourceContradiction?

  /// How a source is doing.
  public init(
    name: String, state: State, since: Moment, trouble: SourceTrouble? = nil, isUsed: Bool = false,
    restarts: Int = 0, contradiction: SourceContradiction? = nil
  ) {
    self.name = name
    self.state = state
    self.since = since
    self.trouble = trouble
    self.isUsed = isUsed
    self.restarts = restarts
    self.contradiction = contradiction
  }
}

/// Two sources say at the same time that the device is in two places.
public struct SourceContradiction: Hashable, Sendable, Codable {
  /// What the other source is called.
  public var other: String
  /// How far apart they are, in metres.
  public var distance: Double
  /// How far apart they may be by their accuracies, in metres.
  public var allowed: Double

  /// A contradiction.
  public init(other: String, distance: Double, allowed: Double) {
    self.other = other
    self.distance = distance
    self.allowed = allowed
  }
}
