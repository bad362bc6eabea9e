public import WhereaboutsModel

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
