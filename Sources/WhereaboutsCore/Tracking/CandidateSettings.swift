/// How a way is worked out from the best of a few fixes every so often. The standards are those of CYLocationManager.
public struct CandidateSettings: Hashable, Sendable, Codable {
  /// What the source is asked for: a fix every so many metres.
  public var distanceFilter: Double
  /// How many fixes are kept to choose from; at least 1 and at most 100 count.
  public var kept: Int
  /// How many good fixes there must have been before any way is counted.
  public var minimum: Int
  /// How old a fix may be to be chosen, against the newest.
  public var validity: Duration
  /// How long a step must be to be counted, in multiples of what the two fixes it joins may be off together (the root of
  /// the sum of the squares of their accuracies). A shorter one is not counted yet: the next is measured from where it
  /// began. 0 counts every step, as CYLocationManager does, and lets the way of a device grow that stands still.
  public var leastStep: Double
  /// How long a step may take, and not be called a gap that is bridged by the geodesic.
  public var gap: Duration

  /// Settings of the method.
  public init(
    distanceFilter: Double = 10, kept: Int = 5, minimum: Int = 3, validity: Duration = .seconds(3),
    leastStep: Double = 1, gap: Duration = .seconds(20)
  ) {
    self.distanceFilter = distanceFilter
    self.kept = kept
    self.minimum = minimum
    self.validity = validity
    self.leastStep = leastStep
    self.gap = gap
  }
}
