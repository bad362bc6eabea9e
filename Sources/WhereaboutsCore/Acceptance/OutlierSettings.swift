/// When a fix is taken for an error of its source, because the device can't have come there.
///
/// A fix is held against where the device can be: from the last fix that was trusted, with its speed and course if it
/// states them, after the time between, at the speeds and accelerations that ``Activity`` allows, and as sure as both
/// accuracies say. What is farther off is refused (``Refusal/outlier(_:)``), with three ways back, so that nothing real
/// is refused for good:
///
/// - What is allowed grows with the time since the last fix, and after ``memory`` nothing is held against anybody. A
///   train out of a tunnel, a phone that was switched off, a landing pass.
/// - ``agreeing`` refused fixes in a row that agree with each other by the same rule are believed: the last of them is
///   used, and ``Decision/jumpBelieved(_:_:)`` says so. Any fix that is used in between begins the count anew.
/// - As long as no fix has confirmed the first one, a fix at least as accurate is believed rather than it: a first fix
///   that is wrong poisons nothing.
public struct OutlierSettings: Hashable, Sendable, Codable {
  /// The greatest speed there can be, in metres per second; `nil` for the ``Activity/greatestSpeed`` of what is asked
  /// for. A device that was seen to be faster may be.
  public var maximumSpeed: Double?
  /// The greatest acceleration there can be, in metres per second squared, twice that in braking and turning; `nil` for
  /// the ``Activity/greatestAcceleration`` of what is asked for.
  public var maximumAcceleration: Double?
  /// How many times the accuracies of both fixes together a place may be off.
  ///
  /// - Source: an accuracy is a radius at 68 %. Of a circular normal error three times that is exceeded by one fix in
  ///   30 000; real errors have longer tails, and change slowly, which makes up for it.
  public var tolerance: Double
  /// How many refused fixes in a row must agree with each other to be believed.
  public var agreeing: Int
  /// After how long nothing is known any more of where the device can be.
  public var memory: Duration
  /// The accuracy of a fix that states none, in metres at 68 %: a receiver among houses.
  public var assumedAccuracy: Double
  /// The best accuracy that is believed when a jump is judged, in metres at 68 %.
  ///
  /// - Source: what a phone's receiver reaches under open sky (van Diggelen and Enge, "The World's first GPS MOOC and
  ///   Worldwide Laboratory using Smartphones", ION GNSS+ 2015: 4.9 m). Better figures are often too good.
  public var leastAccuracy: Double

  /// Settings of the test. What makes no sense counts as the standard value.
  public init(
    maximumSpeed: Double? = nil, maximumAcceleration: Double? = nil, tolerance: Double = 3, agreeing: Int = 3,
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

  /// The same, with what makes no sense replaced: settings may have been changed or decoded since they were made.
  var sane: OutlierSettings {
    OutlierSettings(
      maximumSpeed: maximumSpeed, maximumAcceleration: maximumAcceleration, tolerance: tolerance,
      agreeing: agreeing, memory: memory, assumedAccuracy: assumedAccuracy, leastAccuracy: leastAccuracy)
  }
}

/// Why a fix was taken for an error, in numbers.
public struct Outlier: Hashable, Sendable, Codable {
  /// What it would have taken to be there.
  public enum Cause: String, Hashable, Sendable, Codable, CaseIterable {
    /// More speed than there can be.
    case speed
    /// More acceleration than there can be.
    case acceleration
    /// To be in two places at once, farther apart than both accuracies allow.
    case place
  }

  /// What it would have taken to be there.
  public var cause: Cause
  /// How far it lies from the last fix that was trusted, in metres.
  public var distance: Double
  /// The time between, in seconds.
  public var seconds: Double
  /// How far it lies from where it was to be expected, in metres: the place the last fix's speed and course lead to, or
  /// where it states none, that fix's place itself.
  public var off: Double
  /// How far off would have been allowed, in metres.
  public var allowed: Double

  /// Numbers of an outlier.
  public init(cause: Cause, distance: Double, seconds: Double, off: Double, allowed: Double) {
    self.cause = cause
    self.distance = distance
    self.seconds = seconds
    self.off = off
    self.allowed = allowed
  }

  /// The speed it would have taken, in metres per second; `nil` where there was no time.
  public var impliedSpeed: Double? { seconds > 0 ? distance / seconds : nil }
}

/// A jump that was believed, in numbers.
public struct BelievedJump: Hashable, Sendable, Codable {
  /// Why the fix would have been refused otherwise.
  public var outlier: Outlier
  /// How many fixes agree on the new place, the one that is used included. 1 where the place before was told by
  /// a single fix that was no better.
  public var agreeing: Int

  /// A jump on which so many fixes agree.
  public init(outlier: Outlier, agreeing: Int) {
    self.outlier = outlier
    self.agreeing = agreeing
  }
}
