import GRDB
public import Whereabouts
public import WhereaboutsModel

/// Access to fences for processes other than the monitoring one.
extension SQLiteStore {
  /// Returns a device's fences with all pending edits applied, in the order of their areas' serial numbers. The fences
  /// of a server, which all devices share, are among them.
  public func fences(of device: DeviceID) throws(StoreError) -> [Fence] {
    try read { database in
      let shared = try Self.sharedFences(in: database).fences
      guard let reader = try DeviceReader(database, device) else { return shared }
      let stored = try reader.fences().map(\.fence)
      let own = Set(stored.map(\.id))
      let before = shared.filter { !own.contains($0.id) } + stored
      var fences: [Fence?] = before
      var places: [FenceID: Int] = [:]
      for (place, fence) in before.enumerated() { places[fence.id] = place }
      for edit in try reader.edits(after: reader.lastAppliedEdit()) {
        switch edit.change {
        case .set(let fence):
          // A fence with the same area keeps its place, as in `FenceRegistry`.
          if let place = places[fence.id], fences[place]?.area == fence.area {
            fences[place] = fence
          } else {
            if let place = places[fence.id] { fences[place] = nil }
            places[fence.id] = fences.count
            fences.append(fence)
          }
        case .removed(let id): if let place = places.removeValue(forKey: id) { fences[place] = nil }
        }
      }
      return fences.compactMap { $0 }
    }
  }

  /// Returns the edits of a device's fences after a number, in order.
  public func edits(of device: DeviceID, after number: UInt64) throws(StoreError) -> [DeviceRecord.FenceEdit]
  {
    try read { database in try DeviceReader(database, device)?.edits(after: number) ?? [] }
  }

  /// Adds edits to a device's fences. The monitoring process applies the edits now, or at its next start. The edits
  /// survive a power cut.
  ///
  /// - Returns: the numbers of the edits, in order.
  @discardableResult
  public func edit(_ changes: [DeviceRecord.FenceEdit.Change], of device: DeviceID) throws(StoreError)
    -> [DeviceRecord.FenceEdit]
  {
    guard !changes.isEmpty else { return [] }
    return try write { database in
      try Self.rowID(of: device, in: database)
      let last = try Int64.fetchOne(
        database,
        sql: """
          SELECT max(edits_applied, coalesce((SELECT max(number) FROM fence_edit WHERE device = device.id), 0))
          FROM device WHERE name = ?
          """,
        arguments: [device.rawValue])
      var number = last ?? 0
      return try changes.map { change in
        number += 1
        let (id, json): (FenceID, String?) =
          switch change {
          case .set(let fence): (fence.id, try StoreJSON.encode(fence))
          case .removed(let id): (id, nil)
          }
        try database.execute(
          sql:
            "INSERT INTO fence_edit (device, number, id, fence) SELECT id, ?, ?, ? FROM device WHERE name = ?",
          arguments: [number, id.name, json, device.rawValue])
        return DeviceRecord.FenceEdit(number: UInt64(clamping: number), change: change)
      }
    }
  }

  /// Erases a device's fences and edits, and shared fences, that can't be decoded: none of the fences could be loaded.
  ///
  /// - Returns: the ids of the erased fences, and those of the fences of which only a change was erased.
  package func removeUnreadableFences(
    of device: DeviceID
  ) throws(StoreError) -> (fences: [FenceID], changed: [FenceID]) {
    let isOfDevice = "device = (SELECT id FROM device WHERE name = ?)"
    let tables = [("fence", isOfDevice), ("fence_edit", isOfDevice), ("shared_fence", "? IS NOT NULL")]
    return try write { database -> (fences: [FenceID], changed: [FenceID]) in
      var removed: Set<FenceID> = [], decoder = FenceTextDecoder()
      for (table, condition) in tables {
        let rows = try Row.fetchAll(
          database, sql: "SELECT rowid, id, fence FROM \(table) WHERE \(condition) AND fence IS NOT NULL",
          arguments: [device.rawValue])
        for row in rows where (try? decoder.fence(row[2])) == nil {
          let number: Int64 = row[0], id: String = row[1]
          try database.execute(sql: "DELETE FROM \(table) WHERE rowid = ?", arguments: [number])
          removed.insert(FenceID(id))
        }
      }
      // Of a fence with a damaged change, the form before the change stays.
      let left = try String.fetchAll(
        database,
        sql: """
          SELECT id FROM fence WHERE \(isOfDevice)
          UNION SELECT id FROM fence_edit WHERE \(isOfDevice) AND fence IS NOT NULL
            AND number > (SELECT edits_applied FROM device WHERE name = ?)
          """, arguments: [device.rawValue, device.rawValue, device.rawValue]
      ).map { FenceID($0) }
      return (removed.subtracting(left).sorted(), removed.intersection(left).sorted())
    }
  }

  /// The version of the data, which changes after a commit by another process or another opening of the file. Poll
  /// the property to notice edits.
  public var dataVersion: Int64 {
    get throws(StoreError) {
      do {
        return try writerConnection.withConnection { try Int64.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
      } catch {
        throw storeError(error, "read")
      }
    }
  }
}

extension DeviceReader {
  /// Returns the number of the last applied edit.
  func lastAppliedEdit() throws -> UInt64 {
    let row = try statement("SELECT edits_applied FROM device WHERE id = ?")
    return try row.step() ? UInt64(clamping: row.int(0)) : 0
  }
}
