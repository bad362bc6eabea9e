/// The settings of a distance measured from the best of a few fixes. The standard values are those of
/// CYLocationManager.
public struct CandidateSettings: Hashable, Sendable, Codable {
  /// The distance filter requested from the source, in metres.
  public var distanceFilter: Double
  /// The number of fixes to choose from; clamped to 1...100.
  public var kept: Int
  /// The number of good fixes needed before any distance is counted.
  public var minimum: Int
  /// The greatest age of a chosen fix, against the newest.
  public var validity: Duration
  /// The least step that is counted, as a multiple of both fixes' combined error: the root of the sum of their
  /// squared accuracies. A shorter step is not counted yet: the next is measured from the same start. 0 counts every
  /// step, as CYLocationManager does, and makes the distance of a standing device grow.
  public var leastStep: Double
  /// The longest duration of a step that is not called a gap bridged by the geodesic.
  public var gap: Duration

  /// Creates settings of the method. A distance filter or a least step that is negative or not finite counts as the
  /// standard one, and a negative duration as zero.
  public init(
    distanceFilter: Double = 10, kept: Int = 5, minimum: Int = 3, validity: Duration = .seconds(3),
    leastStep: Double = 1, gap: Duration = .seconds(20)
  ) {
    func sane(_ value: Double, else standard: Double) -> Double {
      value >= 0 && value.isFinite ? value : standard
    }
    self.distanceFilter = sane(distanceFilter, else: 10)
    self.kept = kept
    self.minimum = minimum
    self.validity = max(.zero, validity)
    self.leastStep = sane(leastStep, else: 1)
    self.gap = max(.zero, gap)
  }

  /// The same settings with invalid values replaced: settings may have been changed or decoded since they were made.
  package var validated: CandidateSettings {
    CandidateSettings(
      distanceFilter: distanceFilter, kept: kept, minimum: minimum, validity: validity, leastStep: leastStep,
      gap: gap)
  }
}
