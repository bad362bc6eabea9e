extension SourceLink {
  /// The status of an engine after an input.
  public struct Status: Hashable, Sendable {
    /// The demand on the source.
    public var demand: Demand
    /// The instant of the next deadline, if any.
    public var nextWake: Instant?

    /// Creates a status.
    public init(demand: Demand, nextWake: Instant? = nil) {
      self.demand = demand
      self.nextWake = nextWake
    }

    /// The status of an engine that has ended: no demand any more.
    public static let ended = Status(demand: .off, nextWake: nil)
  }
}
