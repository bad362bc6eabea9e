import GRDB
package import Whereabouts
import WhereaboutsCore

/// What there is to do for every endpoint and device, as of one moment.
package struct UploadSurvey: Sendable {
  /// An endpoint and a device that is sent there.
  package struct Entry: Sendable {
    package var row: EndpointRow
    package var device: UploadDevice
    /// The last fix and the last note of the device.
    package var lastFix: Int64
    package var lastNote: Int64
    /// How far the endpoint has gone through them.
    package var readFix: Int64
    package var readNote: Int64
    /// Whether a request waits.
    package var hasWaiting: Bool
  }

  package var entries: [Entry] = []
  /// Whether there is an endpoint, also where there is no device yet.
  package var hasEndpoints = false
}

/// What a store's file was like, to be compared with a later one.
package struct StoreChangeMark: Equatable, Sendable {
  fileprivate var own: Int
  fileprivate var others: Int64
}

extension SQLiteStore {
  /// A mark that is another one after anybody has written anything. Costs next to nothing.
  package func changeMark() throws(StoreTrouble) -> StoreChangeMark {
    do {
      return try writing.look { database in
        StoreChangeMark(
          own: database.totalChangesCount,
          others: try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0)
      }
    } catch {
      throw trouble(error, "read")
    }
  }

  /// What there is to do, for everyone in one go.
  ///
  /// - Parameter known: of an earlier survey, by endpoint.
  package func uploadSurvey(known: [Int64: EndpointRow]) throws(StoreTrouble) -> UploadSurvey {
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
        let lastFix = try UploadReading.lastSeq(database, device: device.id)
        let lastNote = try UploadReading.lastNote(database, device: device.id)
        for row in rows where row.sends(device) {
          waiting.bind(row.id, 1)
          waiting.bind(device.id, 2)
          let hasWaiting = try waiting.step()
          waiting.reset()
          let read = cursors[CursorKey(endpoint: row.id, device: device.id)] ?? (fix: 0, note: 0)
          survey.entries.append(
            UploadSurvey.Entry(
              row: row, device: device, lastFix: lastFix, lastNote: lastNote, readFix: read.fix,
              readNote: read.note, hasWaiting: hasWaiting))
        }
      }
      return survey
    }
  }

  private static func cursors(_ database: Database) throws -> [CursorKey: (fix: Int64, note: Int64)] {
    var cursors: [CursorKey: (fix: Int64, note: Int64)] = [:]
    for row in try Row.fetchAll(database, sql: "SELECT endpoint, device, seq, note FROM upload_cursor") {
      let (fix, note): (Int64, Int64) = (row[2], row[3])
      cursors[CursorKey(endpoint: row[0], device: row[1])] = (fix: fix, note: note)
    }
    return cursors
  }
}

private struct CursorKey: Hashable {
  var endpoint: Int64
  var device: Int64
}
