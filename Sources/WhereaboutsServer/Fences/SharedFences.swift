import Synchronization
import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsStore

/// The fences of a server, which every device's engine watches.
///
/// The engines share one registry, so that memory and loading don't grow with devices times fences. Each change is
/// stored first; the loaded engines then get the registry with the change. A fence has the same serial everywhere, by
/// which an engine's snapshot refers to it.
///
/// - Complexity: a change costs O(n) for the copy, and O(1) for each loaded device.
actor SharedFences {
  /// The fences at one moment.
  struct Snapshot: Sendable {
    /// The fences with their serials.
    var registry: FenceRegistry
    /// The number of changes so far; begins with 1.
    var revision: UInt64
    /// The circles that were removed since the start, the last ones: phones may still have them.
    var removedCircles: [FenceID]
  }

  /// The numbers of fences that a change concerned.
  struct Summary: Sendable, Equatable {
    var added = 0
    var replaced = 0
    var removed = 0
    var unchanged = 0
  }

  /// The greatest number of removed circles that are remembered.
  private static let maximumRemovedCircles = 100

  private let store: SQLiteStore
  /// Each message of a phone reads the snapshot: to wait for the actor would cost more than the rest of the reading.
  private let present: Mutex<Snapshot>
  /// The last computed tag, with the revision of its fences.
  private var lastTag: (revision: UInt64, text: String)?
  /// The state of the store at the last check for edits.
  private var lastToken: StoreChangeToken?
  private let changes: AsyncStream<Snapshot>.Continuation
  /// The fences after changes, for the one task that passes them to the loaded engines. A newer snapshot replaces a
  /// waiting one.
  nonisolated let changeStream: AsyncStream<Snapshot>

  /// Loads the fences.
  init(store: SQLiteStore) throws(StoreError) {
    self.store = store
    let (fences, serials, lastSerial) = try store.sharedFences()
    let registry = FenceRegistry(fences, serials: serials, lastSerial: lastSerial)
    present = Mutex(Snapshot(registry: registry, revision: 1, removedCircles: []))
    (changeStream, changes) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// The fences now.
  nonisolated var snapshot: Snapshot { present.withLock { $0 } }

  /// The number of changes so far; begins with 1.
  nonisolated var revision: UInt64 { present.withLock { $0.revision } }

  private nonisolated var registry: FenceRegistry { snapshot.registry }

  /// The fences, in the order in which they were added.
  var fences: [Fence] { registry.fences }

  /// Returns the fence with an id.
  func fence(_ id: FenceID) -> Fence? { registry.fence(id) }

  /// The version of the fences as an entity tag. Each change of any fence changes the tag, and a restart of the server
  /// does not.
  var tag: String {
    if let lastTag, lastTag.revision == revision { return lastTag.text }
    let text = "\"\(PageAsset.digest(of: [FenceWriter(style: .exact).write(registry.fences)]))\""
    lastTag = (revision, text)
    return text
  }

  // MARK: Changes

  /// Replaces all fences.
  func replaceAll(with fences: [Fence]) throws(StoreError) -> Summary {
    let kept = Set(fences.map(\.id))
    return try change(removing: registry.ids.filter { !kept.contains($0) }, setting: fences)
  }

  /// Adds fences, or replaces those of the same ids.
  func set(_ fences: [Fence]) throws(StoreError) -> Summary { try change(removing: [], setting: fences) }

  /// Removes a fence.
  ///
  /// - Returns: whether it existed.
  func remove(_ id: FenceID) throws(StoreError) -> Bool {
    try change(removing: [id], setting: []).removed > 0
  }

  private func change(removing ids: [FenceID], setting fences: [Fence]) throws(StoreError) -> Summary {
    var summary = Summary(), updated: [FenceID] = [], stored = StoreCommit.FenceChange()
    var next = registry
    for id in ids.sorted() where next.remove(id) != nil {
      stored.removed.append(id)
      summary.removed += 1
    }
    for fence in fences {
      switch next.fence(fence.id) {
      case fence?:
        summary.unchanged += 1
        continue
      case nil: summary.added += 1
      default: summary.replaced += 1
      }
      next.update(fence)
      updated.append(fence.id)
    }
    guard !stored.removed.isEmpty || !updated.isEmpty else { return summary }
    stored.set = updated.compactMap { id in
      next.fenceWithSerial(id).map { StoreCommit.FenceChange.Entry($0.fence, serial: $0.serial) }
    }
    stored.lastSerial = next.newestSerial
    try store.changeSharedFences(stored)
    adopt(next, changed: stored.removed + updated)
    return summary
  }

  private func adopt(_ next: FenceRegistry, changed: [FenceID]) {
    let circles = Set(changed.filter { next.fence($0)?.isCircle == true })
    let old = snapshot
    let removed =
      old.removedCircles.filter { !circles.contains($0) }
      + changed.filter { old.registry.fence($0)?.isCircle == true && !circles.contains($0) }
    let new = Snapshot(
      registry: next, revision: old.revision + 1,
      removedCircles: Array(removed.suffix(Self.maximumRemovedCircles)))
    present.withLock { $0 = new }
    changes.yield(new)
  }

  /// Removes fences that an engine has ended, and whose removal it has stored. A fence that was replaced since its end
  /// stays, and is new to the engines: it has not ended.
  func removeEnded(_ ended: [StoreCommit.FenceChange.Entry]) {
    var next = registry, removed: [FenceID] = [], replaced: [Fence] = []
    for entry in ended {
      let id = entry.fence.id
      guard let present = next.fenceWithSerial(id), present.serial == entry.serial else { continue }
      if present.fence == entry.fence {
        next.remove(id)
        removed.append(id)
      } else {
        replaced.append(present.fence)
      }
    }
    if !removed.isEmpty { adopt(next, changed: removed) }
    guard !replaced.isEmpty else { return }
    // After a failure, only the device where the old fence ended does not watch the new one.
    _ = try? change(removing: replaced.map(\.id), setting: replaced)
  }

  // MARK: Fences of single devices

  /// Converts the devices' own fences to shared ones, and applies the edits that commands made over the store. If an id
  /// is in use, the shared fence stays; an edit replaces it.
  ///
  /// - Returns: the number of fences that changed.
  func adoptOwnFences() throws(StoreError) -> Int {
    var count = 0
    for own in try store.ownFences() {
      let result = result(of: own)
      // One change for all: each copies the registry and waits for the disk.
      let summary = try change(removing: result.removed, setting: result.set)
      count += summary.added + summary.replaced + summary.removed
      try store.remove(own)
    }
    return count
  }

  /// Returns the shared fences that a device's own fences and edits remove, and those that they then set.
  private func result(of own: OwnFences) -> (removed: [FenceID], set: [Fence]) {
    var removed: Set<FenceID> = [], set: [Fence?] = [], places: [FenceID: Int] = [:]
    func insert(_ fence: Fence) {
      if let place = places.updateValue(set.count, forKey: fence.id) { set[place] = nil }
      set.append(fence)
    }
    for fence in own.fences where registry.fence(fence.id) == nil { insert(fence) }
    for edit in own.edits {
      switch edit.change {
      case .set(let fence): insert((try? fence.resolvingTimeZone()) ?? fence)
      case .removed(let id):
        if let place = places.removeValue(forKey: id) { set[place] = nil }
        removed.insert(id)
      }
    }
    return (Array(removed), set.compactMap(\.self))
  }

  /// Applies edits that other processes have stored since the last call.
  func adoptEdits() throws(StoreError) {
    let token = try store.changeToken()
    guard token != lastToken else { return }
    _ = try adoptOwnFences()
    lastToken = token
  }
}

extension Fence {
  fileprivate var isCircle: Bool { if case .circle = area { true } else { false } }
}
