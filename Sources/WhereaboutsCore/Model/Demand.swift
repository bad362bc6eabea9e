/// What the engine asks of a source: which fixes, and whether headings.
///
/// Demand flows down, fixes flow up. ``off`` means that nobody needs anything, and a source then has its receiver off.
public struct Demand: Hashable, Sendable, Codable {
  /// Which fixes are needed.
  public var fixes: FixDemand
  /// Which headings are needed; `nil` where nobody needs any.
  public var headings: HeadingDemand?

  /// A demand for fixes, headings, or both.
  public init(fixes: FixDemand = .off, headings: HeadingDemand? = nil) {
    self.fixes = fixes
    self.headings = headings
  }

  /// Nobody needs anything.
  public static let off = Demand()
  /// Only large moves matter; the precise service stays off.
  public static let significantChanges = Demand(fixes: .significantChanges)
  /// Fixes, one after the other.
  public static func continuous(_ demand: ContinuousDemand) -> Demand { Demand(fixes: .continuous(demand)) }

  /// What satisfies both: the more demanding of the two in every respect.
  ///
  /// Associative and commutative, with ``off`` as its neutral element.
  public func merged(with other: Demand) -> Demand {
    Demand(
      fixes: fixes.merged(with: other.fixes),
      headings: headings.map { $0.merged(with: other.headings) } ?? other.headings)
  }
}

/// Which fixes are needed: none, large moves only, or fixes of a certain quality.
public enum FixDemand: Hashable, Sendable, Codable {
  /// Nobody needs a fix.
  case off
  /// Only large moves matter; the precise service stays off.
  case significantChanges
  /// Fixes, one after the other.
  case continuous(ContinuousDemand)

  /// What satisfies both.
  public func merged(with other: FixDemand) -> FixDemand {
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
  /// The least time between two fixes that is worth having; zero asks for them as they come.
  ///
  /// A wish, for a source that can rest in between: others give more, and what they give is used.
  public var interval: Duration
  /// How the device is being carried.
  public var activity: Activity

  /// A demand for fixes of an accuracy, every so many metres, no more often than so.
  public init(
    accuracy: Double, distanceFilter: Double = 0, interval: Duration = .zero, activity: Activity = .other
  ) {
    self.accuracy = accuracy
    self.distanceFilter = distanceFilter
    self.interval = interval
    self.activity = activity
  }

  /// The finer accuracy, the shorter filter, the shorter interval, and the activity if both name the same; else
  /// ``Activity/other``.
  public func merged(with other: ContinuousDemand) -> ContinuousDemand {
    ContinuousDemand(
      accuracy: min(accuracy, other.accuracy), distanceFilter: min(distanceFilter, other.distanceFilter),
      interval: min(interval, other.interval),
      activity: activity == other.activity ? activity : .other)
  }
}

/// The headings that are enough for everyone who wants them.
public struct HeadingDemand: Hashable, Sendable, Codable {
  /// The least turn that is worth a heading, in degrees; 0 asks for every one.
  public var filter: Double

  /// A demand for headings, every so many degrees.
  public init(filter: Double) {
    self.filter = filter
  }

  /// The shorter filter of the two.
  func merged(with other: HeadingDemand?) -> HeadingDemand {
    HeadingDemand(filter: min(filter, other?.filter ?? filter))
  }
}
