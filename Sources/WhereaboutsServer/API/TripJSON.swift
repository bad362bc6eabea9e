import WhereaboutsFormats
import WhereaboutsModel

extension [UInt8] {
  /// Appends a trip.
  mutating func appendJSON(_ trip: Trip) { appendJSONObject { $0.appendJSONMember("trip", trip.id.rawValue); $0.appendJSONMember("distance", trip.totals.distance) } }
}
