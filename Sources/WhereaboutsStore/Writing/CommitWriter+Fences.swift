import Whereabouts
import WhereaboutsModel

extension CommitWriter {
  func writeFences(_ prepared: PreparedCommit, _ state: DeviceState) throws {
    let change = prepared.commit.fences
    guard !prepared.commit.sharesFences else { return try removeSharedFences(change.ended) }
    if change.removesAll {
      try run("DELETE FROM fence WHERE device = ?") { $0.bind(state.id, 1) }
    }
    if !change.removed.isEmpty {
      let statement = try Statement(database, "DELETE FROM fence WHERE device = ? AND id = ?")
      for fence in change.removed {
        statement.bind(state.id, 1)
        statement.bind(fence.name, 2)
        try statement.run()
      }
    }
    if !change.set.isEmpty {
      let statement = try Statement(
        database, "INSERT OR REPLACE INTO fence (device, id, serial, fence) VALUES (?, ?, ?, ?)")
      for (entry, json) in zip(change.set, prepared.fences) {
        statement.bind(state.id, 1)
        statement.bind(entry.fence.id.name, 2)
        statement.bind(Int64(clamping: entry.serial), 3)
        statement.bind(json, 4)
        try statement.run()
      }
    }
    if let serial = change.lastSerial {
      try run("UPDATE device SET fence_serial = max(fence_serial, ?) WHERE id = ?") {
        $0.bind(Int64(clamping: serial), 1)
        $0.bind(state.id, 2)
      }
    }
    if let taken = prepared.commit.lastAppliedEdit { try deleteEdits(through: Int64(clamping: taken), state) }
  }

  /// Removes the shared fences that ended, with the commit of their last event. A fence that was replaced since its end
  /// stays.
  private func removeSharedFences(_ ended: [StoreCommit.FenceChange.Entry]) throws {
    guard !ended.isEmpty else { return }
    let stored = try Statement(database, "SELECT fence FROM shared_fence WHERE id = ? AND serial = ?")
    let removal = try Statement(database, "DELETE FROM shared_fence WHERE id = ?")
    var decoder = FenceTextDecoder()
    for entry in ended {
      stored.bind(entry.fence.id.name, 1)
      stored.bind(Int64(clamping: entry.serial), 2)
      let text = try stored.step() ? stored.text(0) : nil
      stored.reset()
      // Both as the store represents them.
      let old = try decoder.fence(StoreJSON.encode(entry.fence))
      guard let text, let present = try? decoder.fence(text), present == old else { continue }
      removal.bind(entry.fence.id.name, 1)
      try removal.run()
    }
  }

  private func deleteEdits(through number: Int64, _ state: DeviceState) throws {
    try run("DELETE FROM fence_edit WHERE device = ? AND number <= ?") {
      $0.bind(state.id, 1)
      $0.bind(number, 2)
    }
    try run("UPDATE device SET edits_applied = max(edits_applied, ?) WHERE id = ?") {
      $0.bind(number, 1)
      $0.bind(state.id, 2)
    }
  }

  private func run(_ sql: String, _ bind: (Statement) -> Void) throws {
    let statement = try Statement(database, sql)
    bind(statement)
    try statement.run()
  }
}
