import Synchronization
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

/// The looks at links: the reader and time of each, and whether a link may be opened again.
///
/// A look is every request of a reader within half an hour of the first one, so that a page with repeated requests is
/// one look. The look is on the disk before the reader receives any data.
final class LookRegister: Sendable {
  /// The duration of a look.
  static let duration = Duration.seconds(1_800)
  /// The greatest number of links whose looks are kept in memory.
  private static let capacity = 1_000

  private struct Looks {
    var count = 0
    /// The beginning of each reader's last look.
    var begins: [String: UTCTime] = [:]
  }

  private let store: SQLiteStore
  private let links = Mutex<[AccessToken.ID: Looks]>([:])

  init(_ store: SQLiteStore) { self.store = store }

  /// Returns whether a reader may look at a link, and stores a new look.
  ///
  /// - Complexity: a lookup in memory, except for the first request of a look.
  func admit(_ token: AccessToken, _ reader: String, at now: UTCTime) throws(StoreError) -> Bool {
    guard let device = token.device else { return true }
    return try links.withLock { (links) throws(StoreError) in
      var looks: Looks
      if let known = links[token.id] { looks = known } else { looks = try load(token.id, device) }
      defer {
        if links.count >= Self.capacity { links.removeAll() }
        links[token.id] = looks
      }
      // A clock that was set back prolongs a look only briefly.
      if let begin = looks.begins[reader], now >= begin, now.since(begin) < Self.duration { return true }
      if let greatest = token.terms.link?.looks, looks.count >= greatest { return false }
      let look = StoredLook(token: token.id, label: token.terms.label, time: now, reader: reader)
      try store.append(look, at: device)
      looks.count += 1
      looks.begins[reader] = now
      return true
    }
  }

  private func load(_ token: AccessToken.ID, _ device: DeviceID) throws(StoreError) -> Looks {
    var looks = Looks()
    for look in try store.looks(at: device, with: token).reversed() {
      looks.count += 1
      looks.begins[look.reader] = look.time
    }
    return looks
  }
}
