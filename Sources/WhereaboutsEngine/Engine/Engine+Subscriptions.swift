import WhereaboutsModel

/// The engine's handling of subscriptions: opening and ending.
extension Engine {
  mutating func subscribe(
    _ id: SubscriptionID, _ terms: SubscriptionTerms, at now: Moment, into effects: inout [Effect]
  ) {
    if case .track(let terms) = terms { return openTracker(id, terms, at: now, into: &effects) }
    var terms = terms
    if case .fixes(let wanted) = terms { terms = .fixes(wanted.bounded) }
    if case .ended(let trouble) = status.source {
      if let trouble { effects.append(.tell(id, .trouble(trouble))) }
      effects.append(.finishSubscription(id))
      return
    }
    if case .headings = terms, case .unavailable(let trouble) = status.headings {
      effects.append(.tell(id, .headingsUnavailable(trouble)))
      effects.append(.finishSubscription(id))
      return
    }
    if case .failed(let trouble) = status.source { retrySource(after: trouble) }
    if status.authorization.isRefused, !refusesNewRequests { recheckAuthorization() }
    subscriptions.add(id, terms, at: now.instant)
    needRegistry.add(terms.need, for: terms.consumerClass)
    if status.authorization.isRefused { effects.append(.tell(id, .authorization(status.authorization))) }
    if case .unavailable(let trouble) = status.source { effects.append(.tell(id, .trouble(trouble))) }
    if let last, subscriptions.offerLastFix(last, to: id, at: now.instant) {
      effects.append(.tell(id, .fix(last.fix)))
    }
    if case .motions = terms, let change = motionMonitor?.lastChange {
      effects.append(.tell(id, .motion(change)))
    }
    if subscriptions.isComplete(id), let ended = subscriptions.remove(id) { finish(ended, into: &effects) }
  }

  mutating func unsubscribe(_ id: SubscriptionID, into effects: inout [Effect]) {
    stopTracker(id, because: .released, into: &effects)
    if let ended = subscriptions.remove(id), let need = ended.need {
      needRegistry.remove(need, for: ended.consumerClass)
    }
  }

  mutating func finish(_ ended: SubscriptionRegistry.Ended, into effects: inout [Effect]) {
    if let need = ended.need { needRegistry.remove(need, for: ended.consumerClass) }
    effects.append(.finishSubscription(ended.id))
  }
}
