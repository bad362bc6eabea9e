/// Which fixes are worth keeping: accurate ones, a while and a way apart; and where there is no accurate one, the best of
/// a few.
///
/// For each fix, in this order:
///
/// 1. While the last one kept is accurate enough and younger than ``recencyThreshold``, new ones are ignored.
/// 2. One that is too near the last one kept is not kept: nearer than the ``filter(for:)``, and where
///    ``ignoresPossibleDuplicates`` is on, nearer than that and both accuracies together.
/// 3. An accurate one is kept at once, and whatever is held is dropped.
/// 4. Any other is held. The best of those held is kept when there are ``maximumTries`` of them, or ``wait`` after the
///    first of them came. Best is the smallest accuracy after allowing for how far the device may have come since.
///
/// Ages are by the times of the fixes, or by their arrivals where one is missing. The wait is by arrivals.
///
/// - Source: the rules and the standards are those of TTLocationHandler.
public struct AcceptanceTerms: Hashable, Sendable, Codable {
  /// The accuracy, in metres at 68 %, up to which a fix is accurate.
  public var requiredAccuracy: Double
  /// How old the last one kept must be before another is.
  public var recencyThreshold: Duration
  /// How long fixes are held that are not accurate, in the hope of a better one.
  public var wait: Duration
  /// How many are held before the best of them is kept.
  public var maximumTries: Int
  /// The least movement from one that is kept to the next, in metres.
  public var distanceFilter: Double
  /// The same on foot, where ``activity`` says so.
  public var walkingDistanceFilter: Double
  /// The same at ``highwaySpeed`` or more, if ``recencyThreshold`` is longer than ``highwayRecency``: who asks for fixes
  /// so close in time wants them close together too.
  public var highwayDistanceFilter: Double
  /// The speed, in metres per second, from which on ``highwayDistanceFilter`` holds.
  public var highwaySpeed: Double
  /// How long ``recencyThreshold`` must be for ``highwayDistanceFilter`` to hold.
  public var highwayRecency: Duration
  /// Whether a fix that may be of the same place as the last one kept is not kept.
  public var ignoresPossibleDuplicates: Bool
  /// How the device is being carried.
  public var activity: Activity

  /// The standards.
  public static let standard = AcceptanceTerms()
  /// The standards of someone on foot.
  public static let walking = AcceptanceTerms(activity: .walk)

  /// Terms of one's own. Numbers that are negative or none count as the standard ones, durations that are negative as
  /// zero.
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

  /// The least movement that makes this fix worth keeping, in metres.
  public func filter(for fix: Fix) -> Double {
    if activity == .walk || activity == .run { return walkingDistanceFilter }
    let isOnHighway = (fix.speed ?? 0) >= highwaySpeed && recencyThreshold > highwayRecency
    return isOnHighway ? highwayDistanceFilter : distanceFilter
  }

  /// The same, with what makes no sense replaced: terms may have been changed or decoded since they were made.
  var sane: AcceptanceTerms {
    AcceptanceTerms(
      requiredAccuracy: requiredAccuracy, recencyThreshold: recencyThreshold, wait: wait,
      maximumTries: maximumTries, distanceFilter: distanceFilter,
      walkingDistanceFilter: walkingDistanceFilter, highwayDistanceFilter: highwayDistanceFilter,
      highwaySpeed: highwaySpeed, highwayRecency: highwayRecency,
      ignoresPossibleDuplicates: ignoresPossibleDuplicates, activity: activity)
  }
}

/// A fix that is worth keeping, as it came.
public struct AcceptedFix: Hashable, Sendable, Codable {
  /// Why a fix is kept.
  public enum Reason: Hashable, Sendable, Codable {
    /// It is as accurate as asked for.
    case accurate
    /// None was, and it is the best of so many, so long after the first of them came.
    case best(of: Int, after: Duration)
  }

  /// The fix.
  public var fix: Fix
  /// How old it was when it was kept.
  public var age: Duration
  /// Why it is kept.
  public var because: Reason

  /// A fix that is kept.
  public init(fix: Fix, age: Duration, because: Reason) {
    self.fix = fix
    self.age = age
    self.because = because
  }
}

/// Why a fix is not kept, or not yet.
public enum NotKept: Hashable, Sendable, Codable {
  /// The last one kept is accurate, and only so old.
  case recentEnough(age: Duration)
  /// It lies only so far from the last one kept, in metres, and so much is needed.
  case tooNear(distance: Double, needed: Double)
  /// It may be of the same place as the last one kept: it lies so far from it, in metres, and the filter with both
  /// accuracies is so much.
  case possibleDuplicate(distance: Double, needed: Double)
  /// It is not accurate, and held as one of so many.
  case held(Int)
}
