import WhereaboutsModel
import WhereaboutsReports

extension [UInt8] {
  /// Appends a trip as `trips --json` prints it.
  mutating func appendJSON(_ trip: Trip) { TripJSON.append(trip, to: &self) }

  /// Appends a gap of a trip as `trips --json` prints it.
  mutating func appendJSON(_ gap: Trip.Gap) { TripJSON.append(gap, to: &self) }
}
