import Whereabouts
import WhereaboutsStore

/// That nobody else sends what a store keeps, so that requests stay in order: held while it is there, and gone with the
/// process, however that ends.
final class SendingLock: Sendable {
  private let lock: LockFile

  /// - Returns: `nil` where another process sends, or the lock can't be made.
  init?(store path: String) {
    guard let lock = try? LockFile.lock("\(path)-upload").lock else { return nil }
    self.lock = lock
  }
}
