/// The identifier of one subscription, unique for the life of the process.
public struct SubscriptionID: Hashable, Sendable, Codable, Comparable {
  /// The number of the subscription.
  public let number: UInt64
  /// Creates the identifier of that number.
  public init(_ number: UInt64) { self.number = number }
  /// Returns whether the left subscription was made first.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The terms of a subscription, by kind.
public enum SubscriptionTerms: Hashable, Sendable, Codable {
  /// All fixes that pass the terms, as they arrive.
  case fixes(FixTerms)
  /// A fix whenever the device has moved far, at little cost to the source.
  case significantChanges(SignificantChangeTerms)
  /// The few fixes that are worth keeping.
  case accepted(AcceptanceTerms)
  /// Arrivals at places where the device stays, and departures from them.
  case visits(VisitTerms)
  /// The direction in which the device points.
  case headings(HeadingTerms)
  /// The motion of the device: the current motion first, then each change.
  case motions
  /// The travelled distance. The tracker is made prepared: the source is on, and counting begins with
  /// ``TrackPhase/Command/start``.
  case track(TrackTerms)
}

/// An event that a subscriber receives.
public enum SubscriptionEvent: Hashable, Sendable, Codable {
  /// A fix.
  case fix(Fix)
  /// A fix that is worth keeping, and the reason.
  case accepted(AcceptedFix)
  /// The device has arrived at a place to stay, or has left one.
  case visit(Visit)
  /// The device's motion has changed. The first event may report an earlier change.
  case motion(Motion.Change)
  /// The direction in which the device points.
  case heading(Heading)
  /// The state of a tracker.
  case track(TrackUpdate)
  /// A settled point of a tracker's track, where ``TrackTerms/reportsPoints`` asks for points.
  case trackPoint(TrackPoint)
  /// The tracker's new phase and its cause: the answer to each ``TrackPhase/Command``, and sent too where the tracker
  /// stops by itself. ``track(_:)`` follows.
  case trackPhase(TrackPhase, because: TrackPhase.Cause)
  /// The compass readings are unusable; reported once, until a reading is usable.
  case headingUnusable
  /// The device has no compass. The event is reported once and ends the subscription.
  case headingsUnavailable(SourceProblem)
  /// The source does not deliver, for now or until something outside changes; the subscription continues.
  case problem(SourceProblem)
  /// The authorization for fixes has changed; the subscription continues.
  case authorization(Authorization)
}
