/// A file that one process at a time may hold. The system lets go of it however the process ends.
final class StoreLock {
  private let descriptor: Int32

  /// Takes hold of it.
  ///
  /// - Parameter patience: how many hundredths of a second to wait for another to let go.
  /// - Returns: `nil` where another still holds it.
  init?(path: String, patience: Int = 0) throws(System.Failure) {
    descriptor = try System.openPrivate(path)
    var left = patience
    do {
      while try !System.lock(descriptor) {
        guard left > 0 else {
          System.close(descriptor)
          return nil
        }
        left -= 1
        System.waitABit()
      }
    } catch {
      System.close(descriptor)
      throw error
    }
  }

  deinit { System.close(descriptor) }

  /// Who holds the lock at a path, as they wrote down; `nil` where that can't be told.
  static func holder(atPath path: String) -> String? {
    guard let bytes = try? System.contents(ofPath: path), !bytes.isEmpty else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return Int32(text).map { "process \($0)" }
  }

  /// Writes down who holds it.
  func sign() throws(System.Failure) {
    try System.cut(descriptor, to: 0)
    try System.write(descriptor, Array("\(System.processIdentifier)".utf8))
  }
}
