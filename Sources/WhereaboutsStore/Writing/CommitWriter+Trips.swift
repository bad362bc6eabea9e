import WhereaboutsModel

extension CommitWriter {
  func write(_ trip: Trip, _ state: DeviceState) throws {
    let statement = try Statement(database, TripRow.insert)
    TripRow.bind(trip, device: state.id, to: statement)
    try statement.run()
    hook?(.afterTrip)
  }

  func write(_ gap: Trip.Gap, _ state: DeviceState) throws {
    let statement = try Statement(
      database,
      """
      INSERT OR REPLACE INTO trip_gap (device, trip, end, duration, geodesic, counted, uncertainty)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    statement.bind(state.id, 1)
    statement.bind(gap.trip.rawValue, 2)
    statement.bind(gap.end.nanosecondsSince1970, 3)
    statement.bind(gap.gap.duration, 4)
    statement.bind(gap.gap.geodesic, 5)
    statement.bind(gap.gap.counted, 6)
    statement.bind(gap.gap.uncertainty, 7)
    try statement.run()
    hook?(.afterTrip)
  }
}
