import Synchronization
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsStore

/// The alerts of a running server with their latest decisions, to explain why a person was notified or not.
final class AlertStatus: Sendable {
  /// A decision of an alert about a crossing.
  struct Decision: Sendable {
    /// The time of the decision.
    var time: UTCTime
    /// The name of the alert.
    var alert: String
    /// The device.
    var device: DeviceID
    /// The crossing.
    var event: FenceEvent
    /// The position of the crossing's record in the order of the store. The store uses no position twice, and the ids of
    /// crossings begin again with a new device of an erased one's name.
    var position: UInt64
    /// The decision.
    var outcome: AlertOutcome
  }

  /// The number of decisions that are kept.
  static let keptDecisions = 200

  private struct State {
    var decisions: [Decision] = []
    var stops: [String: String] = [:]
    var failures: [String: String] = [:]
    var attempts: [String: StoredNotification] = [:]
    var erasures: UInt64 = 0
    /// The number of the last erasure of each device.
    var lastErasures: [DeviceID: UInt64] = [:]
  }

  /// The alerts and channels; `nil` for none.
  let settings: AlertSettings?
  private let state = Mutex(State())

  init(_ settings: AlertSettings?) { self.settings = settings }

  /// The latest decisions, the newest first.
  var decisions: [Decision] { state.withLock { $0.decisions.reversed() } }

  /// Forgets the decisions about crossings whose records are erased, also those that another process has erased.
  ///
  /// - Returns: the other decisions, the newest first.
  func storedDecisions(in store: SQLiteStore) throws(StoreError) -> [Decision] {
    let known: [Decision] = decisions, positions = Set(known.map(\.position))
    guard !known.isEmpty else { return [] }
    let stored = try store.positionsWithRecords(among: positions)
    let erased = positions.subtracting(stored)
    if !erased.isEmpty {
      state.withLock { state in state.decisions.removeAll { erased.contains($0.position) } }
    }
    return known.filter { stored.contains($0.position) }
  }

  /// The number of erasures of devices.
  var erasures: UInt64 { state.withLock { $0.erasures } }

  /// Appends decisions, without those about devices that were erased meanwhile.
  ///
  /// - Parameter erasures: the number of erasures before the crossings were read.
  func append(_ decisions: [Decision], since erasures: UInt64) {
    state.withLock { state in
      state.decisions += decisions.filter { state.lastErasures[$0.device, default: 0] <= erasures }
      state.decisions.removeFirst(max(0, state.decisions.count - Self.keptDecisions))
    }
  }

  /// Forgets the decisions about an erased device: the events of a new one of its name have the same ids.
  func forget(_ device: DeviceID) {
    state.withLock { state in
      state.erasures += 1
      state.lastErasures[device] = state.erasures
      state.decisions.removeAll { $0.device == device }
    }
  }

  /// Returns why a channel is stopped; `nil` if it works.
  func stop(of channel: String) -> String? { state.withLock { $0.stops[channel] } }

  func stop(_ channel: String, because reason: String) { state.withLock { $0.stops[channel] = reason } }

  /// Returns why the last attempt of a channel failed; `nil` if it did not.
  func failure(of channel: String) -> String? { state.withLock { $0.failures[channel] } }

  /// Sets the notification that a channel is delivering; `nil` for none.
  func setAttempt(of channel: String, _ notification: StoredNotification?) {
    state.withLock { $0.attempts[channel] = notification }
  }

  /// Returns whether a channel is delivering an alert's notification of a crossing, which its receiver may have.
  func isDelivering(
    _ event: FenceEvent.ID, of device: DeviceID, by channel: String, alert: String
  ) -> Bool {
    state.withLock { state in
      guard let attempt = state.attempts[channel], attempt.kind == .crossing else { return false }
      return attempt.event == event && attempt.device == device && attempt.alert == alert
    }
  }

  /// Sets why the last attempt failed.
  ///
  /// - Returns: whether the reason is a new one.
  @discardableResult func setFailure(of channel: String, _ reason: String?) -> Bool {
    state.withLock { state in
      defer { state.failures[channel] = reason }
      return state.failures[channel] != reason
    }
  }
}
