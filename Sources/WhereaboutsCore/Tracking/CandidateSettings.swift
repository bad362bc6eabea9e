/// How a way is worked out from the best of a few fixes every so often. The standards are those of CYLocationManager.
public struct CandidateSettings: Hashable, Sendable, Codable {
  /// What the source is asked for: a fix every so many metres.
  public var distanceFilter: Double
  /// How many fixes are kept to choose from.
  public var kept: Int
  /// How many good fixes there must have been before any way is counted.
  public var minimum: Int
  /// How old a fix may be to be chosen.
  public var validity: Duration

  /// Settings of the method.
  public init(
    distanceFilter: Double = 10, kept: Int = 5, minimum: Int = 3, validity: Duration = .seconds(3)
  ) {
    self.distanceFilter = distanceFilter
    self.kept = kept
    self.minimum = minimum
    self.validity = validity
  }
}
