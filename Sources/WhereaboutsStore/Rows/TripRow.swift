import WhereaboutsModel

/// The columns of a trip.
enum TripRow {
  static let names = [
    "device", "id", "began", "settled_to", "ended", "distance", "uncertainty", "bridged_distance", "gaps",
    "elapsed_time",
    "moving_time", "maximum_speed", "ascent", "descent", "segments", "late_fixes", "duplicate_fixes",
  ]

  static let insert = """
    INSERT OR REPLACE INTO trip (\(names.joined(separator: ", "))) \
    VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
    """

  /// The columns that ``trip(of:)`` reads, in order.
  static let selected = names.dropFirst().joined(separator: ", ")

  static func bind(_ trip: Trip, device: Int64, to statement: Statement) {
    let totals = trip.totals
    statement.bind(device, 1)
    statement.bind(trip.id.rawValue, 2)
    statement.bind(trip.began?.nanosecondsSince1970, 3)
    statement.bind(trip.settledTo?.nanosecondsSince1970, 4)
    statement.bind(trip.ended?.nanosecondsSince1970, 5)
    statement.bind(totals.distance, 6)
    statement.bind(totals.uncertainty, 7)
    statement.bind(totals.bridged, 8)
    statement.bind(Int64(totals.gaps), 9)
    statement.bind(totals.elapsed, 10)
    statement.bind(totals.moving, 11)
    statement.bind(totals.fastest, 12)
    statement.bind(totals.ascent, 13)
    statement.bind(totals.descent, 14)
    statement.bind(Int64(totals.segments), 15)
    statement.bind(Int64(trip.lateFixes), 16)
    statement.bind(Int64(trip.duplicates), 17)
  }

  /// Decodes a row of ``selected``.
  static func trip(of row: Statement) -> Trip {
    func time(_ column: Int32) -> UTCTime? {
      row.optionalInt(column).map(UTCTime.init(nanosecondsSince1970:))
    }
    var totals = TrackTotals()
    totals.distance = row.double(4)
    totals.uncertainty = row.double(5)
    totals.bridged = row.double(6)
    totals.gaps = Int(clamping: row.int(7))
    totals.elapsed = row.double(8)
    totals.moving = row.double(9)
    totals.fastest = row.double(10)
    totals.ascent = row.optionalDouble(11)
    totals.descent = row.optionalDouble(12)
    totals.segments = Int(clamping: row.int(13))
    return Trip(
      id: TripID(rawValue: row.text(0)), totals: totals, began: time(1), settledTo: time(2), ended: time(3),
      lateFixes: Int(clamping: row.int(14)), duplicates: Int(clamping: row.int(15)))
  }
}
