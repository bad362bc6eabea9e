/// Everything that can happen to an engine.
public enum Input: Hashable, Sendable, Codable {
  /// A source said something.
  case signal(SourceSignal)
  /// Somebody asks for a fix.
  case request(RequestID, RequestTerms)
  /// Somebody wants to hear of the fix that a request would now end with, and of each better one. Unknown ids are
  /// harmless.
  case follow(RequestID)
  /// Somebody who asked wants what there is. Unknown ids are harmless.
  case completeNow(RequestID)
  /// Somebody who asked does not want it any more. Unknown ids are harmless.
  case cancel(RequestID)
  /// Somebody wants to be told from now on.
  case subscribe(SubscriptionID, SubscriptionTerms)
  /// Somebody wants to be told no more. Unknown ids are harmless.
  case unsubscribe(SubscriptionID)
  /// Somebody tells a tracker what to do. Answered with ``SubscriptionEvent/trackPhase(_:because:)``; ids of what is no
  /// tracker are harmless.
  case track(SubscriptionID, TrackCommand)
  /// Somebody says which places are to be watched.
  case fences(FenceCommand)
  /// Go on with what another process has left. To be given once, before anything else.
  case restore(Restoration)
  /// What is counted under a name is over; its tracker is, too. Unknown names are harmless.
  case endTrip(TripID)
  /// The host says how it stands with its power, and whether somebody looks. Until it does nothing is known.
  case power(PowerState)
  /// A deadline may have come. A wake is a hint: too early or too often does no harm.
  case wake
}

/// Everything an engine can ask to be done. Their order is meaning.
public enum Effect: Hashable, Sendable, Codable {
  /// From now on ask this of the source; ``Demand/off`` at first. Told when it changes, and again without a change when
  /// a source that had given up is to try once more.
  case demand(Demand)
  /// Ask the person for this.
  case askAuthorization(Authorization.Level)
  /// Send ``Input/wake`` at this instant, and not at any named before; `nil`: at none.
  case wake(at: Instant?)
  /// These requests have ended, all alike and in this order; their ids won't come again. There is at least one.
  ///
  /// Together, since one fix may end very many, and an outcome is large.
  case finish([RequestID], RequestOutcome)
  /// A request that is followed would now end with this.
  case progress(RequestID, Answer)
  /// Tell a subscriber.
  case tell(SubscriptionID, SubscriptionEvent)
  /// A subscription is over: it got what it asked for, or nothing more will come. Its id won't come again.
  case finishSubscription(SubscriptionID)
  /// Something happened at a fence, or a fence is over. What was only decided comes as ``decided(_:)``.
  case fence(FenceNote)
  /// How things stand has changed to this.
  case status(ServiceStatus)
  /// Something was decided that nobody asked about, and why.
  case decided(Decision)
}
