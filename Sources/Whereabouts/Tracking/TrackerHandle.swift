import WhereaboutsModel

/// The handle shared by a tracker and its streams. Releasing the last reference ends the subscription.
final class TrackerHandle: Sendable {
  let id = SubscriptionID(ProcessWideNumbers.next())
  let manager: LocationManager

  init(of manager: LocationManager) {
    self.manager = manager
  }

  deinit { manager.inbox.enqueue { [id] in await $0.releaseTracker(id) } }

  /// Returns both ends of one of the tracker's output channels.
  ///
  /// - Parameter number: the channel's place in the list of channels.
  func channel<Element: SubscriptionElement>(
    _ number: Int, keeping buffering: FixBuffering, appliesPolicyToAll: Bool = false
  ) -> (UpdateChannel, EventStream<Element>) {
    EventStream<Element>.makeChannel(
      of: id, keeping: buffering, appliesPolicyToAll: appliesPolicyToAll, manager.inbox,
      changeConsumer: { [id, manager] change in
        manager.inbox.enqueue { $0.processConsumerChange(change, ofChannel: number, of: id) }
      }
    ) {
      self.manager.inbox.enqueue { [id = self.id] in await $0.closeChannel(number, of: id) }
    }
  }
}
