import WhereaboutsModel
import WhereaboutsGeodesy

/// Events that are due without a fix, and what the tracker knows of its fences.
extension FenceTracker {
  /// Reports events that are due by a time without a fix.
  ///
  /// - Parameter delay: the time by which stays and held-back events are due later.
  mutating func advance(
    to time: UTCTime, delay: Duration, in registry: FenceRegistry, into output: inout FenceTrackerOutput
  ) {
    guard let last = lastFixes.first, let known = staysKnown(at: time.advanced(by: .zero - delay)) else {
      return
    }
    for index in memories.indices where registry.serial(memories[index].key) == memories[index].serial {
      let rule = registry.rule(memories[index].key)
      guard !memories[index].notification.isIdle(rule),
        let entry = self.entry(of: memories[index], in: registry)
      else { continue }
      var now = FenceNotificationState.Context(time, entry.fence, rule, last)
      now.known = known
      memories[index].notification.advance(now: now, into: &output)
    }
  }

  /// Reports an event that is held back here and was reported by another tracker without a fix, when the hours of its
  /// fence began.
  mutating func reportHeldBack(
    _ event: FenceEvent, in registry: FenceRegistry, into output: inout FenceTrackerOutput
  ) {
    guard let last = lastFixes.first,
      let index = memories.firstIndex(where: { $0.notification.holdsBack(event) }),
      let entry = entry(of: memories[index], in: registry)
    else { return }
    let rule = registry.rule(memories[index].key)
    let now = FenceNotificationState.Context(event.decided, entry.fence, rule, last)
    memories[index].notification.reportHeldBack(now: now, into: &output)
  }

  /// Whether any event waits for the hours of its fence.
  var holdsBackAny: Bool { memories.contains { $0.notification.holdsBackAny } }

  /// Returns whether the tracker has processed the fixes that decide an event, and does not hold the event back for the
  /// hours of its fence.
  func hasReported(_ event: FenceEvent) -> Bool {
    guard let time, event.decided <= time else { return false }
    return !memories.contains { $0.notification.holdsBack(event) }
  }

  /// Returns the time at which something is due without a fix; `nil` if nothing is due.
  ///
  /// - Parameter delay: the time by which stays and held-back events are due later.
  func nextDeadline(delay: Duration, in registry: FenceRegistry) -> UTCTime? {
    var next: UTCTime?
    for memory in memories where registry.serial(memory.key) == memory.serial {
      let rule = registry.rule(memory.key)
      guard !memory.notification.isIdle(rule), let entry = entry(of: memory, in: registry),
        let time = memory.notification.nextDeadline(rule, entry.fence.terms.activeHours),
        staysKnown(at: time).map({ time <= $0 }) ?? false
      else { continue }
      next = min(next ?? time, time)
    }
    return next?.advanced(by: delay)
  }

  /// Returns the fence of a state; `nil` if the fence was removed, or another one has its key.
  func entry(of memory: FenceMemory, in registry: FenceRegistry) -> FenceRegistry.Entry? {
    guard registry.entries.indices.contains(Int(memory.key)), let entry = registry.entries[Int(memory.key)],
      entry.serial == memory.serial
    else { return nil }
    return entry
  }

  /// Returns the state towards a fence.
  func state(of key: UInt32, in registry: FenceRegistry) -> FenceState {
    guard let entry = registry.entries[Int(key)] else { return FenceState(side: .unknown) }
    if let memory = memories.first(where: { $0.key == key && $0.serial == entry.serial }) {
      return FenceState(
        side: memory.notification.confirmed,
        since: stayWait == .toBeginAgain ? nil : memory.notification.confirmedSince,
        probabilityInside: memory.evidence.probabilityInside)
    }
    guard last != nil, entry.serial <= seenSerial else { return FenceState(side: .unknown) }
    return FenceState(side: .outside, since: sideChanges?[entry.serial])
  }

  /// Returns the fences that the device is in. Only near fences have a state, so the others are not visited.
  func containingFences(in registry: FenceRegistry) -> [Fence] {
    memories.compactMap { memory in
      memory.notification.confirmed == .inside ? entry(of: memory, in: registry)?.fence : nil
    }
  }

  /// Returns the last position of the device with one standard deviation in metres. The result also tells whether a
  /// decision needs more fixes.
  func lastPosition(in registry: FenceRegistry) -> (
    place: Coordinate, deviation: Double, time: UTCTime, isPending: Bool
  )? {
    guard let last else { return nil }
    let isPending =
      hasSuspectedOutlier || believed == 1 && !memories.isEmpty || seenSerial < registry.lastSerial
      || memories.contains { !$0.evidence.isSettled || $0.notification.isWaiting }
    if let here = followers.first?.here { return (here.place, here.deviation, last.time, isPending) }
    return (last.coordinate, last.deviation, last.time, isPending)
  }
}
