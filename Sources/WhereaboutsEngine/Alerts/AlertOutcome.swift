package import WhereaboutsModel

/// The decision of an alert about a crossing.
package enum AlertOutcome: Hashable, Sendable {
  /// A notification is sent, not before a time if there is one.
  case notified(notBefore: UTCTime?)
  /// A step of the sequence is reached; the next one must follow until a time, if there is one.
  case reached(step: Int, of: Int, until: UTCTime?)
  /// The crossing of a step was after its limit.
  case late(step: Int, by: Duration)
  /// Another fence of the place, or another device in the place, makes this no change.
  case unchanged(place: String)
  /// The crossing happened outside the hours of the alert.
  case outsideHours
  /// The crossing was too old when it became known.
  case tooOld(age: Duration)
  /// An earlier notification is too recent.
  case coolingDown(until: UTCTime)
  /// The quiet hours last until a time.
  case quiet(until: UTCTime?)

  /// Whether a notification is sent.
  package var isNotified: Bool { if case .notified = self { true } else { false } }
}

/// The result of an alert's evaluation of a crossing.
package struct AlertEvaluation: Hashable, Sendable {
  /// The progress afterwards.
  package var progress: AlertProgress
  /// The decision; `nil` for a crossing that the alert does not wait for.
  package var outcome: AlertOutcome?
  /// The crossings of earlier steps, if the last step was reached.
  package var earlier: [AlertCrossing.Reference] = []
}
