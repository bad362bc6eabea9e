public import WhereaboutsModel
import HeapModule
public import WhereaboutsGeodesy

/// All watched fences, for any number of devices.
///
/// A registry is a value; the state of each device is in its ``FenceWatch``. The JSON form keeps the order in which
/// fences were added. A watch decoded with the registry therefore knows which fences it has seen.
///
/// - Complexity: Adding, removing and finding a fence is O(1); nothing is rebuilt. A copy shares its memory with the
///   original until one of the two is changed; the first change then costs O(n).
public struct FenceRegistry: Sendable {
  /// A fence with its serial and key.
  package struct Entry: Hashable, Sendable {
    package var fence: Fence
    /// The serial of the fence's area, growing with each added area. A watch that has seen a later serial knows this
    /// fence.
    package let serial: UInt64
  }

  /// The entries by key; `nil` where a key is free.
  private(set) var entries: [Entry?] = []
  /// The serials by key, 0 where a key is free, and the rules: readable without copying the fence.
  private var serials: [UInt64] = []
  private var rules: [FenceRule] = []
  private var freeKeys: [UInt32] = []
  private var keys: [FenceID: UInt32] = [:]
  private var expiries = Heap<Expiry>()
  private var responsivenessTimes = CountedMinimum<Duration>()
  private(set) var index = AreaIndex()
  /// The serial of the last added area.
  private(set) var lastSerial: UInt64 = 0
  /// Whether every area is queried instead of the index, for comparison.
  private var scansAll = false

  /// Creates an empty registry.
  public init() {}

  package init(scanningAll: Bool) { scansAll = scanningAll }

  /// Creates a registry from a snapshot with the serials that a watch knows. Of two fences with one id the first
  /// counts.
  ///
  /// - Parameter serials: the serials of the fences, in the same order.
  package init(_ fences: [Fence], serials: [UInt64], lastSerial: UInt64) {
    var areas: [(UInt32, Area)] = []
    reserveCapacity(forMore: fences.count, &areas)
    for (fence, serial) in zip(fences, serials) where keys[fence.id] == nil {
      areas.append((storeEntry(fence, serial: serial), fence.area))
    }
    index.insert(contentsOf: areas)
    self.lastSerial = max(self.lastSerial, lastSerial)
  }

  /// The number of fences.
  public var count: Int { keys.count }
  /// The ids of all fences, in no order.
  public var ids: some Collection<FenceID> { keys.keys }
  /// The least responsiveness of all fences; `nil` if there are none.
  var leastResponsiveness: Duration? { responsivenessTimes.minimum }

  /// All fences, in the order in which they were added.
  public var fences: [Fence] { entriesBySerial.map(\.fence) }

  /// All entries, in the order in which they were added.
  var entriesBySerial: [Entry] { entries.compactMap { $0 }.sorted { $0.serial < $1.serial } }

  /// Returns the fence with an id; `nil` if there is none.
  public func fence(_ id: FenceID) -> Fence? { keys[id].flatMap { entries[Int($0)]?.fence } }

  /// Returns the fence with an id, and the serial of its area.
  package func fenceWithSerial(_ id: FenceID) -> (fence: Fence, serial: UInt64)? {
    keys[id].flatMap { entries[Int($0)] }.map { ($0.fence, $0.serial) }
  }

  /// The serial of the last added area, which may have been removed.
  package var newestSerial: UInt64 { lastSerial }

  /// Adds a fence.
  ///
  /// - Throws: `Fence/Problem/duplicate(_:)` if the id exists, `Fence/Problem/unknownTimeZone(_:_:)` if the rules
  ///   of the active hours' time zone are missing.
  public mutating func add(_ fence: Fence) throws(Fence.Problem) {
    if let problem = problem(of: fence) { throw problem }
    insert(fence, serial: lastSerial + 1)
  }

  /// Adds many fences, faster than one by one.
  ///
  /// - Returns: the fences that could not be added, with the reasons.
  @discardableResult
  public mutating func add(contentsOf fences: some Sequence<Fence>) -> [Fence.Problem] {
    var problems: [Fence.Problem] = [], areas: [(UInt32, Area)] = []
    reserveCapacity(forMore: fences.underestimatedCount, &areas)
    for fence in fences {
      if let problem = problem(of: fence) {
        problems.append(problem)
        continue
      }
      areas.append((storeEntry(fence, serial: lastSerial + 1), fence.area))
    }
    index.insert(contentsOf: areas)
    return problems
  }

  /// Makes room for many fences. A few are left to the growth of the arrays, which a reserve for each would defeat.
  private mutating func reserveCapacity(forMore added: Int, _ areas: inout [(UInt32, Area)]) {
    areas.reserveCapacity(added)
    guard added > entries.count else { return }
    entries.reserveCapacity(entries.count + added)
    serials.reserveCapacity(serials.count + added)
    rules.reserveCapacity(rules.count + added)
    keys.reserveCapacity(keys.count + added)
  }

  private func problem(of fence: Fence) -> Fence.Problem? {
    if keys[fence.id] != nil { return .duplicate(fence.id) }
    guard let zone = fence.terms.activeHours?.zone, !zone.isResolved else { return nil }
    return .unknownTimeZone(fence.id, zone.name)
  }

  /// Replaces the fence with the same id, or adds the fence. A fence with another area is new to a watch.
  public mutating func update(_ fence: Fence) {
    if let key = keys[fence.id], let entry = entries[Int(key)], entry.fence.area == fence.area {
      entries[Int(key)] = Entry(fence: fence, serial: entry.serial)
      rules[Int(key)] = FenceRule(fence.terms)
      responsivenessTimes.remove(entry.fence.terms.responsiveness)
      responsivenessTimes.add(fence.terms.responsiveness)
      scheduleExpiry(of: fence)
    } else {
      remove(fence.id)
      insert(fence, serial: lastSerial + 1)
    }
  }

  /// Removes a fence and returns it; `nil` if there is none with the id.
  @discardableResult
  public mutating func remove(_ id: FenceID) -> Fence? { removeEntry(id)?.fence }

  /// Removes a fence and returns its entry.
  ///
  /// Never inlined: the optimizer would make a loop copy arrays that are shared before its first turn, also a loop that
  /// removes nothing.
  @inline(never)
  mutating func removeEntry(_ id: FenceID) -> Entry? {
    guard let key = keys.removeValue(forKey: id) else { return nil }
    let entry = entries[Int(key)]
    entries[Int(key)] = nil
    serials[Int(key)] = 0
    freeKeys.append(key)
    index.remove(key)
    if let entry { responsivenessTimes.remove(entry.fence.terms.responsiveness) }
    return entry
  }

  /// Returns the registry without the areas that were added after a serial. The other fences have the same keys.
  func withoutAreas(after serial: UInt64) -> FenceRegistry {
    guard serial < lastSerial else { return self }
    var earlier = self
    for case let entry? in entries where entry.serial > serial { earlier.remove(entry.fence.id) }
    earlier.lastSerial = serial
    return earlier
  }

  /// Returns the fences with the nearest boundaries, nearest first. Used for platforms that watch a few fences
  /// themselves.
  public func nearest(_ count: Int, to place: Coordinate) -> [(fence: Fence, distance: SignedDistance)] {
    index.nearest(count, to: place).compactMap { nearby in
      entries[Int(nearby.key)].map { ($0.fence, nearby.distance) }
    }
  }

  /// Adds a fence with an id that no other has.
  mutating func insert(_ fence: Fence, serial: UInt64) {
    index.insert(fence.area, as: storeEntry(fence, serial: serial))
  }

  /// - Returns: the key of the entry.
  private mutating func storeEntry(_ fence: Fence, serial: UInt64) -> UInt32 {
    let key = freeKeys.popLast() ?? UInt32(entries.count)
    let entry = Entry(fence: fence, serial: serial)
    if Int(key) == entries.count {
      entries.append(entry)
      serials.append(serial)
      rules.append(FenceRule(fence.terms))
    } else {
      entries[Int(key)] = entry
      serials[Int(key)] = serial
      rules[Int(key)] = FenceRule(fence.terms)
    }
    lastSerial = max(lastSerial, serial)
    keys[fence.id] = key
    responsivenessTimes.add(fence.terms.responsiveness)
    scheduleExpiry(of: fence)
    return key
  }

  // MARK: Queries of a watch

  /// Returns the serial of the fence with a key; 0 if none.
  func serial(_ key: UInt32) -> UInt64 { Int(key) < serials.count ? serials[Int(key)] : 0 }

  /// Returns the rule of the fence with an existing key.
  func rule(_ key: UInt32) -> FenceRule { rules[Int(key)] }

  /// Returns the key of the fence with a serial; `nil` if none.
  ///
  /// - Complexity: O(n).
  func key(ofSerial serial: UInt64) -> UInt32? { serials.firstIndex(of: serial).map { UInt32($0) } }

  func key(of id: FenceID) -> UInt32? { keys[id] }

  /// Appends the areas that contain a place or whose boundary is within a radius of it, by ascending key.
  func near(_ place: Coordinate, within radius: Double, into found: inout [AreaIndex.Nearby]) {
    guard scansAll else { return index.near(place, within: radius, into: &found) }
    found.removeAll(keepingCapacity: true)
    for key in entries.indices where entries[key] != nil {
      let distance = index.signedDistance(UInt32(key), to: place)
      if distance.metres <= radius { found.append(AreaIndex.Nearby(key: UInt32(key), distance: distance)) }
    }
  }

  // MARK: Expiry

  private struct Expiry: Sendable, Comparable {
    var time: UTCTime
    var id: FenceID
    static func < (left: Self, right: Self) -> Bool { (left.time, left.id) < (right.time, right.id) }
  }

  private mutating func scheduleExpiry(of fence: Fence) {
    if let time = fence.terms.expiry { expiries.insert(Expiry(time: time, id: fence.id)) }
  }

  /// Returns the time at which the next fence expires; `nil` if none does.
  public mutating func nextExpiry() -> UTCTime? {
    while let next = expiries.min {
      if fence(next.id)?.terms.expiry == next.time { return next.time }
      expiries.removeMin()
    }
    return nil
  }

  /// Removes every fence that has expired, the earliest first.
  public mutating func removeExpired(by time: UTCTime) -> [Fence] {
    removeExpiredEntries(by: time).map(\.fence)
  }

  /// Removes the entry of every fence that has expired, the earliest first.
  mutating func removeExpiredEntries(by time: UTCTime) -> [Entry] {
    var removed: [Entry] = []
    while let next = nextExpiry(), next <= time, let id = expiries.popMin()?.id {
      if let entry = removeEntry(id) { removed.append(entry) }
    }
    return removed
  }
}

extension FenceRegistry: Hashable {
  /// Returns whether the registries have the same fences with the same serials, and the same next serial.
  public static func == (left: Self, right: Self) -> Bool {
    guard left.count == right.count, left.lastSerial == right.lastSerial else { return false }
    return zip(left.entriesBySerial, right.entriesBySerial)
      .allSatisfy { $0.serial == $1.serial && $0.fence == $1.fence }
  }

  /// Combines the fences, their serials and the last serial.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(lastSerial)
    for entry in entriesBySerial {
      hasher.combine(entry.serial)
      hasher.combine(entry.fence)
    }
  }
}

extension FenceRegistry: Codable {
  private enum CodingKeys: String, CodingKey { case fences, lastSerial }

  private struct CodedEntry: Codable {
    var serial: UInt64
    var fence: Fence
  }

  /// Decodes the form of ``encode(to:)``.
  ///
  /// - Throws: An error if two fences have one id, or if decoding fails.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let numbered = try values.decode([CodedEntry].self, forKey: .fences)
    var areas: [(UInt32, Area)] = []
    for one in numbered {
      guard keys[one.fence.id] == nil else { throw Fence.Problem.duplicate(one.fence.id) }
      areas.append((storeEntry(one.fence, serial: one.serial), one.fence.area))
    }
    index.insert(contentsOf: areas)
    lastSerial = max(lastSerial, try values.decode(UInt64.self, forKey: .lastSerial))
  }

  /// Encodes the fences in the order in which they were added, each with its serial.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    let numbered = entriesBySerial.map { CodedEntry(serial: $0.serial, fence: $0.fence) }
    try values.encode(numbered, forKey: .fences)
    try values.encode(lastSerial, forKey: .lastSerial)
  }
}
