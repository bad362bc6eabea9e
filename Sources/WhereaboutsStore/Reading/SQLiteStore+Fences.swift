import GRDB
public import Whereabouts
public import WhereaboutsCore

/// Fences for other processes than the one that watches them.
extension SQLiteStore {
  /// The fences of a device as they will be once everything is taken over that others have done to them: in the order in
  /// which their areas came.
  public func fences(of device: DeviceID) throws(StoreTrouble) -> [Fence] {
    try read { database in
      guard let reader = try DeviceReader(database, device) else { return [] }
      var fences = try reader.fences().map(\.fence)
      for edit in try reader.edits(after: reader.editsTaken()) {
        switch edit.change {
        case .set(let fence):
          // In its place where only its terms are others, as a book does it.
          if let place = fences.firstIndex(where: { $0.id == fence.id }), fences[place].area == fence.area {
            fences[place] = fence
          } else {
            fences.removeAll { $0.id == fence.id }
            fences.append(fence)
          }
        case .removed(let id): fences.removeAll { $0.id == id }
        }
      }
      return fences
    }
  }

  /// What others have done to the fences of a device after an edit that is known, in order.
  public func edits(of device: DeviceID, after number: UInt64) throws(StoreTrouble) -> [FenceEdit] {
    try read { database in try DeviceReader(database, device)?.edits(after: number) ?? [] }
  }

  /// Has something done to the fences of a device by whoever watches them, now or when it runs again. Outlives a power cut.
  ///
  /// - Returns: the numbers it got, in order.
  @discardableResult
  public func edit(_ changes: [FenceEdit.Change], of device: DeviceID) throws(StoreTrouble) -> [FenceEdit] {
    guard !changes.isEmpty else { return [] }
    return try write { database in
      try database.execute(
        sql: "INSERT INTO device (name) VALUES (?) ON CONFLICT DO NOTHING", arguments: [device.rawValue])
      let last = try Int64.fetchOne(
        database,
        sql: """
          SELECT max(edits_taken, coalesce((SELECT max(number) FROM fence_edit WHERE device = device.id), 0))
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
        return FenceEdit(number: UInt64(clamping: number), change: change)
      }
    }
  }

  /// Another number whenever another process or another opening of the file has committed something: to be asked now and
  /// then by who wants to know of edits.
  public var dataVersion: Int64 {
    get throws(StoreTrouble) {
      do {
        return try writing.look { try Int64.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
      } catch {
        throw trouble(error, "read")
      }
    }
  }
}

extension DeviceReader {
  /// The last edit that the engine has taken over.
  func editsTaken() throws -> UInt64 {
    let row = try statement("SELECT edits_taken FROM device WHERE id = ?")
    return try row.step() ? UInt64(clamping: row.int(0)) : 0
  }
}
