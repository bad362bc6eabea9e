/// The handle shared by a tracker and its streams. Releasing the last reference ends the subscription.
final class TrackerHandle: Sendable {
  let id = SubscriptionID(ProcessWideNumbers.next())
  let manager: LocationManager

  init(of manager: LocationManager) {
    self.manager = manager
  }

  deinit { manager.inbox.enqueue(.releaseTracker(id)) }
}

/// Both ends of one of a tracker's output channels.
struct TrackerChannel: Sendable {
  let sender: UpdateChannel
  let sequence: SingleConsumerSequence<SubscriptionEvent>

  /// Returns the channel of updates, which keeps the newest only. The last update is always delivered.
  static func updates(_ hold: TrackerHandle) -> TrackerChannel {
    TrackerChannel(hold, .newest(1), number: 0) { if case .track = $0 { true } else { false } }
  }

  /// Returns the channel of points, which keeps every point.
  static func points(_ hold: TrackerHandle, window: Int?) -> TrackerChannel {
    TrackerChannel(hold, .waiting(upTo: window ?? .max), number: 1) {
      if case .trackPoint = $0 { true } else { false }
    }
  }

  /// Returns the channel of events, which keeps the newest hundred.
  static func events(_ hold: TrackerHandle) -> TrackerChannel {
    TrackerChannel(hold, .newest(100), number: 2, appliesPolicyToAll: true) {
      switch $0 {
      case .trackPhase, .trouble, .authorization: true
      default: false
      }
    }
  }

  private init(
    _ hold: TrackerHandle, _ buffering: FixBuffering, number: Int, appliesPolicyToAll: Bool = false,
    isWanted: @escaping @Sendable (SubscriptionEvent) -> Bool
  ) {
    let mailbox = Mailbox<SubscriptionEvent>(policy: buffering.mailboxPolicy)
    sender = UpdateChannel(
      buffering, mailbox: mailbox, appliesPolicyToAll: appliesPolicyToAll, isWanted: isWanted)
    sequence = SingleConsumerSequence(mailbox: mailbox) {
      hold.manager.inbox.enqueue(.closeChannel(hold.id, channel: number))
    }
  }
}
