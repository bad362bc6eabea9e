import WhereaboutsModel

/// The demands of all consumers but the fences, by consumer class and merged.
struct NeedRegistry: Sendable {
  /// The class of a consumer.
  enum ConsumerClass: Sendable { case requests, subscriptions, unfilteredSubscriptions, trackers }

  private(set) var requests = DemandRegistry()
  private(set) var subscriptions = DemandRegistry()
  private(set) var unfilteredSubscriptions = DemandRegistry()
  private(set) var trackers = DemandRegistry()

  /// The demand that satisfies all consumers.
  private(set) var merged = Demand.off
  /// The kinds of consumers with a demand.
  private(set) var users: ReceiverUsers = []
  /// The version of the demands; grows with each change.
  private(set) var version = 0

  mutating func add(_ need: Demand, for party: ConsumerClass) {
    let isNew =
      switch party {
      case .requests: requests.add(need)
      case .subscriptions: subscriptions.add(need)
      case .unfilteredSubscriptions: unfilteredSubscriptions.add(need)
      case .trackers: trackers.add(need)
      }
    if isNew { merge() }
  }

  /// Withdraws a demand from a number of consumers. Traps on a demand that was never added (programmer error).
  mutating func remove(_ need: Demand, count: Int = 1, for party: ConsumerClass) {
    let isGone =
      switch party {
      case .requests: requests.remove(need, count: count)
      case .subscriptions: subscriptions.remove(need, count: count)
      case .unfilteredSubscriptions: unfilteredSubscriptions.remove(need, count: count)
      case .trackers: trackers.remove(need, count: count)
      }
    if isGone { merge() }
  }

  private mutating func merge() {
    version += 1
    merged = requests.merged.merged(with: subscriptions.merged).merged(with: unfilteredSubscriptions.merged)
      .merged(with: trackers.merged)
    users = []
    if requests.merged != .off { users.insert(.requests) }
    if subscriptions.merged != .off || unfilteredSubscriptions.merged != .off { users.insert(.subscriptions) }
    if trackers.merged != .off { users.insert(.trackers) }
  }
}
