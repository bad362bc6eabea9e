/// How wrong a made-up receiver is.
///
/// The error of a satellite receiver is not drawn anew for each fix: it wanders. It is modelled per axis as a
/// first-order Gauss-Markov process, the usual model (Brown and Hwang, *Introduction to Random Signals and Applied
/// Kalman Filtering*, 4th ed., section 4.2), with white noise on top, rare outliers, and spans without any fix.
public struct ReceiverNoise: Hashable, Sendable {
  /// Standard deviation of the wandering error, on each of the two axes, in metres.
  public var deviation: Double
  /// Time over which the wandering error forgets itself (its correlation falls to 1/e).
  public var correlationTime: Duration
  /// Standard deviation of the white error on top, on each axis, in metres.
  public var whiteDeviation: Double
  /// Standard deviation of the speed, in metres per second; `nil` for a receiver that gives neither speed nor course.
  public var speedDeviation: Double?
  /// The share of fixes that are far off, in [0, 1].
  public var outlierShare: Double
  /// How far off those are, in metres.
  public var outlierDistance: Double
  /// What the receiver says of its accuracy, as a multiple of the truth: 1 is honest, 0.5 boasts.
  public var statedAccuracyFactor: Double
  /// Spans from the track's beginning in which there is no fix.
  public var gaps: [Range<Duration>]

  /// A receiver in every detail; no measured value has a default.
  public init(
    deviation: Double, correlationTime: Duration, whiteDeviation: Double, speedDeviation: Double?,
    outlierShare: Double, outlierDistance: Double, statedAccuracyFactor: Double, gaps: [Range<Duration>]
  ) {
    self.deviation = deviation
    self.correlationTime = correlationTime
    self.whiteDeviation = whiteDeviation
    self.speedDeviation = speedDeviation
    self.outlierShare = outlierShare
    self.outlierDistance = outlierDistance
    self.statedAccuracyFactor = statedAccuracyFactor
    self.gaps = gaps
  }

  /// Says the truth.
  public static let none = ReceiverNoise(
    deviation: 0, correlationTime: .seconds(60), whiteDeviation: 0, speedDeviation: 0, outlierShare: 0,
    outlierDistance: 0, statedAccuracyFactor: 1, gaps: [])

  /// A good receiver under open sky.
  public static let goodReceiver = ReceiverNoise(
    deviation: 1.5, correlationTime: .seconds(120), whiteDeviation: 0.1, speedDeviation: 0.05,
    outlierShare: 0,
    outlierDistance: 0, statedAccuracyFactor: 1, gaps: [])

  /// A phone between houses.
  public static let cityPhone = ReceiverNoise(
    deviation: 8, correlationTime: .seconds(30), whiteDeviation: 1, speedDeviation: 0.4, outlierShare: 0.01,
    outlierDistance: 120, statedAccuracyFactor: 0.8, gaps: [])

  /// The accuracy this receiver states, in metres at 68 %.
  ///
  /// The radius that holds 68.27 % of a two-dimensional normal distribution is its deviation times
  /// `sqrt(-2 ln(1 - 0.6827))`, about 1.515.
  public var statedAccuracy: Double {
    1.515 * (deviation * deviation + whiteDeviation * whiteDeviation).squareRoot() * statedAccuracyFactor
  }
}
