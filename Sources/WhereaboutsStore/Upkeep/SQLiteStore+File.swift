import Foundation
import GRDB
import Whereabouts

extension SQLiteStore {
  /// Gives some pages that are free back to the disk.
  func vacuum(pages: Int) throws(StoreTrouble) {
    do {
      try writing.look { database in
        // It has to be stepped to its end: each row is a page.
        let statement = try Statement(database, "PRAGMA incremental_vacuum(\(pages))")
        while try statement.step() {}
      }
    } catch {
      throw trouble(error, "shorten")
    }
  }

  /// Moves everything from the log to the file and cuts the log to nothing, so that what was overwritten is in neither.
  func emptyLog() throws(StoreTrouble) {
    do {
      // A reader of another process may be at an old state; it is waited for like a lock.
      let deadline = Date().addingTimeInterval(settings.openingPatience.inSeconds)
      while true {
        let busy = try writing.look { database in
          try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")?[0] as Int64? ?? 0
        }
        if busy == 0 { return }
        guard Date() < deadline else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
      }
    } catch {
      throw trouble(error, "empty the log of")
    }
  }
}
