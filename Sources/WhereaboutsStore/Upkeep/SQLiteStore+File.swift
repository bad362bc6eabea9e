import Foundation
import GRDB
import Whereabouts

extension SQLiteStore {
  /// Returns free pages to the disk.
  func vacuum(pages: Int) throws(StoreError) {
    do {
      try writerConnection.withConnection(erasing: true) { database in
        // The statement must run to its end: each row is a page.
        let statement = try Statement(database, "PRAGMA incremental_vacuum(\(pages))")
        while try statement.step() {}
      }
    } catch {
      throw storeError(error, "shorten")
    }
  }

  /// Moves the log into the file and truncates the log, so that overwritten data is in neither.
  ///
  /// - Parameter patience: the longest wait for another process that reads an old state.
  func emptyLog(patience: Duration) throws(StoreError) {
    do {
      let deadline = ContinuousClock.now + patience
      while try !writerConnection.emptyLog() {
        guard ContinuousClock.now < deadline else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
        // Other writers run meanwhile.
        Thread.sleep(forTimeInterval: 0.02)
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw StoreError(
        .locked,
        message: """
          empty the log of \(path): another program is reading the file, and the log still holds the erased data. \
          End that program; the next command that writes completes the erasure
          """)
    } catch {
      throw storeError(error, "empty the log of")
    }
  }
}
