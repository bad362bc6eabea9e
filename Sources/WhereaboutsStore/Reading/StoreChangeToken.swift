import GRDB
package import Whereabouts

/// A token of the store's file that changes with each write.
package struct StoreChangeToken: Equatable, Sendable {
  fileprivate var own: Int
  fileprivate var others: Int64

  /// Returns whether another process, or another open store of this one, has written since a token.
  package func isChangedByOthers(since token: StoreChangeToken) -> Bool { others != token.others }
}

extension SQLiteStore {
  /// Returns a token that changes after any write. The call costs next to nothing.
  package func changeToken() throws(StoreError) -> StoreChangeToken {
    do {
      return try writerConnection.withConnection { database in
        StoreChangeToken(
          own: database.totalChangesCount,
          others: try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0)
      }
    } catch {
      throw storeError(error, "read")
    }
  }
}
