/// An update for a subscriber to headings.
public enum HeadingUpdate: Hashable, Sendable {
  /// A heading, and the number of headings dropped since the previous one because the subscriber was slow.
  case heading(Heading, droppedBefore: Int)
  /// The compass delivers unusable readings, as beside iron. Sent once, until a reading is usable again.
  case unusable
  /// The device has no compass. Sent once, before the end.
  case unavailable(SourceProblem)
  /// The source does not deliver. The subscription continues, unless the source has ended.
  case problem(SourceProblem)
  /// The authorization has changed; the subscription continues.
  case authorization(Authorization)
}

extension HeadingUpdate: SubscriptionElement {
  static func element(of event: SubscriptionEvent) -> HeadingUpdate? {
    switch event {
    case .heading(let heading): .heading(heading, droppedBefore: 0)
    case .headingUnusable: .unusable
    case .headingsUnavailable(let problem): .unavailable(problem)
    case .problem(let problem): .problem(problem)
    case .authorization(let authorization): .authorization(authorization)
    case .fix, .accepted, .visit, .motion, .track, .trackPoint, .trackPhase: nil
    }
  }

  func counting(dropped: Int) -> HeadingUpdate {
    if case .heading(let heading, _) = self { .heading(heading, droppedBefore: dropped) } else { self }
  }
}
