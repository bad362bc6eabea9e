/// Everything that can happen to an engine.
public enum Input: Hashable, Sendable, Codable {
  /// A source said something.
  case signal(SourceSignal)
  /// Somebody asks for a fix.
  case request(RequestID, RequestTerms)
  /// Somebody who asked wants what there is. Unknown ids are harmless.
  case completeNow(RequestID)
  /// Somebody who asked does not want it any more. Unknown ids are harmless.
  case cancel(RequestID)
  /// Somebody wants fixes from now on.
  case subscribe(SubscriptionID, SubscriptionTerms)
  /// Somebody wants no more of them. Unknown ids are harmless.
  case unsubscribe(SubscriptionID)
  /// A deadline may have come. A wake is a hint: too early or too often does no harm.
  case wake
}

/// Everything an engine can ask to be done. Their order is meaning.
public enum Effect: Hashable, Sendable {
  /// From now on ask this of the source. Told when it changes; ``Demand/off`` at first.
  case demand(Demand)
  /// Send ``Input/wake`` at this instant, and not at any named before; `nil`: at none.
  case wake(at: Instant?)
  /// A request has ended; its id won't come again.
  case finish(RequestID, RequestOutcome)
  /// Tell a subscriber.
  case tell(SubscriptionID, SubscriptionEvent)
  /// A subscription is over because its source is; its id won't come again.
  case finishSubscription(SubscriptionID)
  /// Something was decided that nobody asked about, and why.
  case decided(Decision)
}

/// A decision worth explaining, with its numbers.
public enum Decision: Hashable, Sendable {
  /// A fix was not used.
  case refused(Fix, Refusal)
  /// The source's time went back for good; the fix is the first that is used on the new timeline.
  case timelineRestarted(Fix)
}
