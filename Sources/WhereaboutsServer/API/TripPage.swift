import Hummingbird
import WhereaboutsFormats
import WhereaboutsModel

/// A page of a device's trips, in the order of their beginnings.
///
/// The text of ``next`` has the beginning of the page's last trip, and the number of the trip among those that begin
/// then. New trips are at the end of the order, so that they neither repeat nor hide others.
struct TripPage {
  /// The trips of the page.
  let trips: ArraySlice<Trip>
  /// The cursor of the next page; `nil` at the end.
  let next: String?

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - all: every trip that the reader may see, in any order.
  ///   - cursor: the ``next`` of the page before; `nil` for the first page.
  ///   - limit: the greatest number of trips.
  /// - Throws: ``Problem`` 400 for another text.
  init(of all: [Trip], after cursor: String?, limit: Int) throws(Problem) {
    let all = all.sorted { (Self.beginning(of: $0), $0.id) < (Self.beginning(of: $1), $1.id) }
    let beginnings = all.map(Self.beginning)
    func count(before time: Int64) -> Int { beginnings.firstIndex { $0 >= time } ?? all.count }
    var start = 0
    if let cursor {
      let parts = cursor.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, let time = Int64(parts[0]), let number = Int(parts[1]), number > 0,
        cursor == "\(time).\(number)"
      else { throw Problem(.badRequest, "cursor must be the text that an earlier page returned as next.") }
      let later = beginnings.firstIndex { $0 > time } ?? all.count
      start = min(count(before: time) + min(number, all.count), later)
    }
    let end = min(start + limit, all.count)
    trips = all[start..<end]
    next =
      end < all.count && end > 0
      ? "\(beginnings[end - 1]).\(end - count(before: beginnings[end - 1]))" : nil
  }

  /// Returns the beginning of a trip. An open trip without a settled point has begun last.
  private static func beginning(of trip: Trip) -> Int64 {
    trip.began?.nanosecondsSince1970 ?? (trip.ended == nil ? .max : .min)
  }

  /// Appends the trips and the cursor of the next page.
  func append(to body: inout [UInt8]) {
    body.appendJSONMember("trips", trips) { body, trip in body.appendJSON(trip) }
    body.appendJSONMember("next", next)
  }
}
