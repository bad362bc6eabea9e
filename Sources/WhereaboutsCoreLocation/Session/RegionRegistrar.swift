import WhereaboutsModel

/// The regions that this program has registered with Core Location, and the changes that lead to a demand's regions.
///
/// A process shares its regions with other code in it, and every manager hears of all. Own regions are known by the
/// prefix of their identifiers; foreign ones are counted and never touched.
struct RegionRegistrar: Hashable, Sendable {
  /// Core Location's limit for a process.
  static let limit = 20

  /// The identifiers of the registered regions; `nil` until Core Location's were read.
  private(set) var registered: Set<String>?
  private var foreignCount = 0
  /// The number of regions after failures that the foreign ones do not explain.
  private var ceiling = limit
  /// The regions that Core Location reported a failure for, until the next reading.
  private var failed: Set<String> = []
  /// The wanted regions that Core Location does not watch. They are started again with other regions, and after
  /// ``retryRefused()``: at once they would fail again, without end.
  private var refused: Set<String> = []
  private var wanted: Set<String> = []
  /// The registered regions that Core Location denied. It may list them all the same, so they are stopped like others.
  private var denied: Set<String> = []

  /// The number of regions that there is room for.
  var room: Int { max(0, min(ceiling, Self.limit - foreignCount)) }

  static func isOwn(_ identifier: String) -> Bool { identifier.hasPrefix(WakeRegion.prefix) }

  /// Records the regions that Core Location watches for this process.
  ///
  /// A failed region that is watched all the same is no refusal: a failed question for the side of a region is reported
  /// in the same way.
  ///
  /// - Returns: whether any of them is an own one.
  mutating func read(_ identifiers: Set<String>) -> Bool {
    let own = identifiers.filter(Self.isOwn)
    let missing = failed.subtracting(own)
    if !missing.isEmpty { lowerCeiling() }
    refused.formUnion(missing)
    failed = []
    registered = own
    foreignCount = identifiers.count - own.count
    return !own.isEmpty
  }

  /// Returns the changes that lead to these regions: first everything to stop, then everything to start, so that there
  /// is never a region too many. A region of both is not touched: it may hold a crossing that is not reported yet.
  ///
  /// - Parameter mayStart: whether regions can be started now.
  mutating func update(to wanted: [WakeRegion], mayStart: Bool) -> (stops: [String], starts: [WakeRegion]) {
    guard let before = registered else { return ([], []) }
    let identifiers = Set(wanted.map(\.identifier))
    if identifiers != self.wanted { refused = [] }
    self.wanted = identifiers
    let wanted = wanted.filter { !refused.contains($0.identifier) }.prefix(room)
    let stops = before.subtracting(wanted.map(\.identifier)).sorted()
    let starts = mayStart ? wanted.filter { !before.contains($0.identifier) } : []
    registered = before.subtracting(stops).union(starts.map(\.identifier))
    denied.subtract(stops)
    return (stops, starts)
  }

  /// Returns whether a failure can be one of a present region. Without an identifier it is one of any.
  func mayFail(_ identifier: String?) -> Bool {
    guard let identifier, let registered else { return true }
    return registered.contains(identifier)
  }

  /// Records that a region could not be started. The next reading shows whether it is watched.
  mutating func recordFailure(of identifier: String?) {
    guard let identifier else { return lowerCeiling() }
    registered?.remove(identifier)
    failed.insert(identifier)
  }

  /// Records that a region is not watched for lack of permission, whatever the permission reads.
  mutating func recordDenial(of identifier: String?) {
    guard let identifier, registered?.contains(identifier) == true else { return }
    denied.insert(identifier)
  }

  /// Allows refused and denied regions, and as many regions as the platform has, to be started again.
  mutating func retryRefused() {
    refused = []
    ceiling = Self.limit
    let retried = denied.intersection(wanted)
    registered?.subtract(retried)
    denied.subtract(retried)
  }

  private mutating func lowerCeiling() {
    ceiling = max(1, min(ceiling, registered?.count ?? ceiling))
  }
}
