import GRDB
import Synchronization
import Whereabouts
import WhereaboutsStore

/// A value read from the store's tables, cached, and read again after the store has changed.
final class TableSnapshot<Value: Sendable>: Sendable {
  private let store: SQLiteStore
  private let read: @Sendable (Database) throws -> Value
  private let current: Mutex<Value>
  /// Held during a whole read, so that an older value never replaces a newer one.
  private let lastChange: Mutex<StoreChangeToken>

  init(
    of store: SQLiteStore, read: @escaping @Sendable (Database) throws -> Value
  ) throws(StoreError) {
    self.store = store
    self.read = read
    // Before the read: a change meanwhile is then read again.
    lastChange = Mutex(try store.changeToken())
    current = Mutex(try store.read(read))
  }

  /// The value in memory.
  var value: Value { current.withLock { $0 } }

  /// Reads the value again if anything in the store has changed.
  func refresh() throws(StoreError) {
    try lastChange.withLock { (last) throws(StoreError) in
      let change = try store.changeToken()
      guard change != last else { return }
      let new = try store.read(read)
      current.withLock { $0 = new }
      last = change
    }
  }
}
