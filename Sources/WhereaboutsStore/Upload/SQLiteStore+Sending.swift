import GRDB
package import Whereabouts
package import WhereaboutsCore

/// The queue, for who sends. Each call is one transaction: killed between two of them, one goes on where one was, and
/// what was under way is sent again under the same name.
extension SQLiteStore {
  /// What can be done next.
  package struct UploadWork: Sendable {
    /// The endpoint as it is now.
    package var row: EndpointRow
    /// Fixes that have not been looked at.
    package var unread = 0
    /// Whether something happened at a fence that is not in a request yet.
    package var hasNews = false
    /// The request that is next.
    package var next: UploadBatch?
  }

  /// Every endpoint with the devices that go there.
  package func uploadLanes() throws(StoreTrouble) -> [(EndpointRow, [UploadDevice])] {
    try read { database in
      try EndpointRow.all(database).map { ($0, try $0.devices(database)) }
    }
  }

  /// What there is to do for an endpoint and a device; `nil` where either is gone, or the device is sent there no more.
  package func uploadWork(_ endpoint: Int64, _ device: UploadDevice) throws(StoreTrouble) -> UploadWork? {
    try read { database in
      guard let row = try EndpointRow.numbered(endpoint, database), row.sends(device),
        try device.exists(database)
      else { return nil }
      let cursor = try UploadCursor.read(database, endpoint: row.id, device: device.id)
      var work = UploadWork(row: row)
      if row.endpoint.sendsFixes {
        work.unread = Int(max(0, try UploadReading.lastSeq(database, device: device.id) - cursor.seq))
      }
      if row.endpoint.sendsCrossings {
        work.hasNews = try UploadReading.lastNote(database, device: device.id) > cursor.note
      }
      work.next = try UploadTables.next(database, endpoint: row.id, device: device)
      return work
    }
  }

  /// How many requests wait.
  package func waitingUploads(to row: EndpointRow) throws(StoreTrouble) -> Int {
    try read { try UploadTables.waiting(row.id, $0) }
  }

  /// Makes requests of some of what has come, and moves the cursor.
  ///
  /// - Parameter makeKey: makes a name that nothing else has.
  package func formUploads(
    _ row: EndpointRow, _ device: UploadDevice, at wall: UTCTime, makeKey: @escaping () -> String
  ) throws(StoreTrouble) -> (batches: Int, hasMore: Bool) {
    let forming = UploadForming(endpoint: row, device: device, wall: wall, makeKey: makeKey)
    let plan = try read { database in
      try device.exists(database) ? forming.plan(database) : nil
    }
    guard let plan, !plan.isEmpty else { return (0, plan?.hasMore ?? false) }
    let isWritten = try write { try forming.write(plan, $0) }
    // What has changed meanwhile is read again.
    return isWritten ? (plan.requests.count, plan.hasMore) : (0, true)
  }

  /// The server has taken a request.
  package func uploadSent(
    _ batch: UploadBatch, of endpoint: Int64, at wall: UTCTime
  ) throws(StoreTrouble) {
    try write { try UploadTables.sent(batch, of: endpoint, at: wall, $0) }
  }

  /// It has not, and is to be asked again.
  package func uploadFailed(
    _ batch: UploadBatch, of row: EndpointRow, as failure: UploadFailure, nextTry: UTCTime, reason: String,
    at wall: UTCTime
  ) throws(StoreTrouble) {
    try write {
      try UploadTables.failed(
        batch, of: row.id, as: failure, nextTry: nextTry, reason: reason, at: wall, $0)
    }
  }

  /// It will never take it.
  package func setUploadAside(
    _ batch: UploadBatch, of row: EndpointRow, reason: String, at wall: UTCTime
  ) throws(StoreTrouble) {
    try write { try UploadTables.setAside(batch, of: row.id, reason: reason, at: wall, $0) }
  }

  /// It is too large: two take its place.
  ///
  /// - Returns: `false` where it can't be cut.
  package func cutUpload(
    _ batch: UploadBatch, of row: EndpointRow, _ device: UploadDevice, at wall: UTCTime,
    makeKey: @escaping () -> String
  ) throws(StoreTrouble) -> Bool {
    try write {
      try UploadBatchRow.cut(batch.id, of: row, device: device, at: wall, $0, makeKey: makeKey)
    }
  }

  /// Nothing more is sent until somebody has looked after it.
  package func stopUploads(to row: EndpointRow, reason: String, at wall: UTCTime) throws(StoreTrouble) {
    try write { try UploadTables.stop(row.id, reason: reason, at: wall, $0) }
  }

  /// Asks whoever sends to send everything now.
  package func askForUploads(to row: EndpointRow, at wall: UTCTime) throws(StoreTrouble) {
    try write {
      try $0.execute(
        sql: "UPDATE endpoint SET asked = ? WHERE id = ?", arguments: [wall.nanosecondsSince1970, row.id])
    }
  }
}
