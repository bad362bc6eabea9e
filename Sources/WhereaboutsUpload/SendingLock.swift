import Whereabouts
import WhereaboutsStore
import WhereaboutsUploadQueue

/// A lock that lets one process send a store's data, so that requests stay in order. The system releases the lock at
/// any end of the process.
final class SendingLock: Sendable {
  private let lock: LockFile

  /// - Returns: `nil` if another process sends or the lock can't be created.
  init?(store path: String) {
    guard let lock = try? LockFile.lock("\(path)-upload", of: path).lock else { return nil }
    self.lock = lock
  }
}
