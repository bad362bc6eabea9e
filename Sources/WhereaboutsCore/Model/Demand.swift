/// What the engine asks of a source: nothing, large moves only, or fixes of a certain quality.
///
/// Demand flows down, fixes flow up. ``off`` means that nobody needs a fix, and a source then has its receiver off.
public enum Demand: Hashable, Sendable, Codable {
  /// Nobody needs a fix.
  case off
  /// Only large moves matter; the precise service stays off.
  case significantChanges
  /// Fixes, one after the other.
  case continuous(ContinuousDemand)

  /// What satisfies both: the more demanding of the two in every respect.
  ///
  /// Associative and commutative, with ``off`` as its neutral element.
  public func merged(with other: Demand) -> Demand {
    switch (self, other) {
    case (.continuous(let one), .continuous(let another)): .continuous(one.merged(with: another))
    case (.continuous, _): self
    case (_, .continuous): other
    case (.significantChanges, _), (_, .significantChanges): .significantChanges
    case (.off, .off): .off
    }
  }
}

/// The quality of fixes that is enough for everyone who wants them.
public struct ContinuousDemand: Hashable, Sendable, Codable {
  /// The horizontal accuracy that is enough, in metres at 68 %; smaller costs more.
  public var accuracy: Double
  /// The least movement that is worth a fix, in metres; 0 asks for every fix.
  public var distanceFilter: Double
  /// How the device is being carried.
  public var activity: Activity

  /// A demand for fixes of an accuracy, every so many metres.
  public init(accuracy: Double, distanceFilter: Double = 0, activity: Activity = .other) {
    self.accuracy = accuracy
    self.distanceFilter = distanceFilter
    self.activity = activity
  }

  /// The finer accuracy, the shorter filter, and the activity if both name the same; else ``Activity/other``.
  public func merged(with other: ContinuousDemand) -> ContinuousDemand {
    ContinuousDemand(
      accuracy: min(accuracy, other.accuracy), distanceFilter: min(distanceFilter, other.distanceFilter),
      activity: activity == other.activity ? activity : .other)
  }
}
