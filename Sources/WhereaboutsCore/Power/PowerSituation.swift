/// All that a power policy looks at.
public struct PowerSituation: Hashable, Sendable {
  /// What the host knows of its power.
  public var state: PowerState
  /// What is needed, and by whom.
  public var needs: LiveNeeds
  /// How fast the device is, in metres per second; `nil` where that is not known.
  public var speed: Double?
  /// How the device moves.
  public var motion: Motion
  /// How long it has stood still; `nil` where it doesn't.
  public var stillFor: Duration?
  /// The fences that rules ask for and that the device is inside of.
  public var inside: Set<FenceID>
  /// The time, for rules about hours; `nil` where nobody knows it.
  public var time: UTCTime?

  /// A situation; by default nothing is known and nobody needs anything.
  public init(
    state: PowerState = .unknown, needs: LiveNeeds = LiveNeeds(), speed: Double? = nil,
    motion: Motion = .unknown, stillFor: Duration? = nil, inside: Set<FenceID> = [], time: UTCTime? = nil
  ) {
    self.state = state
    self.needs = needs
    self.speed = speed
    self.motion = motion
    self.stillFor = stillFor
    self.inside = inside
    self.time = time
  }
}

/// What is needed of the source, by kind of who needs it: power is not saved alike with all of them.
public struct LiveNeeds: Hashable, Sendable {
  /// One-shot requests: somebody waits.
  public var requests: Demand
  /// Subscriptions to fixes, large moves and headings.
  public var subscriptions: Demand
  /// Subscriptions to visits, motions and fixes worth keeping: a distance filter would blind them.
  public var watches: Demand
  /// Trackers.
  public var trackers: Demand
  /// Fences; how much they spare by themselves is in it.
  public var fences: Demand

  /// Needs; by default none.
  public init(
    requests: Demand = .off, subscriptions: Demand = .off, watches: Demand = .off, trackers: Demand = .off,
    fences: Demand = .off
  ) {
    self.requests = requests
    self.subscriptions = subscriptions
    self.watches = watches
    self.trackers = trackers
    self.fences = fences
  }

  /// What satisfies all of them.
  public var merged: Demand {
    requests.merged(with: subscriptions).merged(with: watches).merged(with: trackers).merged(with: fences)
  }
}
