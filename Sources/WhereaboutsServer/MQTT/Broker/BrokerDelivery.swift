import Dispatch
import Synchronization

/// A message of the broker, which is acknowledged once it is settled.
///
/// The connection's thread waits in ``wait(while:)``. libmosquitto acknowledges a message after its callback has
/// returned, so a position that is not stored yet is not acknowledged either.
final class BrokerDelivery: Sendable {
  let topic: String
  let payload: [UInt8]
  /// Whether the broker retained the message from before the subscription.
  let isRetained: Bool
  private let outcome = Mutex<Bool?>(nil)
  private let settled = DispatchSemaphore(value: 0)

  init(topic: String, payload: [UInt8], isRetained: Bool) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }

  /// Resumes the connection's thread.
  ///
  /// - Parameter isTaken: whether the broker may forget the message. Otherwise the connection ends, and the broker
  ///   sends the message again later.
  func settle(_ isTaken: Bool) {
    outcome.withLock { $0 = $0 ?? isTaken }
    settled.signal()
  }

  /// Waits on the connection's thread until the message is settled.
  ///
  /// - Parameter isOpen: whether the message may still be settled.
  /// - Returns: whether the message was accepted.
  func wait(while isOpen: () -> Bool) -> Bool {
    while settled.wait(timeout: .now() + .milliseconds(200)) == .timedOut {
      guard isOpen() else { return false }
    }
    return outcome.withLock { $0 } ?? false
  }
}
