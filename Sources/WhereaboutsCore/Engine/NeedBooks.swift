/// What everyone needs of the source but the fences, by kind of who needs it, and merged.
struct NeedBooks: Sendable {
  /// A kind of those who need something.
  enum Party: Sendable { case requests, subscriptions, watches, trackers }

  private(set) var requests = DemandBook()
  private(set) var subscriptions = DemandBook()
  private(set) var watches = DemandBook()
  private(set) var trackers = DemandBook()

  /// What satisfies all of them.
  private(set) var merged = Demand.off
  /// Who needs anything.
  private(set) var users: ReceiverUsers = []
  /// Grows whenever any of it has changed.
  private(set) var version = 0

  mutating func add(_ need: Demand, as party: Party) {
    let isNew =
      switch party {
      case .requests: requests.add(need)
      case .subscriptions: subscriptions.add(need)
      case .watches: watches.add(need)
      case .trackers: trackers.add(need)
      }
    if isNew { merge() }
  }

  /// Withdraws a need of so many. It is ours to trap on one that nobody has.
  mutating func remove(_ need: Demand, count: Int = 1, as party: Party) {
    let isGone =
      switch party {
      case .requests: requests.remove(need, count: count)
      case .subscriptions: subscriptions.remove(need, count: count)
      case .watches: watches.remove(need, count: count)
      case .trackers: trackers.remove(need, count: count)
      }
    if isGone { merge() }
  }

  private mutating func merge() {
    version += 1
    merged = requests.merged.merged(with: subscriptions.merged).merged(with: watches.merged)
      .merged(with: trackers.merged)
    users = []
    if requests.merged != .off { users.insert(.requests) }
    if subscriptions.merged != .off || watches.merged != .off { users.insert(.subscriptions) }
    if trackers.merged != .off { users.insert(.trackers) }
  }
}
