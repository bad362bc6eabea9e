/// What a tracker and its streams hold in common: who lets go last ends the subscription.
final class TrackerHold: Sendable {
  let id = SubscriptionID(ProcessWideNumbers.next())
  let manager: LocationManager

  init(of manager: LocationManager) {
    self.manager = manager
  }

  deinit { manager.inbox.put(.release(id)) }
}

/// One of the ways in which a tracker tells: both ends of it.
struct TrackerChannel: Sendable {
  let sender: UpdateChannel
  let sequence: SingleConsumerSequence<SubscriptionEvent>

  /// The newest update: whoever is behind sees what holds, and the last one always.
  static func updates(_ hold: TrackerHold) -> TrackerChannel {
    TrackerChannel(hold, .newest(1), number: 0) { if case .track = $0 { true } else { false } }
  }

  /// Every point.
  static func points(_ hold: TrackerHold, window: Int?) -> TrackerChannel {
    TrackerChannel(hold, .waiting(upTo: window ?? .max), number: 1) {
      if case .trackPoint = $0 { true } else { false }
    }
  }

  /// What happens seldom, as much of it as anybody could want to look back at.
  static func events(_ hold: TrackerHold) -> TrackerChannel {
    TrackerChannel(hold, .newest(100), number: 2, dropsAnything: true) {
      switch $0 {
      case .trackPhase, .trouble, .authorization: true
      default: false
      }
    }
  }

  private init(
    _ hold: TrackerHold, _ buffering: FixBuffering, number: Int, dropsAnything: Bool = false,
    isWanted: @escaping @Sendable (SubscriptionEvent) -> Bool
  ) {
    let mailbox = Mailbox<SubscriptionEvent>(keeping: buffering.keeping)
    sender = UpdateChannel(buffering, mailbox: mailbox, dropsAnything: dropsAnything, isWanted: isWanted)
    sequence = SingleConsumerSequence(mailbox: mailbox) {
      hold.manager.inbox.put(.leave(hold.id, channel: number))
    }
  }
}
