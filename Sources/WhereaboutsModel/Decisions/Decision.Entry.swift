extension Decision {
  /// A decision and the moment it was made.
  public struct Entry: Hashable, Sendable {
    /// The moment of the decision, on both clocks.
    public var moment: Moment
    /// The decision.
    public var decision: Decision

    /// Creates an entry for a decision made at a moment.
    public init(moment: Moment, decision: Decision) {
      self.moment = moment
      self.decision = decision
    }
  }
}
