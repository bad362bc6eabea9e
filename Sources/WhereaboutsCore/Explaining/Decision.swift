/// A decision worth explaining, with its numbers.
public enum Decision: Hashable, Sendable, Codable {
  /// A fix was not used.
  case refused(Fix, Refusal)
  /// The source's time went back for good; the fix is the first that is used on the new timeline.
  case timelineRestarted(Fix)
  /// A heading whose accuracy says that it is no use.
  case headingRefused(Heading)
  /// A request ended, so long after it was made.
  case requestEnded(RequestID, RequestTerms, RequestOutcome, after: Duration)
  /// A subscription ended by itself.
  case subscriptionEnded(SubscriptionID, SubscriptionTerms, after: Duration)
  /// Something else is asked of the source, because of what happened.
  case demandChanged(from: Demand, to: Demand, because: DemandCause)
  /// A source that had given up is asked to try once more.
  case sourceAskedAgain(SourceTrouble, demand: Demand)
  /// The person is asked.
  case authorizationAsked(Authorization.Level)
  /// Whether fixes may be had has changed.
  case authorizationChanged(from: Authorization, to: Authorization)
  /// Whether the source delivers has changed.
  case sourceChanged(from: ServiceStatus.Source, to: ServiceStatus.Source)
  /// Whether headings can be had has changed.
  case headingsChanged(to: ServiceStatus.HeadingAvailability)
}

/// What changed a demand.
public enum DemandCause: Hashable, Sendable, Codable {
  /// This request was made.
  case requested(RequestID)
  /// This subscription was made.
  case subscribed(SubscriptionID)
  /// So many requests and subscriptions ended.
  case ended(requests: Int, subscriptions: Int)
}
