import GRDB
package import Whereabouts
import WhereaboutsModel
package import WhereaboutsStore

/// The pending work of every endpoint and device, as of one moment.
package struct UploadSurvey: Sendable {
  /// An endpoint with a device that is sent to it.
  package struct Entry: Sendable {
    package var row: EndpointRow
    package var device: UploadDevice
    /// The numbers of the device's last fix and last fence record.
    package var lastFix: Int64
    package var lastRecord: Int64
    /// The endpoint's position in the fixes and fence records.
    package var readFix: Int64
    package var readRecord: Int64
    /// Whether a request waits.
    package var hasWaiting: Bool
  }

  package var entries: [Entry] = []
  /// Whether an endpoint exists, even without a device.
  package var hasEndpoints = false
}

extension SQLiteStore {
  /// Returns the pending work of all endpoints and devices.
  ///
  /// - Parameter known: the rows of an earlier survey, by endpoint.
  package func uploadSurvey(known: [Int64: EndpointRow]) throws(StoreError) -> UploadSurvey {
    try read { database in
      var survey = UploadSurvey()
      let rows = try EndpointRow.all(database, known: known)
      survey.hasEndpoints = !rows.isEmpty
      guard survey.hasEndpoints else { return survey }
      let cursors = try Self.cursors(database)
      let waiting = try Statement(
        database,
        """
        SELECT 1 FROM upload_batch WHERE endpoint = ? AND device = ? AND state = 'waiting' LIMIT 1
        """)
      for device in try UploadDevice.all(database) {
        let lastFix = try UploadHistoryReader.lastSeq(database, device: device.id)
        let lastNote = try UploadHistoryReader.lastRecordNumber(database, device: device.id)
        for row in rows where row.includes(device) {
          waiting.bind(row.id, 1)
          waiting.bind(device.id, 2)
          let hasWaiting = try waiting.step()
          waiting.reset()
          let read = cursors[CursorKey(endpoint: row.id, device: device.id)] ?? (fix: 0, record: 0)
          survey.entries.append(
            UploadSurvey.Entry(
              row: row, device: device, lastFix: lastFix, lastRecord: lastNote, readFix: read.fix,
              readRecord: read.record, hasWaiting: hasWaiting))
        }
      }
      return survey
    }
  }

  private static func cursors(_ database: Database) throws -> [CursorKey: (fix: Int64, record: Int64)] {
    var cursors: [CursorKey: (fix: Int64, record: Int64)] = [:]
    for row in try Row.fetchAll(database, sql: "SELECT endpoint, device, seq, record FROM upload_cursor") {
      let (fix, record): (Int64, Int64) = (row[2], row[3])
      cursors[CursorKey(endpoint: row[0], device: row[1])] = (fix: fix, record: record)
    }
    return cursors
  }
}

private struct CursorKey: Hashable {
  var endpoint: Int64
  var device: Int64
}
