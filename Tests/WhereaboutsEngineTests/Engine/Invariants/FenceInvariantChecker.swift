import WhereaboutsEngine
import WhereaboutsModel

/// Checks the invariants of fences.
struct FenceInvariantChecker {
  /// The last reported event kind of each watched fence.
  private var lastEventKinds: [FenceID: FenceEvent.Kind?] = [:]
  private var areas: [FenceID: Fence] = [:]
  private var lastID: FenceEvent.ID?
  /// The demands of the fences; empty while the source may rest.
  private(set) var demands: [Demand] = []
  /// Whether any fence is watched.
  var isWatching: Bool { !lastEventKinds.isEmpty }

  /// Checks the effects of an input.
  ///
  /// - Returns: the violations.
  mutating func observe(_ input: Input, _ effects: [Effect], _ engine: Engine) -> [String] {
    var complaints: [String] = []
    // A new fence may report its first side at once if the place of the device is known.
    var isNew = false
    let before = (kinds: lastEventKinds, fences: areas)
    if case .fences(let command) = input {
      switch command {
      case .add, .update, .share:
        applyCommand(command, effects)
        isNew = true
      case .remove, .removeAll: break
      }
    }
    // Effects due before the input concern fences that the input may remove.
    for case .fence(let record) in effects { complaints += checkNotification(record, before) }
    // Some fences end before the input is processed, also one that it adds anew. Some new fences end at once.
    let over = effects.compactMap { if case .fence(.removed(let id, _)) = $0 { id } else { nil } }
    for id in over { lastEventKinds[id] = isNew && engine.fence(id) != nil ? .some(nil) : nil }
    if case .fences(let command) = input, !isNew { applyCommand(command, effects) }
    for id in over where engine.fence(id) == nil { lastEventKinds[id] = nil }
    if engine.fenceCount != lastEventKinds.count {
      complaints.append("\(engine.fenceCount) fences instead of \(lastEventKinds.count)")
    }
    complaints += checkDemand(engine)
    return complaints
  }

  private mutating func applyCommand(_ command: FenceCommand, _ effects: [Effect]) {
    switch command {
    case .add(let fences):
      for fence in fences where lastEventKinds[fence.id] == nil {
        lastEventKinds[fence.id] = .some(nil)
        areas[fence.id] = fence
      }
    case .update(let fences):
      for fence in fences {
        if lastEventKinds[fence.id] == nil || areas[fence.id]?.area != fence.area {
          lastEventKinds[fence.id] = .some(nil)
        }
        areas[fence.id] = fence
      }
    case .remove(let ids): for id in ids { lastEventKinds[id] = nil }
    case .removeAll: lastEventKinds = [:]
    case .share(let registry):
      let before = lastEventKinds
      lastEventKinds = [:]
      for fence in registry.fences {
        lastEventKinds[fence.id] = areas[fence.id]?.area == fence.area ? before[fence.id] ?? nil : .some(nil)
        areas[fence.id] = fence
      }
    }
  }

  /// Checks a record.
  ///
  /// - Parameter earlier: the last kinds and the fences before the input.
  private mutating func checkNotification(
    _ record: FenceRecord, _ earlier: (kinds: [FenceID: FenceEvent.Kind?], fences: [FenceID: Fence])
  ) -> [String] {
    guard case .event(let event) = record else { return [] }
    var complaints: [String] = []
    if let lastID, event.id <= lastID { complaints.append("event \(event.id) after \(lastID)") }
    lastID = event.id
    guard let before = lastEventKinds[event.fence] else {
      return complaints + ["an event of an unknown fence"]
    }
    guard event.kind != .dwell else { return complaints }
    // The event of a fence that moves is reported before it moves.
    if event.manner != .initial, areas[event.fence]?.area != earlier.fences[event.fence]?.area {
      return complaints + repetition(of: event, after: earlier.kinds[event.fence] ?? nil)
    }
    complaints += repetition(of: event, after: before)
    lastEventKinds[event.fence] = event.kind
    return complaints
  }

  private func repetition(of event: FenceEvent, after last: FenceEvent.Kind?) -> [String] {
    last == event.kind ? ["\(event.kind) twice at \(event.fence)"] : []
  }

  private mutating func checkDemand(_ engine: Engine) -> [String] {
    guard let power = engine.fencePower else { return [] }
    demands = power.need == .off ? [] : [power.need]
    let isOver = if case .ended = engine.status.source { true } else { false }
    let isPossible = !lastEventKinds.isEmpty && !isOver && !engine.status.authorization.isRefused
    if !isPossible, power.need != .off { return ["fences demand \(power.need) although impossible"] }
    if isPossible, power.need == .off, power.reason != .far, power.reason != .atRest {
      return ["fences have no demand: \(power)"]
    }
    if isPossible, power.need == .off, power.rest != nil, engine.nextWake == nil {
      return ["fences rest without a wake"]
    }
    return []
  }
}
