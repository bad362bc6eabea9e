import HTTPTypes
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

/// The place in a history at which the next page begins, as text for a client.
///
/// The owner's text has the number of the last fix among all fixes of the device. That of another reader has its number
/// among the fixes of its instant: the other number would state how many fixes are withheld.
struct HistoryCursor {
  /// The greatest number of fixes of one instant that are counted.
  private static let mostCounted = 10_000

  let place: HistoryPlace

  private init(place: HistoryPlace) { self.place = place }

  /// Creates the cursor after a fix.
  init(after fix: StoredFix) {
    self.init(
      place: HistoryPlace(time: fix.rowTime.nanosecondsSince1970, seq: Int64(clamping: fix.seq)))
  }

  /// Reads a cursor of any reader.
  init(_ text: String, of device: DeviceID, in store: SQLiteStore) throws {
    let parts = text.split(separator: "~", omittingEmptySubsequences: false)
    guard parts.count == 2, let time = Int64(parts[0]), let count = Int(parts[1]), count >= 0,
      text == "\(time)~\(count)"
    else {
      try self.init(text)
      return
    }
    let last = try Self.fixes(at: time, of: device, limit: min(count, Self.mostCounted), in: store).last
    self.init(place: HistoryPlace(time: time, seq: last.map { Int64(clamping: $0.seq) } ?? .min))
  }

  private init(_ text: String) throws(Problem) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let time = Int64(parts[0]), let seq = Int64(parts[1]),
      seq >= 0, text == Self.text(time, seq)
    else {
      throw Problem(.badRequest, "cursor must be the text that an earlier page returned as next.")
    }
    self.init(place: HistoryPlace(time: time, seq: seq))
  }

  /// Returns the text for a reader.
  func text(
    for disclosure: Disclosure, of device: DeviceID, in store: SQLiteStore
  ) throws(StoreError) -> String {
    let whole = Self.text(place.time, place.seq)
    guard !disclosure.isOwner(of: device) else { return whole }
    let fixes = try Self.fixes(at: place.time, of: device, limit: Self.mostCounted, in: store)
    let count = fixes.count { Int64(clamping: $0.seq) <= place.seq }
    return count < Self.mostCounted ? "\(place.time)~\(count)" : whole
  }

  /// Returns the first fixes of an instant.
  private static func fixes(
    at time: Int64, of device: DeviceID, limit: Int, in store: SQLiteStore
  ) throws(StoreError) -> [StoredFix] {
    let start = UTCTime(nanosecondsSince1970: time)
    let end = max(start, start.advanced(by: .nanoseconds(1)))
    return try store.historyPage(of: device, in: start..<end, after: nil, limit: limit)
  }

  private static func text(_ time: Int64, _ seq: Int64) -> String { "\(time).\(seq)" }
}
