public import WhereaboutsModel

/// An input of an engine.
public enum Input: Hashable, Sendable, Codable {
  /// A signal from the source.
  case signal(SourceSignal)
  /// A new request for a fix.
  case request(RequestID, RequestTerms)
  /// A consumer follows a request: the fix with which it would now end, and each better one. Unknown ids are
  /// harmless.
  case follow(RequestID)
  /// A caller wants a request's best fix now. Unknown ids are harmless.
  case completeNow(RequestID)
  /// A caller cancels a request. Unknown ids are harmless.
  case cancel(RequestID)
  /// A new subscription.
  case subscribe(SubscriptionID, SubscriptionTerms)
  /// A subscription is cancelled. Unknown ids are harmless.
  case unsubscribe(SubscriptionID)
  /// A command to a tracker, answered with `SubscriptionEvent/trackPhase(_:because:)`. Ids that name no tracker are
  /// harmless.
  case track(SubscriptionID, TrackCommand)
  /// A command to the fences.
  case fences(FenceCommand)
  /// The engine resumes another process's state. To be given once: before anything else, or later if the state could not
  /// be loaded before. The fences of then are replaced.
  case restore(Restoration)
  /// A trip ends, and so does its tracker. Unknown names are harmless.
  case endTrip(TripID)
  /// The host reports its power and foreground state, which are unknown before.
  case power(PowerState)
  /// A deadline may have passed. A wake is a hint: too early or too often does no harm.
  case wake
}

/// An effect that the engine asks its host to carry out. The order of effects has meaning.
public enum Effect: Hashable, Sendable, Codable {
  /// The demand on the source from now on; `Demand/off` at first. Sent when it changes, and again unchanged to make
  /// a failed source retry.
  case demand(Demand)
  /// Ask the user for this level.
  case askAuthorization(Authorization.Level)
  /// Send ``Input/wake`` at this instant, and at no instant named before; `nil`: at none.
  case wake(at: Instant?)
  /// These requests have ended, all with this outcome and in this order; their ids are not used again. There is at
  /// least one.
  ///
  /// The requests share one effect, since one fix may end very many, and an outcome is large.
  case finish([RequestID], RequestOutcome)
  /// A followed request would now end with this answer.
  case progress(RequestID, Answer)
  /// Send an event to a subscriber.
  case notify(SubscriptionID, SubscriptionEvent)
  /// A subscription has ended: its terms are met, or no more events are possible. Its id is not used again.
  case finishSubscription(SubscriptionID)
  /// A fence event, or the end of a fence. Mere decisions are sent as ``decided(_:)``.
  case fence(FenceRecord)
  /// The status has changed to this.
  case status(ServiceStatus)
  /// A decision that no request or subscription asked for, with its reason.
  case decided(Decision)
}
