import WhereaboutsModel
import WhereaboutsGeodesy

/// The evaluation of the fences near the device: the states are updated, and events and decisions result.
extension FenceTracker {
  /// Determines the side of fences added since the device's last fix, if that fix allows.
  ///
  /// - Parameter fix: the last fix in full.
  mutating func evaluateNewFences(
    _ fix: Fix, in registry: FenceRegistry, into output: inout FenceTrackerOutput
  ) {
    guard let last, !isTimeNew, last.time == fix.time, seenSerial < registry.lastSerial, !hasSuspectedOutlier
    else {
      return
    }
    forgetRemovedFences(in: registry)
    let reach = searchRadius(of: last, step: 0)
    if followers.isEmpty {
      calibrate()
      followRecent()
    }
    findFences(around: last, within: reach, in: registry)
    let known = seenSerial
    updateMemories(before: last, in: registry)
    seenSerial = registry.lastSerial
    guard let here = followers.first?.here, !memories.isEmpty else { return countFarFix() }
    storeLastFix(fix)
    confirmPlace()
    let travelled = followers[0].movement.travelled, step = followers[0].lastStep
    workspace.path.removeAll(keepingCapacity: true)
    for index in memories.indices where memories[index].serial > known {
      let key = memories[index].key
      let look = SideEvidence.EvaluationContext(rule: registry.rule(key), travelled: travelled, step: step)
      let distance = registry.index.signedDistance(key, to: here.place).metres
      evaluate(index, here, distance, look, fix, decided: here.time, in: registry, into: &output)
    }
  }

  /// Confirms the place of the last fix, if fences are near it.
  mutating func confirmPlace() {
    // A person who puts a fence at the device's place knows that the device is there.
    if !memories.isEmpty, !hasSuspectedOutlier { believed = 2 }
  }

  /// Replaces the keys of fences by those of another registry with the same areas. States of missing fences are
  /// dropped.
  mutating func remapKeys(to registry: FenceRegistry) {
    guard memories.contains(where: { registry.serial($0.key) != $0.serial }) else { return }
    memories = memories.compactMap { memory in
      if registry.serial(memory.key) == memory.serial { return memory }
      return registry.key(ofSerial: memory.serial).map {
        FenceMemory(
          key: $0, serial: memory.serial, evidence: memory.evidence, notification: memory.notification)
      }
    }
    memories.sort { $0.key < $1.key }
  }

  /// Adds states for the fences found that have none. States of other fences stay until they are removable.
  mutating func updateMemories(before lastSeen: CompactFix?, in registry: FenceRegistry) {
    var index = 0
    for nearby in workspace.found {
      while index < memories.count, memories[index].key < nearby.key { index += 1 }
      if index < memories.count, memories[index].key == nearby.key { continue }
      memories.insert(
        memory(of: nearby, registry.serial(nearby.key), before: lastSeen, in: registry), at: index)
    }
  }

  /// Stores a fix that a later event may need.
  mutating func storeLastFix(_ fix: Fix) {
    if memories.isEmpty {
      lastFixes.removeAll()
    } else if lastFixes.isEmpty {
      lastFixes.append(fix)
    } else {
      lastFixes[0] = fix
    }
  }

  /// Returns the state of a fence. An older fence without state was far away.
  private func memory(
    of nearby: AreaIndex.Nearby, _ serial: UInt64, before lastSeen: CompactFix?, in registry: FenceRegistry
  ) -> FenceMemory {
    let wasThere = serial <= seenSerial
    var before: SideEvidence.Observation?
    if wasThere, let lastSeen {
      let distance = registry.index.signedDistance(nearby.key, to: lastSeen.coordinate).metres
      before = SideEvidence.Observation(
        time: lastSeen.time, distance: max(0, distance), deviation: lastSeen.deviation,
        travelled: followers.first?.travelledBefore ?? 0)
    }
    let side: FenceState.Side = wasThere ? .outside : .unknown
    var evidence = SideEvidence(side: side, before: before)
    if wasThere, isAfterBreak { evidence.markUnobserved(after: movementBeforeGap ?? .followed) }
    return FenceMemory(
      key: nearby.key, serial: serial, evidence: evidence,
      notification: FenceNotificationState(side: side, since: wasThere ? sideChanges?[serial] : nil))
  }

  /// Evaluates every fence that has a state at a position, and drops the states that are removable.
  ///
  /// - Parameters:
  ///   - fix: the fix that decides: the one of the position, or a later one that confirms it.
  ///   - decided: the time of that fix.
  mutating func evaluate(
    _ here: PathPoint, _ fix: Fix, decided: UTCTime, in registry: FenceRegistry,
    into output: inout FenceTrackerOutput
  ) {
    resumeStays(at: here.time)
    let travelled = followers[0].movement.travelled, step = followers[0].lastStep
    workspace.path.removeAll(keepingCapacity: true)
    var cursor = 0
    for index in memories.indices {
      let key = memories[index].key
      while cursor < workspace.found.count, workspace.found[cursor].key < key { cursor += 1 }
      let isFound = cursor < workspace.found.count && workspace.found[cursor].key == key
      let distance =
        isFound ? workspace.found[cursor].distance : registry.index.signedDistance(key, to: here.place)
      let look = SideEvidence.EvaluationContext(rule: registry.rule(key), travelled: travelled, step: step)
      evaluate(index, here, distance.metres, look, fix, decided: decided, in: registry, into: &output)
    }
    cursor = 0
    var far: [FenceMemory] = []
    memories.removeAll { memory in
      while cursor < workspace.found.count, workspace.found[cursor].key < memory.key { cursor += 1 }
      let isFound = cursor < workspace.found.count && workspace.found[cursor].key == memory.key
      guard !isFound, memory.isRemovable(registry.rule(memory.key)) else { return false }
      far.append(memory)
      return true
    }
    for memory in far {
      guard let time = memory.notification.confirmedSince else { continue }
      if sideChanges == nil { sideChanges = SideChanges() }
      sideChanges?.insert(memory.serial, time)
    }
  }

  private mutating func evaluate(
    _ index: Int, _ here: PathPoint, _ distance: Double, _ look: SideEvidence.EvaluationContext, _ fix: Fix,
    decided: UTCTime, in registry: FenceRegistry, into output: inout FenceTrackerOutput
  ) {
    let key = memories[index].key
    let rule = look.rule
    guard rule.expiry.map({ here.time < $0 }) ?? true else { return }
    if !memories[index].evidence.needsPath(to: distance, deviation: here.deviation, look) {
      memories[index].evidence.confirmSide(at: here, distance: distance, look)
      guard !memories[index].notification.isIdle(rule), let entry = registry.entries[Int(key)] else { return }
      let now = FenceNotificationState.Context(
        decided, entry.fence, rule, fix, held: decided == here.time ? nil : here)
      memories[index].notification.advance(now: now, into: &output)
      return
    }
    if workspace.path.isEmpty { followers[0].appendPath(since: nil, to: &workspace.path) }
    let outcomes = memories[index].evidence.processPath(workspace.path, look, by: key, in: registry.index)
    guard !outcomes.isEmpty || !memories[index].notification.isIdle(rule),
      let entry = registry.entries[Int(key)]
    else { return }
    let now = FenceNotificationState.Context(
      decided, entry.fence, rule, fix, held: decided == here.time ? nil : here)
    for outcome in outcomes { Self.apply(outcome, now, &memories[index].notification, into: &output) }
    memories[index].notification.advance(now: now, into: &output)
  }

  private static func apply(
    _ outcome: SideEvidence.Outcome, _ now: FenceNotificationState.Context,
    _ notification: inout FenceNotificationState,
    into output: inout FenceTrackerOutput
  ) {
    let id = now.fence.id
    switch outcome {
    case .crossed(let crossing): notification.process(crossing, now: now, into: &output)
    case .determined(let side, let point, let weight):
      output.decisions.append(.determined(id, side, FenceDecision.Evidence(weight)))
      let initial = Crossing(
        kind: side == .inside ? .enter : .exit, manner: .initial, time: point.time, uncertainty: 0,
        lastBefore: nil, firstAfter: point.time, place: point.place, confidence: weight.probability)
      notification.setInitialSide(side, initial, now: now, into: &output)
    case .suspected(let weight):
      output.decisions.append(.suspected(id, notification.nextKind, FenceDecision.Evidence(weight)))
    case .dismissed(let weight, let since):
      output.decisions.append(
        .dismissed(id, notification.nextKind, FenceDecision.Evidence(weight), since: since))
    case .atRest(let weight):
      output.decisions.append(.atRest(id, notification.nextKind, FenceDecision.Evidence(weight)))
    }
  }
}

extension FenceDecision.Evidence {
  init(_ weight: SideEvidence.PointEvidence) {
    self.init(
      time: weight.time, probability: weight.probability, needed: weight.needed, distance: weight.distance,
      deviation: weight.deviation)
  }
}
