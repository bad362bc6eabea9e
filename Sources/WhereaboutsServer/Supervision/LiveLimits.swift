import HummingbirdCore
import Synchronization

/// The limits that apply now: a reload of the configuration changes them.
final class LiveLimits: Sendable {
  private let limits: Mutex<ServerLimits>

  init(_ limits: ServerLimits) { self.limits = Mutex(limits) }

  var current: ServerLimits { limits.withLock { $0 } }

  /// Sets new limits. The limits that a running server can't change stay as they are.
  func set(live new: ServerLimits) {
    limits.withLock { limits in
      let old = limits
      limits = new
      limits.idleTimeout = old.idleTimeout
      limits.keepAlive = old.keepAlive
    }
  }
}

/// The bound on the connections of a listener.
struct ConnectionBound: AvailableConnectionsDelegate {
  let limits: LiveLimits
  /// The greatest number for which the process may have open files.
  let share: Int
  private var count = 0

  init(_ limits: LiveLimits, share: Int) {
    self.limits = limits
    self.share = share
  }

  mutating func connectionOpened() { count += 1 }

  mutating func connectionClosed() { count -= 1 }

  func isAcceptingNewConnections() -> Bool { count < min(limits.current.connections, share) }
}
