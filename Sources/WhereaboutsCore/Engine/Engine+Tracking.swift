/// How an engine opens, steers and ends trackers.
extension Engine {
  /// Opens a tracker, which is to prepare it.
  mutating func track(
    _ id: SubscriptionID, _ terms: TrackTerms, at now: Moment, into effects: inout [Effect]
  ) {
    subscriptions.trackers.add(id, terms)
    if case .ended(let trouble) = status.source {
      if let trouble { effects.append(.tell(id, .trouble(trouble))) }
      stopTracker(id, because: .sourceEnded(trouble), into: &effects)
      if let ended = subscriptions.remove(id) { finish(ended, into: &effects) }
      return
    }
    steer(id, .prepare, at: now, into: &effects)
    if status.authorization.isRefused { effects.append(.tell(id, .authorization(status.authorization))) }
    if case .unavailable(let trouble) = status.source { effects.append(.tell(id, .trouble(trouble))) }
  }

  /// Tells a tracker what to do, where that can be done.
  mutating func steer(
    _ id: SubscriptionID, _ command: TrackCommand, at now: Moment, into effects: inout [Effect]
  ) {
    guard let wasActive = subscriptions.trackers.isActive(id) else { return }
    if command == .prepare || command == .start {
      if isRefusedForNow {
        stopTracker(id, because: .unauthorized(status.authorization), into: &effects)
        return
      }
      if case .failed(let trouble) = status.source { askSourceAgain(after: trouble) }
      if status.authorization.isRefused { lookForPermissionAgain() }
    }
    let terms = subscriptions.trackers.terms(id)
    if subscriptions.trackers.trip(of: id) != nil { lasting.isSnapshotOld = true }
    subscriptions.trackers.command(id, command, at: now, after: last ?? withheld, status) {
      effects.append(.tell($0, $1))
    }
    guard let isActive = subscriptions.trackers.isActive(id), isActive != wasActive, let terms else { return }
    if isActive { needs.add(terms.need, as: .trackers) } else { needs.remove(terms.need, as: .trackers) }
  }

  /// Stops one tracker by itself.
  mutating func stopTracker(
    _ id: SubscriptionID, because cause: TrackPhaseCause, into effects: inout [Effect]
  ) {
    if subscriptions.trackers.trip(of: id) != nil { lasting.isSnapshotOld = true }
    let unneeded = subscriptions.trackers.stop(only: id, because: cause) { effects.append(.tell($0, $1)) }
    for need in unneeded { needs.remove(need, as: .trackers) }
  }

  /// Stops every tracker that is not at rest.
  ///
  /// - Parameter tellsPlaces: whether what is settled of their ways may be told.
  mutating func stopTrackers(
    because cause: TrackPhaseCause, tellsPlaces: Bool = true, into effects: inout [Effect]
  ) {
    if subscriptions.trackers.hasTrips { lasting.isSnapshotOld = true }
    let unneeded = subscriptions.trackers.stop(because: cause, tellsPlaces: tellsPlaces) {
      effects.append(.tell($0, $1))
    }
    for need in unneeded { needs.remove(need, as: .trackers) }
  }

  /// How things stand with a tracker; `nil` where there is none of that id, or not any more.
  public func track(of id: SubscriptionID) -> TrackUpdate? { subscriptions.trackers.update(id) }

  /// Looks at the trackers' signals; a source that is silent for too long is to be stopped and started.
  mutating func lookAtSignals(at now: Instant, into effects: inout [Effect]) {
    let silence = subscriptions.trackers.wake(at: now) { effects.append(.tell($0, $1)) }
    guard let silence else { return }
    silenceToBreak = silence
    subscriptions.trackers.noteRestart(at: now)
  }
}
