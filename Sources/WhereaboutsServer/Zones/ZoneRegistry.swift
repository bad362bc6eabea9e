import GRDB
public import Whereabouts
public import WhereaboutsStore

/// The privacy zones of a store.
///
/// ``zones`` reads memory only. ``refresh()`` reads changes by other processes; call it about once a second, as
/// ``RegistryRefresher`` does.
public final class ZoneRegistry: Sendable {
  private let store: SQLiteStore
  let snapshot: TableSnapshot<[PrivacyZone]>

  /// Creates the registry of a store, and reads its zones.
  ///
  /// - Parameter store: a store; one opened for reading allows no changes.
  /// - Throws: ``Whereabouts/StoreError`` if the store can't be read, or if a zone is unreadable.
  public init(_ store: SQLiteStore) throws(StoreError) {
    self.store = store
    snapshot = try TableSnapshot(of: store, isSame: ==) { try ZoneRow.all($0) }
  }

  /// Every zone, in the order of names.
  public var zones: [PrivacyZone] { snapshot.value }

  /// The number of changes of the zones in memory.
  var changes: UInt64 { snapshot.changes }

  /// Reads the zones again if another process has changed the store. Does next to nothing otherwise.
  ///
  /// - Throws: ``Whereabouts/StoreError`` if the store can't be read. The zones in memory stay.
  public func refresh() throws(StoreError) { try snapshot.refresh() }

  /// Adds a zone. The zone applies to all answers from now on, also to those about the past.
  ///
  /// - Parameter zone: the zone.
  /// - Throws: ``Whereabouts/StoreError``: `failed` if its name exists.
  public func add(_ zone: PrivacyZone) throws(StoreError) {
    try store.write { database in
      guard try !ZoneRow.exists(zone.name, database) else {
        throw StoreError(.failed, message: "add \(zone.name): there is a privacy zone of that name already")
      }
      try ZoneRow.insert(zone, into: database)
    }
    try refresh()
  }

  /// Removes a zone, and erases its place from the file.
  ///
  /// - Parameter name: the name of the zone.
  /// - Throws: ``Whereabouts/StoreError``: `missing` if the name is unknown.
  public func remove(_ name: String) throws(StoreError) {
    try Self.remove(name, from: store)
    try refresh()
  }

  /// Removes a zone as ``remove(_:)`` does, without reading the zones: an unreadable one can be removed.
  package static func remove(_ name: String, from store: SQLiteStore) throws(StoreError) {
    let count = try store.eraseRows("DELETE FROM privacy_zone WHERE name = ?", arguments: [name])
    guard count > 0 else {
      throw StoreError(
        .missing,
        message:
          "remove \(name): no privacy zone has this name. Run `whereabouts zone list` to list the zones.")
    }
  }
}
