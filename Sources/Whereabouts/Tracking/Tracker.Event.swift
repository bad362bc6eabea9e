extension Tracker {
  /// An event of a tracker.
  public enum Event: Hashable, Sendable {
    /// A new phase and its cause: after each command, and when the tracker stops by itself.
    case phase(TrackPhase, because: TrackPhase.Cause)
    /// The source does not deliver. A source that has given up also stops the tracker.
    case problem(SourceProblem)
    /// The authorization has changed. A refusal also stops the tracker.
    case authorization(Authorization)
  }
}

extension Tracker.Event: SubscriptionElement {
  static func element(of event: SubscriptionEvent) -> Tracker.Event? {
    switch event {
    case .trackPhase(let phase, let cause): .phase(phase, because: cause)
    case .problem(let problem): .problem(problem)
    case .authorization(let authorization): .authorization(authorization)
    default: nil
    }
  }
}
