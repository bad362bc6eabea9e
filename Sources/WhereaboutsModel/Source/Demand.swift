/// The engine's demand on a source for fixes and headings.
///
/// Demand flows down, fixes flow up. With ``off``, nothing is needed, and a source has its receiver off.
public struct Demand: Hashable, Sendable, Codable {
  /// The fixes that are needed.
  public var fixes: Fixes
  /// The headings that are needed; `nil` for none.
  public var headings: Headings?
  /// The regions to watch while the program rests; none for a source that has not sent
  /// ``SourceSignal/wakeCapacity(_:greatestRadius:)``. They need no receiver.
  public var wakeRegions: [WakeRegion]
  /// Whether the regions that an earlier process has registered stay as they are, because the stored regions are not
  /// loaded yet. ``wakeRegions`` has no meaning then. Only for a source that needs permission, or has sent
  /// ``SourceSignal/wakeCapacity(_:greatestRadius:)``.
  public var keepsWakeRegions = false
  /// Whether significant changes are needed beside continuous ``fixes``. Core Location's service for them starts no
  /// receiver. It wakes or launches a program that was suspended or terminated, for some seconds each time. Without such
  /// a service, a source with a distance filter limits the filter to 500 m and the interval to five minutes.
  public var watchesSignificantChanges = false

  /// Creates a demand for fixes, headings, or both.
  public init(fixes: Fixes = .off, headings: Headings? = nil, wakeRegions: [WakeRegion] = []) {
    self.fixes = fixes
    self.headings = headings
    self.wakeRegions = wakeRegions
  }

  /// The empty demand.
  public static let off = Demand()
  /// The demand for significant changes only: large moves matter, and the precise service stays off.
  public static let significantChanges = Demand(fixes: .significantChanges)
  /// Returns a demand for continuous fixes.
  public static func continuous(_ demand: Continuous) -> Demand { Demand(fixes: .continuous(demand)) }

  /// Returns the demand that satisfies both: the more demanding of the two in every respect.
  ///
  /// Associative and commutative, with ``off`` as its neutral element.
  public func merged(with other: Demand) -> Demand {
    var merged = Demand(
      fixes: fixes.merged(with: other.fixes),
      headings: headings.map { $0.merged(with: other.headings) } ?? other.headings,
      wakeRegions: Self.union(wakeRegions, other.wakeRegions))
    merged.keepsWakeRegions = keepsWakeRegions || other.keepsWakeRegions
    merged.watchesSignificantChanges = watchesSignificantChanges || other.watchesSignificantChanges
    if case .continuous = merged.fixes, [fixes, other.fixes].contains(.significantChanges) {
      merged.watchesSignificantChanges = true
    }
    return merged
  }

  /// Returns the regions of both lists, in the order of their identifiers; an only list stays as it is.
  private static func union(_ one: [WakeRegion], _ other: [WakeRegion]) -> [WakeRegion] {
    guard !one.isEmpty, !other.isEmpty, one != other else { return one.isEmpty ? other : one }
    return Set(one).union(other).sorted { $0.identifier < $1.identifier }
  }

  /// The demand on the receiver, without regions and significant changes beside it.
  package var ofReceiver: Demand { Demand(fixes: fixes, headings: headings) }

  /// The demand without regions.
  package var withoutRegions: Demand {
    var demand = ofReceiver
    demand.watchesSignificantChanges = watchesSignificantChanges
    return demand
  }
}

extension Demand {
  private enum CodingKeys: String, CodingKey {
    case fixes, headings, wakeRegions, keepsWakeRegions, watchesSignificantChanges
  }

  /// Reads the form that ``encode(to:)`` writes.
  ///
  /// - Throws: the decoder's errors.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      fixes: try values.decode(Fixes.self, forKey: .fixes),
      headings: try values.decodeIfPresent(Headings.self, forKey: .headings),
      wakeRegions: try values.decodeIfPresent([WakeRegion].self, forKey: .wakeRegions) ?? [])
    keepsWakeRegions = try values.decodeIfPresent(Bool.self, forKey: .keepsWakeRegions) ?? false
    watchesSignificantChanges =
      try values.decodeIfPresent(Bool.self, forKey: .watchesSignificantChanges) ?? false
  }

  /// Writes the members that are present.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(fixes, forKey: .fixes)
    try values.encodeIfPresent(headings, forKey: .headings)
    if !wakeRegions.isEmpty { try values.encode(wakeRegions, forKey: .wakeRegions) }
    if keepsWakeRegions { try values.encode(true, forKey: .keepsWakeRegions) }
    if watchesSignificantChanges { try values.encode(true, forKey: .watchesSignificantChanges) }
  }
}

extension Demand {
  /// The fixes that are needed: none, significant changes only, or fixes of a certain quality.
  public enum Fixes: Hashable, Sendable, Codable {
    /// No fixes are needed.
    case off
    /// Only large moves matter; the precise service stays off.
    case significantChanges
    /// Continuous fixes.
    case continuous(Continuous)

    /// Returns the demand that satisfies both.
    public func merged(with other: Fixes) -> Fixes {
      switch (self, other) {
      case (.continuous(let one), .continuous(let another)): .continuous(one.merged(with: another))
      case (.continuous, _): self
      case (_, .continuous): other
      case (.significantChanges, _), (_, .significantChanges): .significantChanges
      case (.off, .off): .off
      }
    }
  }

  /// The quality of fixes that is enough for every consumer.
  public struct Continuous: Hashable, Sendable, Codable {
    /// The horizontal accuracy that is enough, in metres at 68 %; smaller costs more.
    public var accuracy: Double
    /// The least movement that is worth a fix, in metres; 0 asks for every fix.
    public var distanceFilter: Double
    /// The least time between two fixes that is worth having; zero for every fix.
    ///
    /// The interval is a hint for a source that can rest in between. Other sources give more fixes, all of which are
    /// used.
    public var interval: Duration
    /// The way in which the device is carried.
    public var activity: Activity

    /// Creates a demand for fixes of an accuracy, with a least movement and a least time between two.
    public init(
      accuracy: Double, distanceFilter: Double = 0, interval: Duration = .zero, activity: Activity = .other
    ) {
      self.accuracy = accuracy
      self.distanceFilter = distanceFilter
      self.interval = interval
      self.activity = activity
    }

    /// Returns the finer accuracy, the shorter filter, the shorter interval, and the activity if both name the same.
    /// Different activities give ``Activity/other``.
    public func merged(with other: Continuous) -> Continuous {
      Continuous(
        accuracy: min(accuracy, other.accuracy), distanceFilter: min(distanceFilter, other.distanceFilter),
        interval: min(interval, other.interval),
        activity: activity == other.activity ? activity : .other)
    }
  }

  /// The headings that are enough for every consumer.
  public struct Headings: Hashable, Sendable, Codable {
    /// The least turn that is worth a heading, in degrees; 0 asks for every one.
    public var filter: Double

    /// Creates a demand for headings with a least turn between two, in degrees.
    public init(filter: Double) {
      self.filter = filter
    }

    /// Returns the demand with the shorter filter of the two.
    func merged(with other: Headings?) -> Headings {
      Headings(filter: min(filter, other?.filter ?? filter))
    }
  }
}
