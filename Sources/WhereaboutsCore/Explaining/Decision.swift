/// A decision worth explaining, with its numbers.
public enum Decision: Hashable, Sendable, Codable {
  /// A fix was not used.
  case refused(Fix, Refusal)
  /// A fix came although fixes may not be had, and was not looked at. Nothing of it is said but when it was made.
  case fixWithheld(madeAt: UTCTime?)
  /// The source's time went back for good; the fix is the first that is used on the new timeline.
  case timelineRestarted(Fix)
  /// The device is somewhere else than was thought: the fix is the first that is used of the new place.
  case jumpBelieved(Fix, BelievedJump)
  /// A fix that was used is not one that a subscriber keeps, or not yet.
  case notKept(SubscriptionID, Fix, because: NotKept)
  /// A heading whose accuracy says that it is no use.
  case headingRefused(Heading)
  /// The device moves otherwise than before.
  case motionChanged(MotionChange)
  /// A request ended, so long after it was made.
  case requestEnded(RequestID, RequestTerms, RequestOutcome, after: Duration)
  /// A subscription ended by itself, so long after it was made.
  case subscriptionEnded(SubscriptionID, SubscriptionTerms, after: Duration)
  /// Something else is asked of the source, because of what happened.
  case demandChanged(from: Demand, to: Demand, because: DemandCause)
  /// A source that had given up is asked to try once more for the same.
  case sourceAskedAgain(SourceTrouble, demand: Demand)
  /// A source that gave no fix for so long is stopped and started, and asked for the same.
  case sourceRestarted(silentFor: Duration, demand: Demand)
  /// What a tracker does has changed, or it was told something, and why.
  case trackPhase(SubscriptionID, TrackPhase, because: TrackPhaseCause)
  /// How good the fixes are that a tracker gets has changed.
  case signalChanged(SubscriptionID, from: SignalStrength, to: SignalStrength)
  /// A fence is not added.
  case fenceRefused(FenceID, FenceProblem)
  /// Something about a fence was decided that is no event.
  case fence(FenceDecision)
  /// The fences need something else of the source, or for another reason.
  case fencePower(FencePower)
  /// What power allows of what is needed has changed, or why.
  case power(PowerDecision)
  /// The person is asked.
  case authorizationAsked(Authorization.Level)
  /// Whether fixes may be had has changed.
  case authorizationChanged(from: Authorization, to: Authorization)
  /// Whether the source delivers has changed.
  case sourceChanged(from: ServiceStatus.Source, to: ServiceStatus.Source)
  /// How the sources are doing that the source is made of has changed, or which of them is used.
  case sourcesChanged([SourceHealth])
  /// Whether headings can be had has changed.
  case headingsChanged(to: ServiceStatus.HeadingAvailability)
  /// The journal can't be written any more; everything else goes on without it.
  case journalStopped(SourceTrouble)
}

/// Somebody who needs something of the source.
public enum Requester: Hashable, Sendable, Codable {
  /// A one-shot request.
  case request(RequestID)
  /// A subscription.
  case subscription(SubscriptionID)
  /// The fences, all together.
  case fences
}

/// What changed a demand: who came and who left at the same moment, and what power allowed. Any of them may be why.
public struct DemandCause: Hashable, Sendable, Codable {
  /// Who came and stayed, if anybody.
  public var came: Requester?
  /// Who left, in the order they did.
  public var left: [Requester]
  /// What power allowed from the same moment on; `nil` where that has not changed.
  public var power: PowerDecision.Reason?

  /// Who came and who left, and what power allowed.
  public init(came: Requester? = nil, left: [Requester] = [], power: PowerDecision.Reason? = nil) {
    self.came = came
    self.left = left
    self.power = power
  }
}
