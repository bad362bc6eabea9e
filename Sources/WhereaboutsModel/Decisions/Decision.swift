/// A decision worth explaining, with its numbers.
public enum Decision: Hashable, Sendable, Codable {
  /// A fix was not used.
  case refused(Fix, Refusal)
  /// A fix arrived without authorization and was ignored. The log records only the time when the fix was made.
  case fixWithheld(madeAt: UTCTime?)
  /// The source's time went back for good, or a receiver corrected a date that was behind; the fix is the first that is
  /// used on the new timeline.
  case timelineRestarted(Fix)
  /// The device's place has jumped and the jump is accepted: the fix is the first used at the new place.
  case jumpBelieved(Fix, Outlier.BelievedJump)
  /// A fix that was used does not meet a subscriber's acceptance terms, or not yet.
  case notAccepted(SubscriptionID, Fix, because: NonAcceptance)
  /// A heading is refused because its accuracy marks it as unusable.
  case headingRefused(Heading)
  /// The device's motion has changed.
  case motionChanged(Motion.Change)
  /// A request ended after this time since it was made.
  indirect case requestEnded(RequestID, RequestTerms, RequestOutcome, after: Duration)
  /// A subscription ended by itself after this time since it was made.
  case subscriptionEnded(SubscriptionID, SubscriptionTerms, after: Duration)
  /// The demand on the source has changed, with the cause.
  case demandChanged(from: Demand, to: Demand, because: DemandCause)
  /// A source that had given up is asked to retry for the same demand.
  case sourceAskedAgain(SourceProblem, demand: Demand)
  /// A source that was silent for this time is stopped and restarted with the same demand.
  case sourceRestarted(silentFor: Duration, demand: Demand)
  /// A tracker's phase has changed or a command arrived, with the cause.
  case trackPhase(SubscriptionID, TrackPhase, because: TrackPhase.Cause)
  /// The signal strength of a tracker's fixes has changed.
  case signalChanged(SubscriptionID, from: SignalStrength, to: SignalStrength)
  /// A fence is refused.
  case fenceRefused(FenceID, Fence.Problem)
  /// A decision about a fence that is no event.
  case fence(FenceDecision)
  /// The fences' demand on the source, or its reason, has changed.
  case fencePower(FencePower)
  /// The regions that wake the program have changed. Where fences are crowded, more are near than can be watched.
  case wakeRegionsChanged(count: Int, isCrowded: Bool)
  /// The power decision or its reason has changed.
  case power(PowerDecision)
  /// The user is asked for authorization.
  case authorizationAsked(Authorization.Level)
  /// The authorization for fixes has changed.
  case authorizationChanged(from: Authorization, to: Authorization)
  /// The state of the source's delivery has changed.
  case sourceChanged(from: ServiceStatus.Source, to: ServiceStatus.Source)
  /// The health of the failover's sources has changed, or a different one is used.
  case sourcesChanged([SourceHealth])
  /// The availability of headings has changed.
  case headingsChanged(to: ServiceStatus.HeadingAvailability)
  /// The journal can't be written any more; everything else continues without it.
  case journalStopped(SourceProblem)
}

extension Decision {
  /// A party that needs something from the source.
  public enum Requester: Hashable, Sendable, Codable {
    /// A one-shot request.
    case request(RequestID)
    /// A subscription.
    case subscription(SubscriptionID)
    /// The fences, all together.
    case fences
  }

  /// The cause of a changed demand: the requesters added and removed at one moment, and the power limit then. Any of
  /// them may be the cause.
  public struct DemandCause: Hashable, Sendable, Codable {
    /// The requester that was added and remained, if any.
    public var came: Requester?
    /// The requesters that were removed, in order.
    public var left: [Requester]
    /// The reason of the power decision from the same moment on; `nil` where the decision has not changed.
    public var power: PowerDecision.Reason?

    /// Creates a cause from the requesters added and removed and the power decision's reason.
    public init(came: Requester? = nil, left: [Requester] = [], power: PowerDecision.Reason? = nil) {
      self.came = came
      self.left = left
      self.power = power
    }
  }

  /// The reason why a fix is not accepted, or not yet.
  public enum NonAcceptance: Hashable, Sendable, Codable {
    /// The last accepted fix is accurate and only this old.
    case recentEnough(age: Duration)
    /// The distance from the last accepted fix is below the needed one, both in metres.
    case tooNear(distance: Double, needed: Double)
    /// The fix may be of the same place as the last accepted one: its distance is below the filter with both accuracies, in
    /// metres.
    case possibleDuplicate(distance: Double, needed: Double)
    /// The fix is not accurate and is held; the number counts the held fixes.
    case held(Int)
  }
}
