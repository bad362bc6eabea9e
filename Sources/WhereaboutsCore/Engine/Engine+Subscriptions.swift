/// How an engine opens and ends subscriptions.
extension Engine {
  mutating func subscribe(
    _ id: SubscriptionID, _ terms: SubscriptionTerms, at now: Instant, into effects: inout [Effect]
  ) {
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
    subscriptions.add(id, terms, at: now)
    needs.add(terms.need)
    if status.authorization.isRefused { effects.append(.tell(id, .authorization(status.authorization))) }
    if case .unavailable(let trouble) = status.source { effects.append(.tell(id, .trouble(trouble))) }
    if let last, subscriptions.offer(last: last, to: id, at: now) {
      effects.append(.tell(id, .fix(last.fix)))
    }
    if case .motions = terms, let change = motionWatch?.last { effects.append(.tell(id, .motion(change))) }
    if subscriptions.hasEnough(id), let ended = subscriptions.remove(id) { finish(ended, into: &effects) }
  }

  mutating func unsubscribe(_ id: SubscriptionID) {
    if let ended = subscriptions.remove(id) { needs.remove(ended.terms.need) }
  }

  mutating func finish(_ ended: SubscriptionBook.Ended, into effects: inout [Effect]) {
    needs.remove(ended.terms.need)
    effects.append(.finishSubscription(ended.id))
  }
}
