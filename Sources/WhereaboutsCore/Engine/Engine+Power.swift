/// What an engine makes of the host's power.
extension Engine {
  /// What was last decided of what is asked of the source, given what is needed.
  public var power: PowerDecision { powerKeeper.current }

  /// What the host has last said of its power.
  public var powerState: PowerState { powerKeeper.state }

  /// The spell of the receiver that goes on, as of now; `nil` while nothing is asked of it.
  public func spell(at now: Moment) -> ReceiverSpell? {
    spells.current(at: now.instant, time: ledgerTime(at: now))
  }

  /// When spells are, by a clock that other processes go by, too.
  private func ledgerTime(at now: Moment) -> UTCTime? { now.wall ?? fixTime(at: now) }

  /// What to ask of the source, given what is needed.
  mutating func judgePower(at now: Moment, into effects: inout [Effect]) -> Demand {
    let fenceNeed = fences?.need ?? .off
    guard !powerKeeper.asksAsAsked else {
      let demand = fences == nil ? needs.merged : needs.merged.merged(with: fenceNeed)
      powerKeeper.pass(demand)
      return demand
    }
    let speed = last?.fix.speed, motion = motion
    let isDue = powerKeeper.isDue(
      needs: needs.version, fences: fenceNeed, motion: motion, speed: speed, inside: insideBits,
      at: now.instant)
    guard isDue else { return powerKeeper.current.demand }
    let time = fixTime(at: now)
    let situation = PowerSituation(
      state: powerKeeper.state,
      needs: LiveNeeds(
        requests: needs.requests.merged, subscriptions: needs.subscriptions.merged,
        watches: needs.watches.merged, trackers: needs.trackers.merged, fences: fenceNeed),
      speed: speed, motion: motion, stillFor: stillFor(at: time),
      inside: Set(powerKeeper.fences.filter { isInside($0) }), time: time)
    if let decided = powerKeeper.decide(situation, at: now.instant) {
      effects.append(.decided(.power(decided)))
    }
    return powerKeeper.current.demand
  }

  /// Writes down for whom the source is on, and why; to be called with what is asked of it now.
  mutating func writeSpell(at now: Moment) {
    var users = needs.users
    if let fences, fences.need != .off { users.insert(.fences) }
    let demand = told.demand
    guard !spells.isSame(demand, users, powerKeeper.current.reason) else { return }
    let use = SpellKeeper.Use(
      demand: demand, users: users, preset: powerKeeper.current.preset, reason: powerKeeper.current.reason)
    spells.change(to: use, at: now.instant, time: ledgerTime(at: now), into: &lasting.spells)
  }

  /// Inside which of the fences that rules ask for the device is, a bit for each; of more than 64 the rest share one.
  private var insideBits: UInt64 {
    var bits: UInt64 = 0
    for (place, fence) in powerKeeper.fences.enumerated() where isInside(fence) {
      bits |= 1 << UInt64(min(place, 63))
    }
    return bits
  }

  private func isInside(_ id: FenceID) -> Bool {
    fences.map { $0.watch.state(of: id, in: $0.book).side == .inside } ?? false
  }

  private func stillFor(at time: UTCTime?) -> Duration? {
    guard motion == .still, let since = motionWatch?.last?.since, let time else { return nil }
    return max(.zero, time.since(since))
  }
}
