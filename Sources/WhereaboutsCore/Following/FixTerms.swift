/// What a subscription to fixes asks for: how good, how often, how long.
///
/// A fix is told when it has moved far enough *and* come late enough after the last one told; the first is always
/// told. How good a fix is decides nothing: it carries its accuracy.
public struct FixTerms: Hashable, Sendable, Codable {
  /// What the source is asked for. Fixes that fall short of it are told all the same.
  public var level: AccuracyLevel
  /// The least movement since the last fix told, in metres along the geodesic, before another is told. 0 tells every
  /// fix, infinity the first alone.
  public var distanceFilter: Double
  /// How much speed stretches ``distanceFilter``; 0 leaves it as it is, 1 is the usual stretching.
  ///
  /// The filter counts as `distanceFilter × max(1, elasticity × r / 5)`, `r` being the fix's own speed in metres per
  /// second, rounded to the nearest multiple of 5. With 1, a filter of 30 m is 30 m on foot, 60 m at 8 m/s and 150 m
  /// at 27 m/s: about as many fixes a minute at any speed. A fix without a speed stretches nothing, and the filter
  /// never shrinks: it stays the least movement.
  ///
  /// - Source: the steps of 5 m/s are those of Transistorsoft's background geolocation (`elasticityMultiplier`), which
  ///   also shrinks.
  public var elasticity: Double
  /// The least time between two fixes told; zero for none.
  ///
  /// Time is that of the fixes, or where that is missing or has not moved forward, the time between their arrivals.
  /// Receivers aren't punctual, and one that gives a fix each second must not lose every other one to an interval of
  /// a second: a fix may come a quarter of the interval too early, at most half a second. The next one then has to wait
  /// for as much longer, so that in the mean there are no more fixes than asked for.
  public var minimumInterval: Duration
  /// After how many fixes told the subscription is over; `nil` for never. With 0 it is over when it begins.
  public var maximumCount: Int?
  /// How long after its beginning the subscription is over; `nil` for never. With zero it is over when it begins.
  public var duration: Duration?
  /// The greatest age at which the last known fix is told to the new subscriber at once; `nil` tells none.
  public var lastFixUpTo: Duration?
  /// How the device is being carried.
  public var activity: Activity

  /// Terms of a subscription.
  ///
  /// - Parameters:
  ///   - distanceFilter: metres; one that is negative or not a number counts as 0.
  ///   - elasticity: one that is negative or not finite counts as 0.
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

  /// The same terms within the bounds that the initializer keeps, whatever was set since or decoded.
  var bounded: FixTerms {
    FixTerms(
      level: level, distanceFilter: distanceFilter, elasticity: elasticity, minimumInterval: minimumInterval,
      maximumCount: maximumCount, duration: duration, lastFixUpTo: lastFixUpTo, activity: activity)
  }

  /// Every fix, at a level.
  public static func every(_ level: AccuracyLevel) -> FixTerms { FixTerms(level: level) }
}
