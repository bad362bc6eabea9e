import WhereaboutsEngine
import WhereaboutsModel

/// What must hold of fences, whatever happens.
struct FenceInvariantChecker {
  /// The side that was told last, of each fence that is watched.
  private var lastEventKinds: [FenceID: FenceEvent.Kind?] = [:]
  private var areas: [FenceID: Fence] = [:]
  private var lastID: FenceEvent.ID?
  /// What the fences need of the source; nothing while it may rest.
  private(set) var demands: [Demand] = []
  /// Whether there are any.
  var isWatching: Bool { !lastEventKinds.isEmpty }

  /// Sees an input and what came of it.
  ///
  /// - Returns: what should not have been.
  mutating func observe(_ input: Input, _ effects: [Effect], _ engine: Engine) -> [String] {
    var complaints: [String] = []
    // A fence that is added where the device is known may tell its first side at once.
    var isNew = false
    if case .fences(let command) = input {
      switch command {
      case .add, .update, .share:
        applyCommand(command, effects)
        isNew = true
      case .remove, .removeAll: break
      }
    }
    // What was due before the input was looked at concerns fences that it may take away.
    for case .fence(let note) in effects { complaints += checkNotification(note) }
    // Some are over before the input is looked at, and some that it brings are over at once.
    let over = effects.compactMap { if case .fence(.removed(let id, _)) = $0 { id } else { nil } }
    for id in over { lastEventKinds[id] = nil }
    if case .fences(let command) = input, !isNew { applyCommand(command, effects) }
    for id in over where engine.fence(id) == nil { lastEventKinds[id] = nil }
    if engine.fenceCount != lastEventKinds.count {
      complaints.append("\(engine.fenceCount) fences, and \(lastEventKinds.count) there should be")
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

  private mutating func checkNotification(_ note: FenceRecord) -> [String] {
    guard case .event(let event) = note else { return [] }
    var complaints: [String] = []
    if let lastID, event.id <= lastID { complaints.append("event \(event.id) after \(lastID)") }
    lastID = event.id
    guard let before = lastEventKinds[event.fence] else { return complaints + ["an event of no fence"] }
    guard event.kind != .dwell else { return complaints }
    if before == event.kind { complaints.append("\(event.kind) twice at \(event.fence)") }
    lastEventKinds[event.fence] = event.kind
    return complaints
  }

  private mutating func checkDemand(_ engine: Engine) -> [String] {
    guard let power = engine.fencePower else { return [] }
    demands = power.need == .off ? [] : [power.need]
    let isOver = if case .ended = engine.status.source { true } else { false }
    let isPossible = !lastEventKinds.isEmpty && !isOver && !engine.status.authorization.isRefused
    if !isPossible, power.need != .off { return ["fences need \(power.need) and can't"] }
    if isPossible, power.need == .off, power.reason != .far, power.reason != .atRest {
      return ["fences need nothing: \(power)"]
    }
    if isPossible, power.need == .off, power.rest != nil, engine.nextWake == nil {
      return ["fences rest for ever"]
    }
    return []
  }
}
