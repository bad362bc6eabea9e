import WhereaboutsModel

/// The engine's handling of subscriptions: opening and ending.
extension Engine {
  mutating func subscribe(
    _ id: SubscriptionID, _ terms: SubscriptionTerms, at now: Moment, into effects: inout [Effect]
  ) {
    if case .track(let terms) = terms { return openTracker(id, terms, at: now, into: &effects) }
    var terms = terms
    if case .fixes(let wanted) = terms { terms = .fixes(wanted.bounded) }
    if case .ended(let problem) = status.source {
      if let problem { effects.append(.notify(id, .problem(problem))) }
      effects.append(.finishSubscription(id))
      return
    }
    if case .headings = terms, case .unavailable(let problem) = status.headings {
      effects.append(.notify(id, .headingsUnavailable(problem)))
      effects.append(.finishSubscription(id))
      return
    }
    if case .failed(let problem) = status.source { retrySource(after: problem) }
    if status.authorization.isRefused, !refusesNewRequests { recheckAuthorization() }
    if problemBefore != nil { unnotifiedSubscriptions.insert(id) }
    subscriptions.add(id, terms, at: now.instant)
    needRegistry.add(terms.need, for: terms.consumerClass)
    if status.authorization.isRefused { effects.append(.notify(id, .authorization(status.authorization))) }
    if case .unavailable(let problem) = status.source { effects.append(.notify(id, .problem(problem))) }
    if let last, subscriptions.offerLastFix(last, to: id, at: now.instant) {
      effects.append(.notify(id, .fix(last.fix)))
    }
    if case .motions = terms, let change = motionMonitor?.lastChange {
      effects.append(.notify(id, .motion(change)))
    }
    if subscriptions.isComplete(id), let ended = subscriptions.remove(id) { finish(ended, into: &effects) }
  }

  mutating func unsubscribe(_ id: SubscriptionID, into effects: inout [Effect]) {
    let trip = subscriptions.trackers.trip(of: id)
    stopTracker(id, because: .released, into: &effects)
    if let ended = subscriptions.remove(id), let need = ended.need {
      needRegistry.remove(need, for: ended.consumerClass)
    }
    // A tracker that has waited for the trip counts on from the trip's totals.
    if let trip, let heir = tracker(of: trip), let update = trackUpdate(of: heir) {
      effects.append(.notify(heir, .track(update)))
    }
  }

  mutating func finish(_ ended: SubscriptionRegistry.Ended, into effects: inout [Effect]) {
    if let need = ended.need { needRegistry.remove(need, for: ended.consumerClass) }
    effects.append(.finishSubscription(ended.id))
  }
}
