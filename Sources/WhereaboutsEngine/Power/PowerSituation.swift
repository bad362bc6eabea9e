public import WhereaboutsModel

/// The input of a power policy's decision.
public struct PowerSituation: Hashable, Sendable {
  /// The host's power state.
  public var state: PowerState
  /// The needs, by consumer class.
  public var needs: DemandByConsumerClass
  /// The device's speed, in metres per second; `nil` where it is unknown.
  public var speed: Double?
  /// The device's motion.
  public var motion: Motion
  /// The time for which the device has stood still; `nil` where it moves.
  public var stillFor: Duration?
  /// The fences named in rules that the device is inside of.
  public var inside: Set<FenceID>
  /// The time, for rules about hours; `nil` where it is unknown.
  public var time: UTCTime?

  /// Creates a situation; by default the state is unknown and there are no needs.
  public init(
    state: PowerState = .unknown, needs: DemandByConsumerClass = DemandByConsumerClass(),
    speed: Double? = nil,
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

/// The demand of each consumer class; the power policy treats the classes differently.
public struct DemandByConsumerClass: Hashable, Sendable {
  /// One-shot requests, whose callers wait.
  public var requests: Demand
  /// Subscriptions to fixes, significant changes and headings.
  public var subscriptions: Demand
  /// Subscriptions to visits, motions and accepted fixes: a distance filter would hide movement from them.
  public var unfilteredSubscriptions: Demand
  /// Trackers.
  public var trackers: Demand
  /// Fences; their own reductions are included.
  public var fences: Demand

  /// Creates demands; by default none.
  public init(
    requests: Demand = .off, subscriptions: Demand = .off, unfilteredSubscriptions: Demand = .off,
    trackers: Demand = .off,
    fences: Demand = .off
  ) {
    self.requests = requests
    self.subscriptions = subscriptions
    self.unfilteredSubscriptions = unfilteredSubscriptions
    self.trackers = trackers
    self.fences = fences
  }

  /// The demand that satisfies all of them.
  public var merged: Demand {
    requests.merged(with: subscriptions).merged(with: unfilteredSubscriptions).merged(with: trackers).merged(
      with: fences)
  }
}
