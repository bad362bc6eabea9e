import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsStore

/// A writer of the events of one stream, limited to what its reader may see.
struct EventWriter: Sendable {
  /// The only device; `nil` for all.
  let device: DeviceID?
  let token: AccessToken
  let authenticator: Authenticator
  let fences: SharedFences
  let store: SQLiteStore

  /// The number of positions that ``lastShown(upTo:pageSize:)`` reads at least.
  private static let searchedPositions: UInt64 = 1_000

  /// Returns the position of the newest crossing up to a position that the reader may see.
  ///
  /// Without a limit, the search would read the whole store for a device that seldom crosses a fence, and for a new link.
  /// If the newest thousand positions hold no such crossing, the result is a multiple of 1,000 before them, or 0.
  func lastShown(upTo position: UInt64, pageSize: Int) async throws(StoreError) -> UInt64 {
    let disclosure = authenticator.disclosure(for: token), fences = fences.snapshot.registry
    let thousands = position / Self.searchedPositions
    let start = thousands == 0 ? 0 : (thousands - 1) * Self.searchedPositions
    var greatest = position
    while greatest > start {
      let records = try store.fenceRecords(
        newestUpToPosition: greatest, after: start, of: device, limit: pageSize)
      for entry in records {
        if try json(of: entry, fences, disclosure) != nil { return entry.position }
      }
      guard records.count == pageSize, let oldest = records.last else { break }
      greatest = oldest.position - 1
    }
    return start
  }

  /// Whether the reader's token has neither been revoked nor expired.
  var isAllowed: Bool { authenticator.isValid(token) }

  /// A page of crossings as events.
  struct Page: Sendable {
    var bytes: [UInt8] = []
    /// The number of records read, also of those that the reader may not see.
    var count = 0
    /// The position of the last record read.
    var position: UInt64
    /// The position of the last crossing that the reader has seen.
    var shown: UInt64
  }

  /// Returns the crossings after a position that the reader may see. There are none for a token that is no longer
  /// valid: a slow reader may take hours for the crossings that wait.
  ///
  /// - Parameter shown: the position of the last crossing that the reader has seen.
  func crossings(after position: UInt64, shown: UInt64, limit: Int) async throws(StoreError) -> Page {
    var page = Page(position: position, shown: shown)
    guard isAllowed else { return page }
    // A zone may have been added since the stream was opened.
    let disclosure = authenticator.disclosure(for: token), fences = fences.snapshot.registry
    let records = try store.fenceRecords(afterPosition: position, of: device, limit: limit)
    page.count = records.count
    for entry in records {
      page.position = entry.position
      guard let json = try self.json(of: entry, fences, disclosure) else { continue }
      page.shown = entry.position
      page.bytes.append("id: \(entry.position)\nevent: crossing\ndata: ")
      page.bytes += json
      page.bytes.append("\n\n")
    }
    return page
  }

  private func json(
    of entry: OrderedFenceRecord, _ fences: FenceRegistry, _ disclosure: Disclosure
  ) throws(StoreError) -> [UInt8]? {
    let revoked = try store.event(revokedBy: entry.record, of: entry.device)
    return entry.record.json(of: entry.device, revoked: revoked, fences, disclosure)
  }

  /// Appends the newest fix of each device.
  func append(
    _ fixes: [DeviceID: Fix], position: UInt64, to bytes: inout [UInt8]
  ) {
    let disclosure = authenticator.disclosure(for: token)
    for (device, newest) in fixes.sorted(by: { $0.key < $1.key }) {
      guard let fix = disclosure.newestFix(newest, of: device) else { continue }
      bytes.append("id: \(position)\nevent: fix\ndata: ")
      bytes.appendJSONObject { $0.appendJSONMembers(of: fix, device: device) }
      bytes.append("\n\n")
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ text: String) { append(contentsOf: text.utf8) }
}
