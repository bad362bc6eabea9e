public import WhereaboutsModel

/// The engine's handling of trackers: opening, commands and ending.
extension Engine {
  /// Opens a tracker in the prepared phase.
  mutating func openTracker(
    _ id: SubscriptionID, _ terms: TrackTerms, at now: Moment, into effects: inout [Effect]
  ) {
    subscriptions.trackers.add(id, terms)
    if case .ended(let problem) = status.source {
      if let problem { effects.append(.notify(id, .problem(problem))) }
      stopTracker(id, because: .sourceEnded(problem), into: &effects)
      if let ended = subscriptions.remove(id) { finish(ended, into: &effects) }
      return
    }
    commandTracker(id, .prepare, at: now, into: &effects)
    if status.authorization.isRefused { effects.append(.notify(id, .authorization(status.authorization))) }
    if case .unavailable(let problem) = status.source { effects.append(.notify(id, .problem(problem))) }
  }

  /// Sends a command to a tracker, if the command can be carried out.
  mutating func commandTracker(
    _ id: SubscriptionID, _ command: TrackPhase.Command, at now: Moment, into effects: inout [Effect]
  ) {
    guard let wasActive = subscriptions.trackers.isActive(id) else { return }
    if command == .prepare || command == .start {
      if refusesNewRequests {
        stopTracker(id, because: .unauthorized(status.authorization), into: &effects)
        return
      }
      if case .failed(let problem) = status.source { retrySource(after: problem) }
      if problemBefore != nil { unnotifiedSubscriptions.insert(id) }
      if status.authorization.isRefused { recheckAuthorization() }
    }
    if command == .start { subscriptions.trackers.claimTrip(for: id) }
    let terms = subscriptions.trackers.terms(id)
    if subscriptions.trackers.trip(of: id) != nil { pendingPersistence.isSnapshotStale = true }
    subscriptions.trackers.command(id, command, at: now, after: last ?? withheld, status) {
      effects.append(.notify($0, $1))
    }
    guard let isActive = subscriptions.trackers.isActive(id), isActive != wasActive, let terms else { return }
    if isActive {
      needRegistry.add(terms.need, for: .trackers)
    } else {
      needRegistry.remove(terms.need, for: .trackers)
    }
  }

  /// Stops one tracker without a command.
  mutating func stopTracker(
    _ id: SubscriptionID, because cause: TrackPhase.Cause, into effects: inout [Effect]
  ) {
    if subscriptions.trackers.trip(of: id) != nil { pendingPersistence.isSnapshotStale = true }
    let unneeded = subscriptions.trackers.stop(only: id, because: cause) { effects.append(.notify($0, $1)) }
    for need in unneeded { needRegistry.remove(need, for: .trackers) }
  }

  /// Stops every tracker that is not at rest.
  ///
  /// - Parameter reportsPlaces: whether settled points of their tracks may be reported.
  mutating func stopTrackers(
    because cause: TrackPhase.Cause, reportsPlaces: Bool = true, into effects: inout [Effect]
  ) {
    if subscriptions.trackers.hasTrips { pendingPersistence.isSnapshotStale = true }
    let unneeded = subscriptions.trackers.stop(because: cause, reportsPlaces: reportsPlaces) {
      effects.append(.notify($0, $1))
    }
    for need in unneeded { needRegistry.remove(need, for: .trackers) }
  }

  /// Returns the state of a tracker; `nil` if no tracker has the id.
  public func trackUpdate(of id: SubscriptionID) -> TrackUpdate? { subscriptions.trackers.update(id) }

  /// Checks the trackers' signals; a source that is silent for too long is due for a restart.
  mutating func checkSignals(at now: Instant, into effects: inout [Effect]) {
    let silence = subscriptions.trackers.wake(at: now) { effects.append(.notify($0, $1)) }
    guard let silence else { return }
    silenceBeforeRestart = silence
    subscriptions.trackers.recordRestart(at: now)
  }
}
