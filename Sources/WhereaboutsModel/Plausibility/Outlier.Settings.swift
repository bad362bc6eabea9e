extension Outlier {
  /// The settings of the outlier test, which refuses a fix that the device can't have reached.
  ///
  /// The test compares a fix with the places that the device can have reached from the last trusted fix. The test uses
  /// that fix's speed and course if stated, the time between, both accuracies, and the limits of ``Activity``. A fix
  /// farther off is refused (``Refusal/outlier(_:)``). Three rules ensure that no real place is refused for good:
  ///
  /// - The allowed distance grows with the time since the last fix, and after ``memory`` any place is allowed. So fixes
  ///   after a tunnel, a switched-off phone or a flight pass.
  /// - ``agreeing`` refused fixes in a row that agree with each other by the same rule are accepted. The last of them
  ///   is used, and ``Decision/jumpBelieved(_:_:)`` reports it. Any used fix in between restarts the count.
  /// - Until a fix has confirmed the first one, a fix at least as accurate replaces it. So a wrong first fix does no
  ///   lasting harm.
  public struct Settings: Hashable, Sendable, Codable {
    /// The greatest possible speed, in metres per second; `nil` for the greatest speed of the requested
    /// activity. A device that was seen to be faster is allowed its speed.
    public var maximumSpeed: Double?
    /// The greatest possible acceleration, in metres per second squared, and twice that in braking and turning. `nil`
    /// for the greatest acceleration of the requested activity.
    public var maximumAcceleration: Double?
    /// The allowed error of a place, as a multiple of both fixes' accuracies together.
    ///
    /// - Source: an accuracy is a radius at 68 %. One fix in 30 000 exceeds three times that radius under a circular
    ///   normal error. Real errors have longer tails and change slowly, and the two effects roughly cancel.
    public var tolerance: Double
    /// The number of refused fixes in a row that must agree with each other to be accepted.
    public var agreeing: Int
    /// The time after which any place is possible.
    public var memory: Duration
    /// The assumed accuracy of a fix that states none, in metres at 68 %: a receiver among houses.
    public var assumedAccuracy: Double
    /// The best accuracy that is trusted when the test judges a jump, in metres at 68 %.
    ///
    /// - Source: what a phone's receiver reaches under open sky (van Diggelen and Enge, "The World's first GPS MOOC and
    ///   Worldwide Laboratory using Smartphones", ION GNSS+ 2015: 4.9 m). Better figures are often too good.
    public var leastAccuracy: Double

    /// Creates settings of the test. A number that is invalid counts as the standard one, fewer than one agreeing fix
    /// as one, and a negative memory as zero.
    public init(
      maximumSpeed: Double? = nil, maximumAcceleration: Double? = nil, tolerance: Double = 3,
      agreeing: Int = 3,
      memory: Duration = .seconds(600), assumedAccuracy: Double = 30, leastAccuracy: Double = 5
    ) {
      func positive(_ value: Double) -> Double? { value > 0 && value.isFinite ? value : nil }
      self.maximumSpeed = maximumSpeed.flatMap(positive)
      self.maximumAcceleration = maximumAcceleration.flatMap(positive)
      self.tolerance = positive(tolerance) ?? 3
      self.agreeing = max(1, agreeing)
      self.memory = max(.zero, memory)
      self.assumedAccuracy = positive(assumedAccuracy) ?? 30
      self.leastAccuracy = leastAccuracy >= 0 && leastAccuracy.isFinite ? leastAccuracy : 5
    }

    /// The same settings with invalid values replaced: settings may have been changed or decoded since they were made.
    package var validated: Settings {
      Settings(
        maximumSpeed: maximumSpeed, maximumAcceleration: maximumAcceleration, tolerance: tolerance,
        agreeing: agreeing, memory: memory, assumedAccuracy: assumedAccuracy, leastAccuracy: leastAccuracy)
    }
  }
}
