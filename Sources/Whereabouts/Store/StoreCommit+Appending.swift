import WhereaboutsEngine
import WhereaboutsModel

extension StoreCommit {
  /// Appends a later commit.
  mutating func append(_ later: StoreCommit) {
    fixes += later.fixes
    fenceRecords += later.fenceRecords
    processedUntil = later.processedUntil ?? processedUntil
    fences.append(later.fences)
    trips.removeAll { old in later.trips.contains { $0.id == old.id } }
    trips += later.trips
    gaps += later.gaps
    receiverUsages += later.receiverUsages
    snapshot = later.snapshot
    lastAppliedEdit = later.lastAppliedEdit ?? lastAppliedEdit
    if later.durability == .power { durability = .power }
  }
}

extension StoreCommit.FenceChange {
  /// Appends a later change.
  mutating func append(_ later: StoreCommit.FenceChange) {
    guard !later.isEmpty else { return }
    if later.removesAll { self = StoreCommit.FenceChange(removesAll: true, lastSerial: lastSerial) }
    let replaced = Set(later.removed).union(later.set.map(\.fence.id))
    set.removeAll { replaced.contains($0.fence.id) }
    removed += later.removed
    ended += later.ended
    set += later.set
    lastSerial = later.lastSerial ?? lastSerial
  }

  private init(removesAll: Bool, lastSerial: UInt64?) {
    self.init()
    self.removesAll = removesAll
    self.lastSerial = lastSerial
  }

  /// Creates the change that a command and its effects make to an engine's fences.
  init(_ command: FenceCommand?, _ effects: [Effect], in registry: FenceRegistry) {
    self.init()
    switch command {
    case .add(let fences), .update(let fences):
      var refused: Set<FenceID> = []
      for case .decided(.fenceRefused(let id, _)) in effects { refused.insert(id) }
      set = fences.compactMap { fence in
        // A fence with the same id may already exist and stays then.
        refused.contains(fence.id)
          ? nil : registry.fenceWithSerial(fence.id).map { Entry($0.fence, serial: $0.serial) }
      }
    case .remove(let ids): removed = ids
    case .removeAll: removesAll = true
    case .share, nil: break
    }
    // A change may have added a fence again after its end.
    for case .fence(.removed(let id, _)) in effects where registry.fence(id) == nil {
      set.removeAll { $0.fence.id == id }
      removed.append(id)
    }
    if !set.isEmpty { lastSerial = registry.newestSerial }
  }
}
