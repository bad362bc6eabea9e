#if CORE_LOCATION
  import CoreLocation
  import Dispatch
  import Foundation

  /// Time in the background: from a wake until the engine has stored its fix.
  ///
  /// Only iOS suspends a program that it has woken; elsewhere there is nothing to hold.
  final class BackgroundActivity: Sendable {
    private let isOver = DispatchSemaphore(value: 0)

    init() {
      #if APPLE_IOS
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Location") { [isOver] isExpired in
          // The system calls again from another thread when the time is up.
          if isExpired { isOver.signal() } else { isOver.wait() }
        }
      #endif
    }

    // A dropped activity ends, as that of a source that never ran.
    deinit { end() }

    func end() { isOver.signal() }
  }
#endif
