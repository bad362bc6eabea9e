import Foundation
package import WhereaboutsStore

extension LockFile {
  /// Locks a store for a server, for as long as the lock is held. Two servers would give each phone's fixes to either of
  /// them, and only one of them can store the fixes of a device.
  ///
  /// - Throws: ``CommandError``: another server uses the store; or an error of the file system.
  package static func forServer(of store: SQLiteStore) throws -> LockFile {
    let holder = "process \(ProcessInfo.processInfo.processIdentifier)"
    let (lock, other) = try lock(store.path + "-server", of: store.path, holder: holder)
    guard let lock else {
      throw CommandError(
        """
        another server uses this store: \(other ?? "another process"). End that server, or pass --store FILE for \
        another store.
        """, code: .inUse)
    }
    return lock
  }

  /// Returns the server that uses a store, as it calls itself in its locks; `nil` without one.
  static func server(of store: SQLiteStore) -> String? {
    let path = store.path + "-server"
    // An attempt to lock would create the file.
    guard System.status(atPath: path) != nil else { return nil }
    return (try? lock(path, of: store.path))?.other
  }
}
