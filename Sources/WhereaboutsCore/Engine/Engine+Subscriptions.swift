/// How an engine opens and ends subscriptions.
extension Engine {
  mutating func subscribe(
    _ id: SubscriptionID, _ terms: SubscriptionTerms, at now: Moment, into effects: inout [Effect]
  ) {
    if case .track(let terms) = terms { return track(id, terms, at: now, into: &effects) }
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
    if case .failed(let trouble) = status.source { askSourceAgain(after: trouble) }
    if status.authorization.isRefused, !isRefusedForNow { lookForPermissionAgain() }
    subscriptions.add(id, terms, at: now.instant)
    needs.add(terms.need, as: terms.party)
    if status.authorization.isRefused { effects.append(.tell(id, .authorization(status.authorization))) }
    if case .unavailable(let trouble) = status.source { effects.append(.tell(id, .trouble(trouble))) }
    if let last, subscriptions.offer(last: last, to: id, at: now.instant) {
      effects.append(.tell(id, .fix(last.fix)))
    }
    if case .motions = terms, let change = motionWatch?.last { effects.append(.tell(id, .motion(change))) }
    if subscriptions.hasEnough(id), let ended = subscriptions.remove(id) { finish(ended, into: &effects) }
  }

  mutating func unsubscribe(_ id: SubscriptionID, into effects: inout [Effect]) {
    stopTracker(id, because: .released, into: &effects)
    if let ended = subscriptions.remove(id), let need = ended.need { needs.remove(need, as: ended.party) }
  }

  mutating func finish(_ ended: SubscriptionBook.Ended, into effects: inout [Effect]) {
    if let need = ended.need { needs.remove(need, as: ended.party) }
    effects.append(.finishSubscription(ended.id))
  }
}
