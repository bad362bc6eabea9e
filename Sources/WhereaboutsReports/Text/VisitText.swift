package import WhereaboutsModel
import WhereaboutsGeodesy

/// Arrivals and departures as text and as JSON.
package enum VisitText {
  /// Returns `2024-05-14 08:15:06  arrived  51.477476  -0.006727  ±12 m`, or a line with `left` and
  /// `after 47 min 04 s`.
  package static func line(_ visit: Visit) -> String {
    let time = visit.departure ?? visit.arrival
    var columns = [
      "\(time.dateText) \(time.clockText)",
      visit.departure == nil ? "arrived" : "left   ",
      visit.coordinate.latitude.fixed(6).padded(to: 10, onLeft: true),
      visit.coordinate.longitude.fixed(6).padded(to: 11, onLeft: true),
      "±\(Quantities.accuracy(visit.accuracy))".padded(to: 8),
    ]
    if let departure = visit.departure {
      columns.append("after \(Quantities.duration(departure.seconds(since: visit.arrival).rounded()))")
    }
    var line = columns.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Returns the documented JSON form of a visit after `event`: `arrival` or `departure`.
  package static func json(_ visit: Visit) -> [UInt8] {
    var object = JSONObject()
    object.add("event", visit.departure == nil ? "arrival" : "departure")
    object.add("lat", visit.coordinate.latitude)
    object.add("lon", visit.coordinate.longitude)
    object.add("hacc", visit.accuracy)
    object.add("arrival", visit.arrival.iso8601)
    object.add("departure", visit.departure?.iso8601)
    object.add("leftBefore", visit.leftBefore?.iso8601)
    return object.bytes
  }
}
