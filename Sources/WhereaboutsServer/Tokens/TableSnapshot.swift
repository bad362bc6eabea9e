import GRDB
import Synchronization
import Whereabouts
import WhereaboutsStore

/// A value read from the store's tables, cached, and read again after the store has changed.
final class TableSnapshot<Value: Sendable>: Sendable {
  private let store: SQLiteStore
  private let read: @Sendable (Database) throws -> Value
  private let isSame: @Sendable (Value, Value) -> Bool
  private let current: Mutex<(value: Value, changes: UInt64)>
  /// Held during a whole read, so that an older value never replaces a newer one.
  private let lastChange: Mutex<StoreChangeToken>

  /// - Parameter isSame: whether a value read again is the one before.
  init(
    of store: SQLiteStore, isSame: @escaping @Sendable (Value, Value) -> Bool = { _, _ in false },
    read: @escaping @Sendable (Database) throws -> Value
  ) throws(StoreError) {
    self.store = store
    self.read = read
    self.isSame = isSame
    // Before the read: a change meanwhile is then read again.
    lastChange = Mutex(try store.changeToken())
    current = Mutex((try store.read(read), 0))
  }

  /// The value in memory.
  var value: Value { current.withLock { $0.value } }

  /// The number of changes of the value. A value that has changed and changed back is equal, and its number is not.
  var changes: UInt64 { current.withLock { $0.changes } }

  /// Reads the value again if anything in the store has changed.
  func refresh() throws(StoreError) {
    try lastChange.withLock { (last) throws(StoreError) in
      let change = try store.changeToken()
      guard change != last else { return }
      adopt(try store.read(read))
      last = change
    }
  }

  /// Reads this value and another one again if anything in the store has changed, both from one state of the store. A
  /// reader that has this new value finds the other one no older.
  func refresh<Other>(with other: TableSnapshot<Other>) throws(StoreError) {
    try lastChange.withLock { (last) throws(StoreError) in
      try other.lastChange.withLock { (otherLast) throws(StoreError) in
        let change = try store.changeToken()
        guard change != last || change != otherLast else { return }
        let (new, newOther) = try store.read { (try read($0), try other.read($0)) }
        other.adopt(newOther)
        adopt(new)
        last = change
        otherLast = change
      }
    }
  }

  /// Replaces the value until the next refresh, which reads the value again.
  ///
  /// - Parameter read: reads the value, and receives the one in memory.
  func replace(_ read: (Database, Value) throws -> Value) throws(StoreError) {
    try lastChange.withLock { (_) throws(StoreError) in
      let old = value
      adopt(try store.read { try read($0, old) })
    }
  }

  private func adopt(_ new: Value) {
    current.withLock { current in
      if !isSame(current.value, new) { current = (new, current.changes + 1) }
    }
  }
}
