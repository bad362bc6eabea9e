#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// That nobody else sends what a store keeps, so that requests stay in order: held while it is there, and gone with the
/// process, however that ends.
final class SendingLock: Sendable {
  private let descriptor: Int32

  /// - Returns: `nil` where another process sends.
  init?(store path: String) {
    let descriptor = open("\(path)-upload", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}
