/// An advisory lock on an open file, folder or device. The system releases the lock when the descriptor is closed, at
/// any end of the process. The lock binds only processes that ask for it.
package enum ExclusiveLock {
  /// The result of an attempt to lock.
  package enum Result: Hashable, Sendable {
    case acquired
    /// Another process holds the lock.
    case held
    /// The system has refused the lock; the value of `errno`.
    case failed(Int32)
  }

  /// Locks a descriptor without waiting.
  package static func acquire(_ descriptor: Int32) -> Result {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: return .held
      case let code: return .failed(code)
      }
    }
    return .acquired
  }
}
