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
  case track(SubscriptionID, TrackPhase.Command)
  /// A command to the fences.
  case fences(FenceCommand)
  /// The engine resumes another process's state. To be given once: before anything else, or later if the state could not
  /// be loaded before. The fences of then are replaced.
  indirect case restore(Restoration)  // Any other input would have its size.
  /// A trip ends, and so does its tracker. Unknown names are harmless.
  case endTrip(TripID)
  /// The host reports its power and foreground state, which are unknown before.
  case power(PowerState)
  /// A deadline may have passed. A wake is a hint: too early or too often does no harm.
  case wake
}
