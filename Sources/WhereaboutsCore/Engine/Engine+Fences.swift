/// What an engine makes of its fences.
extension Engine {
  /// How many fences are watched.
  public var fenceCount: Int { fences?.book.count ?? 0 }

  /// All fences that are watched, in the order of their ids.
  public var allFences: [Fence] {
    guard let book = fences?.book else { return [] }
    return book.ids.sorted().compactMap { book.fence($0) }
  }

  /// The fence of an id.
  public func fence(_ id: FenceID) -> Fence? { fences?.book.fence(id) }

  /// How things stand with a fence; `nil` where there is none of that id. ``FenceSide/unknown`` after a restart, until the
  /// source says that fixes may be had.
  public func fenceState(of id: FenceID) -> FenceState? {
    guard let fences, fences.book.fence(id) != nil else { return nil }
    guard !awaitsPermission else { return FenceState(side: .unknown) }
    return fences.watch.state(of: id, in: fences.book)
  }

  /// What the fences need of the source, and why; `nil` where there have never been any.
  public var fencePower: FencePower? { fences?.power.current }

  /// All fences that are watched.
  public var fenceBook: FenceBook { fences?.book ?? FenceBook() }

  /// What the device has seen of them.
  public var fenceWatch: FenceWatch { fences?.watch ?? FenceWatch(settings.fences) }

  /// Both together: to be kept, and to go on with by ``Input/restore(_:)``.
  public var fenceSnapshot: FenceSnapshot { FenceSnapshot(fenceBook, fenceWatch) }

  mutating func handle(_ command: FenceCommand, at now: Moment, into effects: inout [Effect]) {
    if fences == nil { fences = FenceKeeper(settings.fences) }
    switch command {
    case .add(let all):
      for fence in all {
        guard let problem = fences?.add(fence) else { continue }
        effects.append(.decided(.fenceRefused(fence.id, problem)))
      }
    case .update(let all): for fence in all { fences?.update(fence) }
    case .remove(let ids): for id in ids { fences?.remove(id) }
    case .removeAll: fences?.removeAll()
    }
    lasting.isSnapshotOld = true
    switch command {
    case .add, .update:
      // Whoever comes gives a source that has given up a new chance, as with a subscription.
      if case .failed(let trouble) = status.source { askSourceAgain(after: trouble) }
      if status.authorization.isRefused, !isRefusedForNow { lookForPermissionAgain() }
      fences?.see(now)
      fences?.lookAtNew(last, at: now.instant)
      tellNotes(into: &effects)
    case .remove, .removeAll: break
    }
    fences?.see(now)
  }

  /// To be called with each fix that is used.
  mutating func watchFences(_ timed: TimedFix, into effects: inout [Effect]) {
    guard fences != nil else { return }
    fences?.take(timed)
    tellNotes(into: &effects)
  }

  /// To be called with each fix that came late or twice.
  mutating func watchFences(late fix: Fix, into effects: inout [Effect]) {
    guard fences != nil else { return }
    fences?.take(late: fix)
    tellNotes(into: &effects)
  }

  /// To be called with each input: something may be due without a fix.
  mutating func passTimeOfFences(to now: Moment, into effects: inout [Effect]) {
    guard fences != nil else { return }
    fences?.see(now)
    // A stay that lasts would say where the device is.
    guard !awaitsPermission else { return }
    fences?.passTime(to: now.instant)
    tellNotes(into: &effects)
  }

  /// What comes next does not continue what came before.
  mutating func breakOffFences(restartsTime: Bool, into effects: inout [Effect]) {
    lasting.isSnapshotOld = true
    guard fences != nil else { return }
    fences?.breakOff(restartsTime: restartsTime)
    tellNotes(into: &effects)
  }

  mutating func tellNotes(into effects: inout [Effect]) {
    guard let notes = fences?.notes, !notes.isEmpty else { return }
    for note in notes {
      if case .decided(let decision) = note {
        effects.append(.decided(.fence(decision)))
      } else {
        effects.append(.fence(note))
        if case .removed = note { lasting.isSnapshotOld = true }
      }
    }
    fences?.notes.removeAll(keepingCapacity: true)
  }

  /// Finds out what the fences need, where anything has happened that could change it.
  mutating func lookAtFencePower(at now: Instant, into effects: inout [Effect]) {
    guard fences != nil else { return }
    let isOver = if case .ended = status.source { true } else { false }
    let activity = activity
    let decided = fences?.decideNeed(
      isPossible: !isOver && !status.authorization.isRefused, activity: activity, at: now)
    if let decided { effects.append(.decided(.fencePower(decided))) }
  }
}
