import WhereaboutsModel

/// The subscriptions of one kind, in the order they were made, each with its state.
struct SubscriptionTable<Follower: Sendable>: Sendable {
  private struct Entry: Sendable {
    let id: SubscriptionID
    let terms: SubscriptionTerms
    var follower: Follower
  }

  /// The entries by ascending id. Ids are usually issued in ascending order; another order works too.
  private var entries: [Entry] = []

  var count: Int { entries.count }

  var ids: [SubscriptionID] { entries.map(\.id) }

  func contains(_ id: SubscriptionID) -> Bool { index(of: id) != nil }

  mutating func add(_ id: SubscriptionID, _ follower: Follower, _ terms: SubscriptionTerms) {
    let place = firstIndex(notBefore: id)
    precondition(
      place == entries.count || entries[place].id != id, "subscription \(id.number) was made twice")
    entries.insert(Entry(id: id, terms: terms, follower: follower), at: place)
  }

  mutating func remove(_ id: SubscriptionID) -> SubscriptionTerms? {
    index(of: id).map { entries.remove(at: $0).terms }
  }

  mutating func forEach(_ body: (SubscriptionID, inout Follower) -> Void) {
    for index in entries.indices { body(entries[index].id, &entries[index].follower) }
  }

  /// Returns the result of a closure on a subscription's state; `nil` if no subscription has the id.
  func read<Value>(_ id: SubscriptionID, _ body: (borrowing Follower) -> Value) -> Value? {
    index(of: id).map { body(entries[$0].follower) }
  }

  func forEachValue(_ body: (Follower) -> Void) {
    for entry in entries { body(entry.follower) }
  }

  mutating func update<Value>(_ id: SubscriptionID, _ body: (inout Follower) -> Value) -> Value? {
    index(of: id).map { body(&entries[$0].follower) }
  }

  private func index(of id: SubscriptionID) -> Int? {
    let place = firstIndex(notBefore: id)
    return place < entries.count && entries[place].id == id ? place : nil
  }

  private func firstIndex(notBefore id: SubscriptionID) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
