import GRDB
package import Whereabouts
package import WhereaboutsModel
package import WhereaboutsStore

/// The upload queue, for the uploader. Each call is one transaction. After a kill the uploader resumes, and sends the
/// request in progress again with the same key.
extension SQLiteStore {
  /// The next work for an endpoint and a device.
  package struct UploadWork: Sendable {
    /// The current endpoint.
    package var row: EndpointRow
    /// The number of fixes not read yet.
    package var unreadFixes = 0
    /// Whether fence records exist that are in no request yet.
    package var hasNewEvents = false
    /// The next request.
    package var next: UploadBatch?
  }

  /// Returns every endpoint with its devices.
  package func uploadTargets() throws(StoreError) -> [(EndpointRow, [UploadDevice])] {
    try read { database in
      try EndpointRow.all(database).map { ($0, try $0.devices(database)) }
    }
  }

  /// Returns the work for an endpoint and a device; `nil` if either is removed or the device is excluded.
  package func uploadWork(_ endpoint: Int64, _ device: UploadDevice) throws(StoreError) -> UploadWork? {
    try read { database in
      guard let row = try EndpointRow.withID(endpoint, database), row.includes(device),
        try device.exists(database)
      else { return nil }
      let cursor = try UploadCursor.read(database, endpoint: row.id, device: device.id)
      var work = UploadWork(row: row)
      if row.endpoint.sendsFixes {
        work.unreadFixes = Int(
          max(0, try UploadHistoryReader.lastSeq(database, device: device.id) - cursor.seq))
      }
      if row.endpoint.sendsCrossings {
        work.hasNewEvents =
          try UploadHistoryReader.lastRecordNumber(database, device: device.id) > cursor.lastRecordNumber
      }
      work.next = try UploadTables.next(database, endpoint: row.id, device: device)
      return work
    }
  }

  /// Returns the number of waiting requests.
  package func waitingUploads(to row: EndpointRow) throws(StoreError) -> Int {
    try read { try UploadTables.waitingCount(row.id, $0) }
  }

  /// Builds requests from some of the new data, and moves the cursor.
  ///
  /// - Parameter makeKey: creates a unique key.
  package func buildUploads(
    _ row: EndpointRow, _ device: UploadDevice, at wall: UTCTime, makeKey: @escaping () -> String
  ) throws(StoreError) -> (batches: Int, hasMore: Bool) {
    let forming = UploadBatchBuilder(endpoint: row, device: device, wall: wall, makeKey: makeKey)
    let plan = try read { database in
      try device.exists(database) ? forming.plan(database) : nil
    }
    guard let plan, !plan.isEmpty else { return (0, plan?.hasMore ?? false) }
    let isWritten = try write { try forming.write(plan, $0) }
    // Changed data is read again.
    return isWritten ? (plan.requests.count, plan.hasMore) : (0, true)
  }

  /// Returns whether requests are left to build from the data of an earlier moment.
  ///
  /// - Parameters:
  ///   - entry: the endpoint and the device at that moment.
  ///   - wall: the wall time of that moment. A fix that waits for a better one until a later time is not left.
  package func hasUnbuiltUploads(_ entry: UploadSurvey.Entry, at wall: UTCTime) throws(StoreError) -> Bool {
    try read { database in
      guard let row = try EndpointRow.withID(entry.row.id, database), row.includes(entry.device),
        try entry.device.exists(database)
      else { return false }
      var builder = UploadBatchBuilder(
        endpoint: row, device: entry.device, wall: wall, makeKey: SQLiteStore.newKey)
      builder.end = entry
      let plan = try builder.plan(database)
      return plan.hasMore || !plan.requests.isEmpty
    }
  }

  /// Records that the server has accepted a request.
  package func recordUploadSent(
    _ batch: UploadBatch, of endpoint: Int64, at wall: UTCTime
  ) throws(StoreError) {
    try write { try UploadTables.recordSent(batch, of: endpoint, at: wall, $0) }
  }

  /// Records a failed attempt; the request stays in the queue.
  package func recordUploadFailure(
    _ batch: UploadBatch, of row: EndpointRow, as failure: UploadFailure, nextTry: UTCTime, reason: String,
    at wall: UTCTime
  ) throws(StoreError) {
    try write {
      try UploadTables.recordFailure(
        batch, of: row.id, as: failure, nextTry: nextTry, reason: reason, at: wall, $0)
    }
  }

  /// Moves a request that the server never accepts to the dead letters.
  ///
  /// - Returns: `false`, without an effect, if the endpoint has been changed, resumed or flushed since its row was read.
  package func moveUploadToDeadLetters(
    _ batch: UploadBatch, of row: EndpointRow, reason: String, at wall: UTCTime
  ) throws(StoreError) -> Bool {
    try write { try UploadTables.moveToDeadLetters(batch, of: row, reason: reason, at: wall, $0) }
  }

  /// Splits a request that is too large into two.
  ///
  /// - Returns: `false` if the request can't be split.
  package func splitUpload(
    _ batch: UploadBatch, of row: EndpointRow, _ device: UploadDevice, at wall: UTCTime,
    makeKey: @escaping () -> String
  ) throws(StoreError) -> Bool {
    try write {
      try UploadBatchRow.split(batch.id, of: row, device: device, at: wall, $0, makeKey: makeKey)
    }
  }

  /// Stops uploads to an endpoint until a person resumes them.
  ///
  /// - Returns: `false`, without an effect, if the endpoint has been changed, resumed or flushed since its row was read.
  package func stopUploads(
    to row: EndpointRow, reason: String, at wall: UTCTime
  ) throws(StoreError) -> Bool {
    try write { try UploadTables.stop(row, reason: reason, at: wall, $0) }
  }

  /// Asks the sending process to send everything now.
  package func requestFlush(to row: EndpointRow, at wall: UTCTime) throws(StoreError) {
    try write {
      // The mark only grows, also after the wall clock was set back.
      try $0.execute(
        sql: "UPDATE endpoint SET flush_mark = max(coalesce(flush_mark, 0) + 1, ?) WHERE id = ?",
        arguments: [wall.nanosecondsSince1970, row.id])
    }
  }
}
