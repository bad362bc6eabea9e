/// Where a manager keeps what must outlive its process.
///
/// The manager's loop calls ``commit(_:)`` after the engine has decided and *before* anybody is told. What a killed
/// process had committed is there for the next; what it had not, nobody has heard of. Any number of devices, processes
/// that read, and tasks may use one store at once; of each device one process at a time commits.
///
/// - Errors: ``StoreTrouble``. A commit that throws has left nothing; it may be tried again as it is.
public protocol LocationStore: Sendable {
  /// Reserves a device for one manager, until the returned claim is released. A manager claims its device before anything
  /// else: two managers would each count from what they know, and overwrite each other's events.
  ///
  /// A store that does not implement it refuses nobody.
  ///
  /// - Throws: `locked` where another manager, of this process or another, holds the device.
  func claim(_ device: DeviceID) async throws(StoreTrouble) -> any StoreClaim

  /// All that an engine needs to go on with a device; an empty record where nothing is known of it.
  func load(_ device: DeviceID) async throws(StoreTrouble) -> DeviceRecord

  /// Writes as one, and returns when it is as sure as was asked.
  ///
  /// A snapshot takes the place of the one before; a trip or gap that is there already is replaced. A note that is there
  /// already stays; the commit fails where it is another one.
  func commit(_ commit: StoreCommit) async throws(StoreTrouble)

  // MARK: Delivery

  /// What was told of a device's fences after a note, the oldest first, at most so many.
  func notes(of device: DeviceID, after number: UInt64, limit: Int) async throws(StoreTrouble)
    -> [NumberedNote]

  /// The number of the last note that a consumer has dealt with; 0 for one that nobody has heard of.
  func cursor(of consumer: String, device: DeviceID) async throws(StoreTrouble) -> UInt64

  /// A consumer has dealt with everything up to a note. Never goes back.
  func acknowledge(through number: UInt64, by consumer: String, device: DeviceID) async throws(StoreTrouble)
}

/// The right to commit for a device, released when nobody holds it any more.
public protocol StoreClaim: AnyObject, Sendable {}

/// The claim of a store that refuses nobody.
package final class NoClaim: StoreClaim {
  package init() {}
}

extension LocationStore {
  /// Refuses nobody: for a store that one manager at a time can reach anyway.
  public func claim(_ device: DeviceID) async throws(StoreTrouble) -> any StoreClaim { NoClaim() }
}
