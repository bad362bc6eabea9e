/// An update for a subscriber to fixes.
public enum LocationUpdate: Hashable, Sendable {
  /// A fix, and the number of fixes dropped since the previous one because the subscriber was slow.
  case fix(Fix, droppedBefore: Int)
  /// The source does not deliver. The subscription continues, unless the source has ended.
  case problem(SourceProblem)
  /// The authorization has changed; the subscription continues.
  case authorization(Authorization)
}

extension LocationUpdate: SubscriptionElement {
  static func element(of event: SubscriptionEvent) -> LocationUpdate? {
    switch event {
    case .fix(let fix): .fix(fix, droppedBefore: 0)
    case .problem(let problem): .problem(problem)
    case .authorization(let authorization): .authorization(authorization)
    case .accepted, .visit, .motion, .heading, .headingUnusable, .headingsUnavailable, .track, .trackPoint,
      .trackPhase:
      nil
    }
  }

  func counting(dropped: Int) -> LocationUpdate {
    if case .fix(let fix, _) = self { .fix(fix, droppedBefore: dropped) } else { self }
  }
}
