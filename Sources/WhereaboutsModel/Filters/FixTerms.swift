/// The terms of a subscription to fixes: accuracy, rate and duration.
///
/// A fix is reported when it is far enough *and* late enough after the last reported fix. The first fix is always
/// reported. The accuracy of a fix does not matter for this; each fix carries its accuracy.
public struct FixTerms: Hashable, Sendable, Codable {
  /// The accuracy level requested from the source. Fixes that miss this level are reported too.
  public var level: AccuracyLevel
  /// The least movement since the last reported fix before another is reported, in metres along the geodesic. 0 reports
  /// every fix, infinity the first fix alone.
  public var distanceFilter: Double
  /// The factor by which speed stretches ``distanceFilter``; 0 for no stretching, 1 for the usual stretching.
  ///
  /// The effective filter is `distanceFilter × max(1, elasticity × r / 5)`. `r` is the fix's own speed in metres per
  /// second, rounded to the nearest multiple of 5. With elasticity 1, a filter of 30 m is 30 m on foot, 60 m at 8 m/s
  /// and 150 m at 27 m/s. The number of fixes a minute is then about the same at any speed. A fix without a speed
  /// stretches nothing, and the effective filter is never below ``distanceFilter``.
  ///
  /// - Source: the steps of 5 m/s are those of Transistorsoft's background geolocation (`elasticityMultiplier`),
  ///   which also shrinks the filter.
  public var elasticity: Double
  /// The least time between two reported fixes; zero for none.
  ///
  /// The filter uses the times of the fixes. Where a time is missing or has not moved forward, the filter uses the time
  /// between arrivals. Receivers aren't punctual, and at one fix each second, an interval of a second must not drop
  /// every other fix. So a fix may be early by a quarter of the interval, at most half a second. The next fix then
  /// waits longer by the same time, so the mean rate never exceeds the requested rate.
  public var minimumInterval: Duration
  /// The number of reported fixes after which the subscription ends; `nil` for never. With 0, it ends when it begins.
  public var maximumCount: Int?
  /// The time from its beginning after which the subscription ends; `nil` for never. With zero, it ends when it
  /// begins.
  public var duration: Duration?
  /// The greatest age at which a new subscriber receives the last known fix at once; `nil` for no such fix.
  public var lastFixUpTo: Duration?
  /// The way in which the device is carried.
  public var activity: Activity

  /// Creates the terms of a subscription.
  ///
  /// - Parameters:
  ///   - distanceFilter: metres; a negative value or one that is not a number counts as 0.
  ///   - elasticity: a negative value or one that is not finite counts as 0.
  ///   - minimumInterval: a negative one counts as zero.
  ///   - maximumCount: a negative one counts as 0.
  ///   - duration: a negative one counts as zero.
  ///   - lastFixUpTo: a negative one counts as `nil`.
  public init(
    level: AccuracyLevel, distanceFilter: Double = 0, elasticity: Double = 0,
    minimumInterval: Duration = .zero,
    maximumCount: Int? = nil, duration: Duration? = nil, lastFixUpTo: Duration? = nil,
    activity: Activity = .other
  ) {
    self.level = level
    self.distanceFilter = distanceFilter > 0 ? distanceFilter : 0
    self.elasticity = elasticity > 0 && elasticity.isFinite ? elasticity : 0
    self.minimumInterval = max(.zero, minimumInterval)
    self.maximumCount = maximumCount.map { max(0, $0) }
    self.duration = duration.map { max(.zero, $0) }
    self.lastFixUpTo = lastFixUpTo.flatMap { $0 >= .zero ? $0 : nil }
    self.activity = activity
  }

  /// The same terms within the initializer's bounds: terms may have been changed or decoded since their creation.
  package var bounded: FixTerms {
    FixTerms(
      level: level, distanceFilter: distanceFilter, elasticity: elasticity, minimumInterval: minimumInterval,
      maximumCount: maximumCount, duration: duration, lastFixUpTo: lastFixUpTo, activity: activity)
  }

  /// Returns terms that report every fix, at a level.
  public static func every(_ level: AccuracyLevel) -> FixTerms { FixTerms(level: level) }
}
