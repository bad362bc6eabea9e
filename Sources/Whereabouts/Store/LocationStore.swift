/// Where a manager keeps what must outlive its process.
///
/// The manager's loop calls ``commit(_:)`` after the engine has decided and *before* anybody is told. What a killed
/// process had committed is there for the next; what it had not, nobody has heard of. Any number of devices, processes
/// that read, and tasks may use one store at once; of each device one process at a time commits.
///
/// - Errors: ``StoreTrouble``. A commit that throws has left nothing; it may be tried again as it is.
public protocol LocationStore: Sendable {
  /// All that an engine needs to go on with a device; an empty record where nothing is known of it.
  func load(_ device: DeviceID) async throws(StoreTrouble) -> DeviceRecord

  /// Writes as one, and returns when it is as sure as was asked.
  ///
  /// A snapshot takes the place of the one before; a note, trip or gap that is there already is replaced.
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
