import HTTPTypes
import WhereaboutsModel
import WhereaboutsStore

/// The place in a history at which the next page begins, as text for a client.
struct HistoryCursor {
  let place: HistoryPlace

  /// Creates the cursor after a fix.
  init(after fix: StoredFix) {
    place = HistoryPlace(time: fix.rowTime.nanosecondsSince1970, seq: Int64(clamping: fix.seq))
  }

  /// Reads a cursor.
  init(_ text: String) throws(Problem) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let time = Int64(parts[0]), let seq = Int64(parts[1]),
      seq >= 0, text == Self.text(time, seq)
    else {
      throw Problem(.badRequest, "cursor must be the text that an earlier page returned as next.")
    }
    place = HistoryPlace(time: time, seq: seq)
  }

  /// The text for the client.
  var text: String { Self.text(place.time, place.seq) }

  private static func text(_ time: Int64, _ seq: Int64) -> String { "\(time).\(seq)" }
}
