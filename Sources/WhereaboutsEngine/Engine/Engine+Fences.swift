public import WhereaboutsModel
import WhereaboutsGeodesy

/// The engine's handling of fences.
extension Engine {
  /// The number of fences that are watched.
  public var fenceCount: Int { fences?.registry.count ?? 0 }

  /// All fences that are watched, in the order of their ids.
  public var allFences: [Fence] {
    guard let registry = fences?.registry else { return [] }
    return registry.ids.sorted().compactMap { registry.fence($0) }
  }

  /// Returns the fence with an id; `nil` if there is none.
  public func fence(_ id: FenceID) -> Fence? { fences?.registry.fence(id) }

  /// Returns the state of a fence; `nil` where there is none of that id. The side is `FenceState/Side/unknown` while
  /// fixes are not allowed, and after a restart until the source reports that they are.
  public func fenceState(of id: FenceID) -> FenceState? {
    guard let fences, fences.registry.fence(id) != nil else { return nil }
    guard !awaitsAuthorization else { return FenceState(side: .unknown) }
    return fences.watch.state(of: id, in: fences.registry)
  }

  /// The fences that the device is in, in the order of their ids: those whose ``fenceState(of:)`` is inside.
  package var containingFences: [Fence] {
    guard let fences, !awaitsAuthorization else { return [] }
    return fences.watch.containingFences(in: fences.registry)
  }

  /// The fences' demand on the source, and its reason; `nil` where there have never been any.
  public var fencePower: FencePower? { fences?.power.current }

  /// The registry of all watched fences.
  public var fenceRegistry: FenceRegistry { fences?.registry ?? FenceRegistry() }

  /// The observations of the fences.
  public var fenceWatch: FenceWatch { fences?.settledWatch ?? FenceWatch(settings.fences) }

  /// The fences with their observations, to be stored and restored by ``Input/restore(_:)``.
  public var fenceSnapshot: FenceSnapshot {
    FenceSnapshot(fenceRegistry, fenceWatch, wakePlanner: fences?.wakePlanner)
  }

  /// Returns a monitor without fences.
  func makeFenceMonitor() -> FenceMonitor {
    FenceMonitor(settings.fences, wakeCapacity: wakeCapacity, greatestRadius: greatestWakeRadius)
  }

  mutating func handle(_ command: FenceCommand, at now: Moment, into effects: inout [Effect]) {
    if fences == nil { fences = makeFenceMonitor() }
    switch command {
    case .add(let all):
      for fence in all {
        guard let problem = fences?.add(fence) else { continue }
        effects.append(.decided(.fenceRefused(fence.id, problem)))
      }
    case .update(let all): for fence in all { fences?.update(fence) }
    case .remove(let ids): for id in ids { fences?.remove(id) }
    case .removeAll: fences?.removeAll()
    case .share(let registry): fences?.share(registry)
    }
    pendingPersistence.isSnapshotStale = true
    switch command {
    case .add, .update, .share:
      // A new fence makes the engine retry a failed source, as a subscription does.
      if case .failed(let problem) = status.source { retrySource(after: problem) }
      if status.authorization.isRefused, !refusesNewRequests { recheckAuthorization() }
      fences?.recordTime(now)
      // The last fix may be too coarse for the side of a fence around the best one.
      if case .add(let new) = command, let best = bestFix.best, best != last,
        new.contains(where: { $0.area.contains(best.fix.coordinate) })
      {
        fences?.evaluateNewFences(best, at: now.instant)
      }
      fences?.evaluateNewFences(last, at: now.instant)
      emitFenceRecords(into: &effects)
    case .remove, .removeAll: break
    }
    fences?.recordTime(now)
  }

  /// Processes each fix that is used.
  mutating func processFences(_ timed: TimedFix, at now: Instant, into effects: inout [Effect]) {
    guard fences != nil else { return }
    fences?.process(timed, at: now)
    emitFenceRecords(into: &effects)
  }

  /// Processes each fix that arrived late or twice.
  mutating func processFences(late fix: Fix, into effects: inout [Effect]) {
    guard fences != nil else { return }
    fences?.process(late: fix)
    emitFenceRecords(into: &effects)
  }

  /// Advances the fences with each input: an event may be due without a fix.
  mutating func advanceFences(to now: Moment, into effects: inout [Effect]) {
    guard fences != nil else { return }
    fences?.recordTime(now)
    // A stay that goes on would reveal the device's place.
    fences?.advance(to: now, reportsDue: !awaitsAuthorization)
    emitFenceRecords(into: &effects)
  }

  /// Ends the segment: later fixes do not continue the earlier ones.
  mutating func endFenceSegment(restartsTimeline: Bool, into effects: inout [Effect]) {
    pendingPersistence.isSnapshotStale = true
    guard fences != nil else { return }
    fences?.endSegment(restartsTimeline: restartsTimeline)
    emitFenceRecords(into: &effects)
  }

  mutating func emitFenceRecords(into effects: inout [Effect]) {
    if fences?.consumeNewWait() == true {
      pendingPersistence.isSnapshotStale = true
      // A stay is over without a fix.
      pendingPersistence.isSnapshotUrgent = true
    }
    guard let records = fences?.records, !records.isEmpty else { return }
    for record in records {
      if case .decided(let decision) = record {
        effects.append(.decided(.fence(decision)))
      } else {
        effects.append(.fence(record))
        if case .removed = record { pendingPersistence.isSnapshotStale = true }
      }
    }
    fences?.records.removeAll(keepingCapacity: true)
    if let ended = fences?.drainEndedFences() { pendingPersistence.endedFences += ended }
  }

  /// Updates the fences' demand, if an input may have changed it.
  mutating func updateFencePower(at now: Instant, into effects: inout [Effect]) {
    guard fences != nil else { return }
    let isOver = if case .ended = status.source { true } else { false }
    let activity = activity
    let decided = fences?.updateDemand(
      isPossible: !isOver && !status.authorization.isRefused, activity: activity, at: now)
    if let decided { effects.append(.decided(.fencePower(decided))) }
    guard fences?.consumePlanChange() == true, let plan = fences?.wakePlanner?.plan else { return }
    // The platform receives regions only after the store does.
    pendingPersistence.isSnapshotStale = true
    effects.append(
      .decided(
        .wakeRegionsChanged(count: fences?.wakeRegions.count ?? 0, isCrowded: plan.isCrowded)))
  }
}
