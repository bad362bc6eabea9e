/// The error model of a simulated receiver.
///
/// The error of a satellite receiver is correlated in time. The error of each axis is a first-order Gauss-Markov
/// process, the usual model. White noise, rare outliers and spans without fixes are added.
///
/// - Source: Brown and Hwang, *Introduction to Random Signals and Applied Kalman Filtering*, 4th ed., section 4.2.
public struct ReceiverNoise: Hashable, Sendable {
  /// The standard deviation of the correlated error, on each of the two axes, in metres.
  public var deviation: Double
  /// The correlation time of the error, after which its correlation has fallen to 1/e.
  public var correlationTime: Duration
  /// The standard deviation of the additional white error, on each axis, in metres.
  public var whiteDeviation: Double
  /// The standard deviation of the speed, in metres per second; `nil` for a receiver that gives neither speed nor
  /// course.
  public var speedDeviation: Double?
  /// The share of fixes that are outliers, in [0, 1].
  public var outlierShare: Double
  /// The distance of outliers from the truth, in metres.
  public var outlierDistance: Double
  /// The stated accuracy as a multiple of the true one: 1 is honest, 0.5 is too optimistic.
  public var statedAccuracyFactor: Double
  /// The spans without fixes, counted from the track's beginning.
  public var gaps: [Range<Duration>]

  /// Creates an error model; no measured value has a default.
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

  /// A receiver without errors.
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

  /// A receiver whose error of 3 m on each axis lasts 30 s, and which gives neither speed nor course.
  public static let wandering = ReceiverNoise(
    deviation: 3, correlationTime: .seconds(30), whiteDeviation: 0, speedDeviation: nil, outlierShare: 0,
    outlierDistance: 0, statedAccuracyFactor: 1, gaps: [])

  /// The accuracy that this receiver states, in metres at 68 %.
  ///
  /// The radius that holds 68.27 % of a two-dimensional normal distribution is its deviation times
  /// `sqrt(-2 ln(1 - 0.6827))`, about 1.515.
  public var statedAccuracy: Double {
    1.515 * (deviation * deviation + whiteDeviation * whiteDeviation).squareRoot() * statedAccuracyFactor
  }
}
