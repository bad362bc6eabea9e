import WhereaboutsEngine
import WhereaboutsModel

/// An element of a subscription's stream, made from the engine's events.
protocol SubscriptionElement: Sendable, Equatable {
  /// Returns the element of an event; `nil` if streams of this element do not deliver the event.
  static func element(of event: SubscriptionEvent) -> Self?

  /// Returns the element with the number of elements dropped before.
  func counting(dropped: Int) -> Self
}

extension SubscriptionElement {
  func counting(dropped: Int) -> Self { self }
}

extension EventStream where Element: SubscriptionElement {
  /// Subscribes.
  ///
  /// - Parameter manager: the manager, which lives as long as the stream or its iterator is held.
  init(_ terms: SubscriptionTerms, keeping buffering: FixBuffering = .newest(1), of manager: LocationManager)
  {
    let id = SubscriptionID(ProcessWideNumbers.next())
    let (channel, stream) = Self.makeChannel(of: id, keeping: buffering, manager.inbox) { [manager] in
      manager.inbox.enqueue(.unsubscribe(id))
    }
    manager.inbox.enqueue {
      await $0.subscribe(id, terms, [channel])
    } otherwise: {
      await channel.finish()
    }
    self = stream
  }

  /// Returns both ends of a channel of a subscription.
  ///
  /// - Parameters:
  ///   - appliesPolicyToAll: whether the policy covers every element, and not only the frequent ones.
  ///   - changeConsumer: called with each change of the consumer, if the stream stays open for another consumer.
  ///   - release: called when no consumer is left or on ``end()``; finishes the mailbox.
  static func makeChannel(
    of id: SubscriptionID, keeping buffering: FixBuffering, appliesPolicyToAll: Bool = false, _ inbox: Inbox,
    changeConsumer: (@Sendable (ConsumerChange) -> Void)? = nil, release: @escaping @Sendable () -> Void
  ) -> (UpdateChannel, EventStream) {
    let mailbox = Mailbox<Element>(policy: buffering.mailboxPolicy())
    // Report half a window at a time, so that the source is not notified of each element.
    let consumption = buffering.window.map { window in
      ConsumptionReport(batch: window.halfRoundedUp) { count in
        inbox.enqueue { $0.markConsumed(count, of: id) }
      }
    }
    let stream = EventStream(
      mailbox: mailbox, consumption: consumption,
      element: { $0.content.counting(dropped: $0.droppedBefore) }, changeConsumer: changeConsumer,
      release: release)
    return (UpdateChannel(buffering, mailbox, appliesPolicyToAll: appliesPolicyToAll), stream)
  }
}

extension Int {
  /// Half of a window, rounded up: the number of consumed updates that are reported to the source at once.
  fileprivate var halfRoundedUp: Int { self / 2 + self % 2 }
}

// MARK: Elements

extension Fix: SubscriptionElement {
  static func element(of event: SubscriptionEvent) -> Fix? {
    if case .fix(let fix) = event { fix } else { nil }
  }
}

extension AcceptedFix: SubscriptionElement {
  static func element(of event: SubscriptionEvent) -> AcceptedFix? {
    if case .accepted(let fix) = event { fix } else { nil }
  }
}

extension Visit: SubscriptionElement {
  static func element(of event: SubscriptionEvent) -> Visit? {
    if case .visit(let visit) = event { visit } else { nil }
  }
}

extension Motion.Change: SubscriptionElement {
  static func element(of event: SubscriptionEvent) -> Motion.Change? {
    if case .motion(let change) = event { change } else { nil }
  }
}

extension TrackUpdate: SubscriptionElement {
  static func element(of event: SubscriptionEvent) -> TrackUpdate? {
    if case .track(let update) = event { update } else { nil }
  }
}

extension TrackPoint: SubscriptionElement {
  static func element(of event: SubscriptionEvent) -> TrackPoint? {
    if case .trackPoint(let point) = event { point } else { nil }
  }
}
