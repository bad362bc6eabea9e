/// The terms under which fixes are worth keeping: accurate and apart in time and place, or else the best of a few.
///
/// For each fix, in this order:
///
/// 1. While the last accepted fix is accurate enough and younger than ``recencyThreshold``, new fixes are ignored.
/// 2. A fix that is nearer to the last accepted fix than the ``filter(for:)`` is not accepted. If
///    ``ignoresPossibleDuplicates`` is on, both accuracies are added to the filter.
/// 3. An accurate fix is accepted at once, and any held fixes are dropped.
/// 4. Any other fix is held. The best held fix is accepted when ``maximumTries`` are held, or ``wait`` after the first of
///    them arrived. The best fix has the smallest accuracy after allowing for the device's possible movement since.
///
/// Ages use the times of the fixes, or their arrivals where a time is missing. The wait uses arrivals.
///
/// - Source: the rules and the standard values are those of TTLocationHandler.
public struct AcceptanceTerms: Hashable, Sendable, Codable {
  /// The accuracy, in metres at 68 %, at or below which a fix is accurate.
  public var requiredAccuracy: Double
  /// The age of the last accepted fix from which another is accepted.
  public var recencyThreshold: Duration
  /// The time for which inaccurate fixes are held in the hope of a better one.
  public var wait: Duration
  /// The number of held fixes at which the best is accepted.
  public var maximumTries: Int
  /// The least movement from one accepted fix to the next, in metres.
  public var distanceFilter: Double
  /// The least movement on foot, where ``activity`` is on foot, in metres.
  public var walkingDistanceFilter: Double
  /// The least movement at ``highwaySpeed`` or more, in metres, if ``recencyThreshold`` is longer than
  /// ``highwayRecency``. A subscriber who asks for fixes that close in time wants them close together too.
  public var highwayDistanceFilter: Double
  /// The speed, in metres per second, from which ``highwayDistanceFilter`` applies.
  public var highwaySpeed: Double
  /// The ``recencyThreshold`` above which ``highwayDistanceFilter`` applies.
  public var highwayRecency: Duration
  /// Whether fixes that may be of the same place as the last accepted fix are ignored.
  public var ignoresPossibleDuplicates: Bool
  /// The way in which the device is carried.
  public var activity: Activity

  /// The standard terms.
  public static let standard = AcceptanceTerms()
  /// The standard terms on foot.
  public static let walking = AcceptanceTerms(activity: .walk)

  /// Creates custom terms. A distance, accuracy or speed that is negative or not a number counts as the standard one, a
  /// negative duration as zero, and fewer than one try as one.
  public init(
    requiredAccuracy: Double = 10, recencyThreshold: Duration = .seconds(60), wait: Duration = .seconds(10),
    maximumTries: Int = 10, distanceFilter: Double = 50, walkingDistanceFilter: Double = 10,
    highwayDistanceFilter: Double = 400, highwaySpeed: Double = 20, highwayRecency: Duration = .seconds(15),
    ignoresPossibleDuplicates: Bool = true, activity: Activity = .car
  ) {
    func sane(_ value: Double, else standard: Double) -> Double { value >= 0 ? value : standard }
    self.requiredAccuracy = sane(requiredAccuracy, else: 10)
    self.recencyThreshold = max(.zero, recencyThreshold)
    self.wait = max(.zero, wait)
    self.maximumTries = max(1, maximumTries)
    self.distanceFilter = sane(distanceFilter, else: 50)
    self.walkingDistanceFilter = sane(walkingDistanceFilter, else: 10)
    self.highwayDistanceFilter = sane(highwayDistanceFilter, else: 400)
    self.highwaySpeed = sane(highwaySpeed, else: 20)
    self.highwayRecency = max(.zero, highwayRecency)
    self.ignoresPossibleDuplicates = ignoresPossibleDuplicates
    self.activity = activity
  }

  /// Returns the least movement that makes this fix worth keeping, in metres.
  public func filter(for fix: Fix) -> Double {
    if activity == .walk || activity == .run { return walkingDistanceFilter }
    let isOnHighway = (fix.speed ?? 0) >= highwaySpeed && recencyThreshold > highwayRecency
    return isOnHighway ? highwayDistanceFilter : distanceFilter
  }

  /// The same terms with invalid values replaced: terms may have been changed or decoded since they were made.
  package var validated: AcceptanceTerms {
    AcceptanceTerms(
      requiredAccuracy: requiredAccuracy, recencyThreshold: recencyThreshold, wait: wait,
      maximumTries: maximumTries, distanceFilter: distanceFilter,
      walkingDistanceFilter: walkingDistanceFilter, highwayDistanceFilter: highwayDistanceFilter,
      highwaySpeed: highwaySpeed, highwayRecency: highwayRecency,
      ignoresPossibleDuplicates: ignoresPossibleDuplicates, activity: activity)
  }
}
