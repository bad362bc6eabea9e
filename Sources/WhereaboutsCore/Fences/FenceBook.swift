import HeapModule
public import WhereaboutsGeodesy

/// Why a fence can't be added.
public enum FenceProblem: Error, Hashable, Sendable, Codable {
  /// There is one of that id already.
  case duplicate(FenceID)
  /// Its hours are by the clock of a time zone that nobody knows: the name of that.
  case unknownTimeZone(FenceID, String)
}

/// All fences that are watched, for any number of devices.
///
/// A value: what each device has seen of them is in its ``FenceWatch``. Its JSON form keeps which fence came after which,
/// so that a watch that is read back with it knows which of them it has seen.
///
/// - Complexity: adding, removing and finding one is O(1); nothing is built anew.
public struct FenceBook: Sendable {
  /// A fence, and what a watch must know of it beside.
  struct Entry: Sendable {
    var fence: Fence
    /// Grows with each area that comes. A watch that has seen a later one knows that this one was there.
    let serial: UInt64
  }

  /// By key; `nil` where a key is free.
  private(set) var entries: [Entry?] = []
  /// The serial of each entry again, 0 where a key is free, and the rule: to be read without touching the fence.
  private var serials: [UInt64] = []
  private var rules: [FenceRule] = []
  private var free: [UInt32] = []
  private var keys: [FenceID: UInt32] = [:]
  private var expiries = Heap<Expiry>()
  private(set) var index = AreaIndex()
  /// The serial of the area that came last.
  private(set) var lastSerial: UInt64 = 0
  /// Asks every area instead of the index, to see whether that makes a difference.
  private var scansAll = false

  /// No fences.
  public init() {}

  package init(scanningAll: Bool) { scansAll = scanningAll }

  /// The fences of a snapshot, whose numbers a watch knows. Of two with one id the first counts.
  package init(_ fences: some Sequence<(Fence, serial: UInt64)>, lastSerial: UInt64) {
    var areas: [(UInt32, Area)] = []
    for (fence, serial) in fences where keys[fence.id] == nil {
      areas.append((enter(fence, serial: serial), fence.area))
    }
    index.insert(contentsOf: areas)
    self.lastSerial = max(self.lastSerial, lastSerial)
  }

  /// How many there are.
  public var count: Int { keys.count }
  /// Their ids, in no order.
  public var ids: some Collection<FenceID> { keys.keys }
  /// All of them, in the order they came in.
  public var fences: [Fence] { inOrder.map(\.fence) }

  /// All of them, in the order they came in.
  var inOrder: [Entry] { entries.compactMap { $0 }.sorted { $0.serial < $1.serial } }

  /// The fence of an id.
  public func fence(_ id: FenceID) -> Fence? { keys[id].flatMap { entries[Int($0)]?.fence } }

  /// The fence of an id, with the number of its area.
  package func numbered(_ id: FenceID) -> (fence: Fence, serial: UInt64)? {
    keys[id].flatMap { entries[Int($0)] }.map { ($0.fence, $0.serial) }
  }

  /// The number of the area that came last, which may be gone.
  package var newestSerial: UInt64 { lastSerial }

  /// Adds a fence.
  ///
  /// - Throws: ``FenceProblem/duplicate(_:)`` where there is one of its id, ``FenceProblem/unknownTimeZone(_:_:)`` where the
  ///   rules of the time zone of its hours are missing.
  public mutating func add(_ fence: Fence) throws(FenceProblem) {
    if let problem = problem(of: fence) { throw problem }
    insert(fence, serial: lastSerial + 1)
  }

  /// Adds many fences, faster than one by one.
  ///
  /// - Returns: those that could not be added, and why.
  @discardableResult
  public mutating func add(contentsOf fences: some Sequence<Fence>) -> [FenceProblem] {
    var problems: [FenceProblem] = [], areas: [(UInt32, Area)] = []
    for fence in fences {
      if let problem = problem(of: fence) {
        problems.append(problem)
        continue
      }
      areas.append((enter(fence, serial: lastSerial + 1), fence.area))
    }
    index.insert(contentsOf: areas)
    return problems
  }

  private func problem(of fence: Fence) -> FenceProblem? {
    if keys[fence.id] != nil { return .duplicate(fence.id) }
    guard let zone = fence.terms.activeHours?.zone, !zone.isResolved else { return nil }
    return .unknownTimeZone(fence.id, zone.name)
  }

  /// Puts a fence in the place of the one of its id, or adds it. With another area it is a new fence to a watch.
  public mutating func update(_ fence: Fence) {
    if let key = keys[fence.id], let entry = entries[Int(key)], entry.fence.area == fence.area {
      entries[Int(key)] = Entry(fence: fence, serial: entry.serial)
      rules[Int(key)] = FenceRule(fence.terms)
      noteExpiry(of: fence)
    } else {
      remove(fence.id)
      insert(fence, serial: lastSerial + 1)
    }
  }

  /// Takes a fence away, and says which it was.
  @discardableResult
  public mutating func remove(_ id: FenceID) -> Fence? {
    guard let key = keys.removeValue(forKey: id) else { return nil }
    let fence = entries[Int(key)]?.fence
    entries[Int(key)] = nil
    serials[Int(key)] = 0
    free.append(key)
    index.remove(key)
    return fence
  }

  /// So many fences whose boundaries are nearest to a place, the nearest first: for platforms that watch a few by
  /// themselves.
  public func nearest(_ count: Int, to place: Coordinate) -> [(fence: Fence, distance: SignedDistance)] {
    index.nearest(count, to: place).compactMap { nearby in
      entries[Int(nearby.key)].map { ($0.fence, nearby.distance) }
    }
  }

  private mutating func insert(_ fence: Fence, serial: UInt64) {
    index.insert(fence.area, as: enter(fence, serial: serial))
  }

  /// - Returns: the key it goes by.
  private mutating func enter(_ fence: Fence, serial: UInt64) -> UInt32 {
    let key = free.popLast() ?? UInt32(entries.count)
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
    noteExpiry(of: fence)
    return key
  }

  // MARK: What a watch asks

  /// The serial of the fence of a key; 0 where there is none.
  func serial(_ key: UInt32) -> UInt64 { Int(key) < serials.count ? serials[Int(key)] : 0 }

  /// What to look at in the fence of a key, which there is.
  func rule(_ key: UInt32) -> FenceRule { rules[Int(key)] }

  var keysBySerial: [UInt64: UInt32] {
    var keys: [UInt64: UInt32] = [:]
    for (key, entry) in entries.enumerated() { if let entry { keys[entry.serial] = UInt32(key) } }
    return keys
  }

  func key(of id: FenceID) -> UInt32? { keys[id] }

  /// The areas that contain a place or whose boundary is within a distance of it, by ascending key.
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

  private mutating func noteExpiry(of fence: Fence) {
    if let time = fence.terms.expiry { expiries.insert(Expiry(time: time, id: fence.id)) }
  }

  /// When the next fence is over.
  public mutating func nextExpiry() -> UTCTime? {
    while let next = expiries.min {
      if fence(next.id)?.terms.expiry == next.time { return next.time }
      expiries.removeMin()
    }
    return nil
  }

  /// Takes away every fence whose time is up, the earliest first.
  public mutating func removeExpired(by time: UTCTime) -> [Fence] {
    var removed: [Fence] = []
    while let next = nextExpiry(), next <= time, let id = expiries.popMin()?.id {
      if let fence = remove(id) { removed.append(fence) }
    }
    return removed
  }
}

extension FenceBook: Codable {
  private enum CodingKeys: String, CodingKey { case fences, lastSerial }

  private struct Numbered: Codable {
    var serial: UInt64
    var fence: Fence
  }

  /// Reads the form that ``encode(to:)`` writes.
  ///
  /// - Throws: where two fences have one id, besides what decoding throws.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let numbered = try values.decode([Numbered].self, forKey: .fences)
    var areas: [(UInt32, Area)] = []
    for one in numbered {
      guard keys[one.fence.id] == nil else { throw FenceProblem.duplicate(one.fence.id) }
      areas.append((enter(one.fence, serial: one.serial), one.fence.area))
    }
    index.insert(contentsOf: areas)
    lastSerial = max(lastSerial, try values.decode(UInt64.self, forKey: .lastSerial))
  }

  /// Writes the fences in the order they came in, each with its place in it.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    let numbered = entries.compactMap { $0 }.sorted { $0.serial < $1.serial }
      .map { Numbered(serial: $0.serial, fence: $0.fence) }
    try values.encode(numbered, forKey: .fences)
    try values.encode(lastSerial, forKey: .lastSerial)
  }
}
