import Foundation
import GRDB
import Whereabouts

extension SQLiteStore {
  /// Gives some pages that are free back to the disk.
  func vacuum(pages: Int) throws(StoreTrouble) {
    do {
      try writing.look(erasing: true) { database in
        // It has to be stepped to its end: each row is a page.
        let statement = try Statement(database, "PRAGMA incremental_vacuum(\(pages))")
        while try statement.step() {}
      }
    } catch {
      throw trouble(error, "shorten")
    }
  }

  /// Moves everything from the log to the file and cuts the log to nothing, so that what was overwritten is in neither.
  ///
  /// - Parameter patience: how long to wait for a reader of another process that is at an old state.
  func emptyLog(patience: Duration) throws(StoreTrouble) {
    do {
      let deadline = ContinuousClock.now + patience
      while try !writing.emptyLog() {
        guard ContinuousClock.now < deadline else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
        // Others write meanwhile.
        Thread.sleep(forTimeInterval: 0.02)
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw StoreTrouble(
        .locked,
        message:
          "empty the log of \(path): another program is reading it, so erased bytes are left in the log; they are erased when it ends: by whoever watches, or by `whereabouts forget`"
      )
    } catch {
      throw trouble(error, "empty the log of")
    }
  }
}
