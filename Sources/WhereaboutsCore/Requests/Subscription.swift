/// Names one subscription for the life of the process.
public struct SubscriptionID: Hashable, Sendable, Codable, Comparable {
  /// The number of the subscription.
  public let number: UInt64
  /// The subscription of that number.
  public init(_ number: UInt64) { self.number = number }
  /// Which was made first.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// What a subscription asks for.
public enum SubscriptionTerms: Hashable, Sendable, Codable {
  /// Fixes as they come.
  case fixes(FixTerms)
  /// A fix whenever the device has moved far; costs the source little.
  case significantChanges(SignificantChangeTerms)
  /// The few fixes that are worth keeping.
  case accepted(AcceptanceTerms)
  /// Arrivals at places where the device stays, and departures from them.
  case visits(VisitTerms)
  /// Where the device points.
  case headings(HeadingTerms)
  /// How the device moves; what is known of it first.
  case motions
  /// How far the device comes. Made prepared: the source is on, and nothing is counted before ``TrackCommand/start``.
  case track(TrackTerms)
}

/// What a subscriber is told.
public enum SubscriptionEvent: Hashable, Sendable, Codable {
  /// A fix.
  case fix(Fix)
  /// A fix that is worth keeping, and why.
  case accepted(AcceptedFix)
  /// The device has arrived somewhere to stay, or left.
  case visit(Visit)
  /// The device moves otherwise than before. The first that is told may be of before.
  case motion(MotionChange)
  /// Where the device points.
  case heading(Heading)
  /// How things stand with a tracker.
  case track(TrackUpdate)
  /// A point of a tracker's way is settled; where ``TrackTerms/tellsPoints`` asks for them.
  case trackPoint(TrackPoint)
  /// What a tracker is doing from now on, and why: the answer to each ``TrackCommand``, and told too where it stops by
  /// itself. ``track(_:)`` follows.
  case trackPhase(TrackPhase, because: TrackPhaseCause)
  /// The compass gives readings that are no use; told once, until one is.
  case headingUnusable
  /// There is no compass. Told once, and the subscription is over.
  case headingsUnavailable(SourceTrouble)
  /// The source does not deliver, for now or until something outside changes; the subscription lives on.
  case trouble(SourceTrouble)
  /// Whether fixes may be had has changed; the subscription lives on.
  case authorization(Authorization)
}
