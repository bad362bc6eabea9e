public import WhereaboutsModel

/// The engine's handling of the host's power.
extension Engine {
  /// The last power decision.
  public var power: PowerDecision { powerController.current }

  /// The host's last reported power state.
  public var powerState: PowerState { powerController.state }

  /// Returns the open receiver usage, as of now; `nil` while there is no demand.
  public func receiverUsage(at now: Moment) -> ReceiverUsage? {
    usageRecorder.current(at: now.instant, time: usageTime(at: now))
  }

  /// Returns the time of a usage, on a clock that other processes use too.
  private func usageTime(at now: Moment) -> UTCTime? { now.wall ?? fixTime(at: now) }

  /// Returns the demand on the source, as reduced by the power policy.
  mutating func decidePower(at now: Moment, into effects: inout [Effect]) -> Demand {
    let fenceNeed = fences?.demand ?? .off
    guard !powerController.isUnrestricted else {
      let demand = fences == nil ? needRegistry.merged : needRegistry.merged.merged(with: fenceNeed)
      powerController.setUnrestrictedDemand(demand)
      return demand
    }
    let speed = last?.fix.speed, motion = motion
    let isDue = powerController.isDue(
      needs: needRegistry.version, fences: fenceNeed, motion: motion, speed: speed, inside: insideMask,
      time: powerController.dependsOnTime ? fixTime(at: now) : nil, at: now.instant)
    guard isDue else { return powerController.current.demand }
    let time = fixTime(at: now)
    let situation = PowerSituation(
      state: powerController.state,
      needs: DemandByConsumerClass(
        requests: needRegistry.requests.merged, subscriptions: needRegistry.subscriptions.merged,
        unfilteredSubscriptions: needRegistry.unfilteredSubscriptions.merged,
        trackers: needRegistry.trackers.merged, fences: fenceNeed),
      speed: speed, motion: motion, stillFor: stillDuration(at: time),
      inside: Set(powerController.fences.filter { isInside($0) }), time: time)
    if let decided = powerController.decide(situation, at: now.instant) {
      effects.append(.decided(.power(decided)))
    }
    return powerController.current.demand
  }

  /// Records the users of the source and the reason. Call with the present demand.
  mutating func recordReceiverUsage(at now: Moment) {
    var users = needRegistry.users
    if let fences, fences.demand != .off { users.insert(.fences) }
    let demand = reported.demand.ofReceiver
    guard !usageRecorder.isCurrent(demand, users, powerController.current.reason) else { return }
    let use = ReceiverUsageRecorder.UsageKey(
      demand: demand, users: users, preset: powerController.current.preset,
      reason: powerController.current.reason)
    usageRecorder.change(
      to: use, at: now.instant, time: usageTime(at: now), into: &pendingPersistence.receiverUsages)
  }

  /// The fences named in rules that the device is inside of, a bit for each; those beyond 64 share one.
  private var insideMask: UInt64 {
    var bits: UInt64 = 0
    for (place, fence) in powerController.fences.enumerated() where isInside(fence) {
      bits |= 1 << UInt64(min(place, 63))
    }
    return bits
  }

  private func isInside(_ id: FenceID) -> Bool {
    fences.map { $0.watch.state(of: id, in: $0.registry).side == .inside } ?? false
  }

  private func stillDuration(at time: UTCTime?) -> Duration? {
    guard motion == .still, let since = motionMonitor?.lastChange?.since, let time else { return nil }
    return max(.zero, time.since(since))
  }
}
