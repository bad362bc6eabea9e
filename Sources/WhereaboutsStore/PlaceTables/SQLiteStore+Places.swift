import GRDB
package import Whereabouts
package import WhereaboutsModel

extension SQLiteStore {
  /// Returns the places that a person has named or merged, in the order of their identifiers.
  ///
  /// - Parameter unreadable: called with the identifier of each place that can't be read, which is left out.
  package func places(
    of device: DeviceID, unreadable: (String) -> Void = { _ in }
  ) throws(StoreError) -> [Place] {
    try read { database in
      // A file of an older version has none.
      guard try database.tableExists("place"), let reader = try DeviceReader(database, device) else {
        return []
      }
      let rows = try reader.statement(
        "SELECT id, name, lat, lon, radius, merged_into, first, last FROM place WHERE device = ? ORDER BY id")
      var places: [Place] = []
      while try rows.step() {
        guard let coordinate = Coordinate(latitude: rows.double(2), longitude: rows.double(3)) else {
          unreadable(rows.text(0))
          continue
        }
        var place = Place(
          id: rows.text(0), name: rows.optionalText(1), coordinate: coordinate, radius: rows.double(4),
          mergedInto: rows.optionalText(5))
        if let first = rows.optionalInt(6), let last = rows.optionalInt(7), first <= last {
          place.known = UTCTime(nanosecondsSince1970: first)..<UTCTime(nanosecondsSince1970: last)
        }
        places.append(place)
      }
      return places
    }
  }

  /// Erases what is stored of a place, also of one that can't be read.
  ///
  /// - Parameter text: the identifier or the name of the place. Of several, the one with the identifier is erased, and
  ///   one that is merged into another place, which may have a name that is in use again, is the last choice.
  /// - Returns: the number of erased places, at most one.
  package func erasePlace(_ text: String, of device: DeviceID) throws(StoreError) -> Int {
    try eraseRows(
      """
      DELETE FROM place WHERE (device, id) = (
        SELECT device, id FROM place WHERE device = (SELECT id FROM device WHERE name = ?1) AND (id = ?2 OR name = ?2)
        ORDER BY id <> ?2, merged_into IS NOT NULL, id LIMIT 1)
      """, arguments: [device.rawValue, text])
  }

  /// Stores places, in one transaction. A place of the same identifier is replaced.
  package func save(_ places: [Place], of device: DeviceID) throws(StoreError) {
    try write { database in
      let row = try Self.rowID(of: device, in: database)
      for place in places {
        try database.execute(
          sql: """
            INSERT OR REPLACE INTO place (device, id, name, lat, lon, radius, merged_into, first, last)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            row, place.id, place.name, place.coordinate.latitude, place.coordinate.longitude, place.radius,
            place.mergedInto, place.known?.lowerBound.nanosecondsSince1970,
            place.known?.upperBound.nanosecondsSince1970,
          ])
      }
    }
  }
}
