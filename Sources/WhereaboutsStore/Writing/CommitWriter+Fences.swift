import Whereabouts
import WhereaboutsModel

extension CommitWriter {
  func writeFences(_ prepared: PreparedCommit, _ state: DeviceState) throws {
    let change = prepared.commit.fences
    guard !prepared.commit.sharesFences else { return try removeSharedFences(change.removed) }
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

  /// Removes the shared fences that ended, with the commit of their last event.
  private func removeSharedFences(_ ids: [FenceID]) throws {
    guard !ids.isEmpty else { return }
    let statement = try Statement(database, "DELETE FROM shared_fence WHERE id = ?")
    for id in ids {
      statement.bind(id.name, 1)
      try statement.run()
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
