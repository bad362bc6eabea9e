import WhereaboutsGeodesy

/// Why a fence can't be added.
public enum FenceProblem: Error, Hashable, Sendable {
  /// There is one of that id already.
  case duplicate(FenceID)
}

/// All fences that are watched, for any number of devices.
///
/// A value: what each device has seen of them is in its ``FenceWatch``.
public struct FenceBook: Sendable {
  /// A fence and what a watch must know of it beside.
  struct Entry: Sendable {
    var fence: Fence
    /// Grows with each area that comes. A watch that has seen a later one knows that this one was there.
    let serial: UInt64
  }

  private(set) var entries: [Entry?] = []
  private var free: [UInt32] = []
  private var keys: [FenceID: UInt32] = [:]
  /// The serial of the area that came last.
  private(set) var lastSerial: UInt64 = 0

  /// No fences.
  public init() {}

  /// How many there are.
  public var count: Int { keys.count }
  /// Their ids, in no order.
  public var ids: some Collection<FenceID> { keys.keys }

  /// The fence of an id.
  public func fence(_ id: FenceID) -> Fence? { keys[id].flatMap { entries[Int($0)]?.fence } }

  /// Adds a fence.
  ///
  /// - Throws: ``FenceProblem/duplicate(_:)`` where there is one of its id.
  public mutating func add(_ fence: Fence) throws(FenceProblem) {
    guard keys[fence.id] == nil else { throw .duplicate(fence.id) }
    let key = free.popLast() ?? UInt32(entries.count)
    if Int(key) == entries.count { entries.append(nil) }
    lastSerial += 1
    entries[Int(key)] = Entry(fence: fence, serial: lastSerial)
    keys[fence.id] = key
  }

  /// Puts a fence in the place of the one of its id, or adds it. With another area it is a new fence to a watch.
  public mutating func update(_ fence: Fence) {
    if let key = keys[fence.id], entries[Int(key)]?.fence.area == fence.area {
      entries[Int(key)]?.fence = fence
    } else {
      remove(fence.id)
      try? add(fence)
    }
  }

  /// Takes a fence away, and says which it was.
  @discardableResult
  public mutating func remove(_ id: FenceID) -> Fence? {
    guard let key = keys.removeValue(forKey: id) else { return nil }
    free.append(key)
    defer { entries[Int(key)] = nil }
    return entries[Int(key)]?.fence
  }

  func key(of id: FenceID) -> UInt32? { keys[id] }
}
