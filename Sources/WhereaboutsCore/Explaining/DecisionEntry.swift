/// A decision and when it was made.
public struct DecisionEntry: Hashable, Sendable {
  /// When it was made, on both clocks.
  public var moment: Moment
  /// What was decided.
  public var decision: Decision

  /// A decision made at a moment.
  public init(moment: Moment, decision: Decision) {
    self.moment = moment
    self.decision = decision
  }
}
