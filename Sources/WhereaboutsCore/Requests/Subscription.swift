import WhereaboutsGeodesy

/// Names one subscription for the life of the process.
public struct SubscriptionID: Hashable, Sendable, Codable, Comparable {
  /// The number of the subscription.
  public let number: UInt64
  /// The subscription of that number.
  public init(_ number: UInt64) { self.number = number }
  /// Which was made first.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// What a subscription asks for.
public struct SubscriptionTerms: Hashable, Sendable, Codable {
  /// What the source is asked for. Fixes that fall short of it are told all the same: they carry their accuracy.
  public var level: AccuracyLevel
  /// The least movement since the last fix told, in metres, before another is told; 0 tells every fix.
  public var distanceFilter: Double
  /// How the device is being carried.
  public var activity: Activity

  /// Terms of a subscription. A filter that is negative or not a number counts as 0.
  public init(level: AccuracyLevel, distanceFilter: Double = 0, activity: Activity = .other) {
    self.level = level
    self.distanceFilter = distanceFilter > 0 ? distanceFilter : 0
    self.activity = activity
  }
}

/// What a subscriber is told.
public enum SubscriptionEvent: Hashable, Sendable {
  /// A fix.
  case fix(Fix)
  /// The source does not deliver, for now or until something outside changes; the subscription lives on.
  case trouble(SourceTrouble)
}

/// The live subscriptions.
struct SubscriptionBook: Sendable {
  private struct Entry: Sendable {
    let id: SubscriptionID
    let terms: SubscriptionTerms
    var lastTold: Fix?
  }

  /// In the order they were made.
  private var entries: [Entry] = []

  var ids: [SubscriptionID] { entries.map(\.id) }

  mutating func add(_ id: SubscriptionID, _ terms: SubscriptionTerms) {
    precondition(!entries.contains { $0.id == id }, "subscription \(id.number) was made twice")
    entries.append(Entry(id: id, terms: terms))
  }

  mutating func remove(_ id: SubscriptionID) -> SubscriptionTerms? {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
    return entries.remove(at: index).terms
  }

  mutating func removeAll() -> [(id: SubscriptionID, terms: SubscriptionTerms)] {
    defer { entries = [] }
    return entries.map { ($0.id, $0.terms) }
  }

  /// Calls `tell` with each subscription that this fix has moved far enough for.
  mutating func offer(_ fix: Fix, tell: (SubscriptionID) -> Void) {
    for index in entries.indices {
      if let last = entries[index].lastTold, entries[index].terms.distanceFilter > 0,
        last.coordinate.distance(to: fix.coordinate, within: 0.001) < entries[index].terms.distanceFilter
      {
        continue
      }
      entries[index].lastTold = fix
      tell(entries[index].id)
    }
  }
}
