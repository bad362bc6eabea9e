/// A store of the data that must survive a manager's process.
///
/// The manager's loop calls ``commit(_:)`` after the engine has decided and *before* any notification. The next process
/// finds all commits of a killed process, and no consumer was notified of uncommitted changes. Any number of devices,
/// reading processes and tasks may use one store at once. One process at a time commits for a device.
///
/// - Errors: ``StoreError``. A commit that throws leaves no trace and may be retried unchanged.
public protocol LocationStore: Sendable {
  /// Claims a device for one manager, until the returned claim is released. A manager claims its device first: two
  /// managers on one device would overwrite each other's events.
  ///
  /// The default implementation accepts every manager.
  ///
  /// - Throws: `locked` if another manager, in this process or another, holds the device.
  func claim(_ device: DeviceID) async throws(StoreError) -> any StoreClaim

  /// Loads the data that an engine needs to resume a device; an empty record for an unknown device.
  func load(_ device: DeviceID) async throws(StoreError) -> DeviceRecord

  /// Writes a commit atomically, and returns once the commit has the required durability.
  ///
  /// A snapshot replaces the previous one, and a trip or gap replaces the stored one. An equal stored fence record
  /// stays; a different record with the same number fails the commit.
  func commit(_ commit: StoreCommit) async throws(StoreError)

  // MARK: Delivery

  /// Returns a device's fence records after a number, the oldest first, at most `limit` records.
  func fenceRecords(of device: DeviceID, after number: UInt64, limit: Int) async throws(StoreError)
    -> [NumberedFenceRecord]

  /// Returns the number of the last record that a consumer has acknowledged; 0 for an unknown consumer.
  func cursor(of consumer: String, device: DeviceID) async throws(StoreError) -> UInt64

  /// Records that a consumer has processed all records up to a number. The cursor never moves back.
  func acknowledge(through number: UInt64, by consumer: String, device: DeviceID) async throws(StoreError)
}

/// The right to commit for a device, released with the last reference.
public protocol StoreClaim: AnyObject, Sendable {}

/// The claim of a store that accepts every manager.
package final class NoClaim: StoreClaim {
  package init() {}
}

extension LocationStore {
  /// Accepts every manager, for a store that only one manager can reach.
  public func claim(_ device: DeviceID) async throws(StoreError) -> any StoreClaim { NoClaim() }
}
