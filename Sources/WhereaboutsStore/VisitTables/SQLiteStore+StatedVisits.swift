import GRDB
package import Whereabouts
package import WhereaboutsFormats
package import WhereaboutsModel

extension SQLiteStore {
  /// Adds visits that a recording states, in one transaction that survives a power cut.
  ///
  /// A visit equals the stored one if both have the same times, level and place. The stored one stays as it is.
  ///
  /// - Parameters:
  ///   - visits: the visits.
  ///   - device: the device.
  ///   - prediction: the prediction of a dry run, which grows and leaves the store unchanged; `nil` adds the visits.
  /// - Complexity: O(log n) for each visit.
  package func addStatedVisits(
    _ visits: [RecordedVisit], to device: DeviceID, dryRun prediction: ImportPrediction? = nil
  ) throws(StoreError) -> ImportResult {
    guard let prediction else {
      return try write { database in
        let row = try Self.rowID(of: device, in: database)
        var result = ImportResult()
        for visit in visits {
          try database.execute(
            sql: """
              INSERT INTO stated_visit (device, arrival, departure, level, lat, lon, name, address, kind, place_id,
                probability, confirmed)
              VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
              """,
            arguments: [
              row, visit.arrival.nanosecondsSince1970, visit.departure.nanosecondsSince1970, visit.level,
              visit.coordinate.latitude, visit.coordinate.longitude, visit.name, visit.address, visit.kind,
              visit.placeID, visit.probability, visit.isConfirmed,
            ])
          if database.changesCount > 0 { result.kept += 1 } else { result.duplicates += 1 }
        }
        return result
      }
    }
    return try read { database in
      // A file of an older version has no table.
      guard try database.tableExists("stated_visit"), let reader = try DeviceReader(database, device) else {
        return prediction.add(visits, to: device) { _ in false }
      }
      let rows = try reader.statement(
        """
        SELECT 1 FROM stated_visit
        WHERE device = ? AND arrival = ? AND departure = ? AND level = ? AND lat = ? AND lon = ?
        """)
      return try prediction.add(visits, to: device) { visit in
        rows.bind(visit.arrival.nanosecondsSince1970, 2)
        rows.bind(visit.departure.nanosecondsSince1970, 3)
        rows.bind(Int64(visit.level), 4)
        rows.bind(visit.coordinate.latitude, 5)
        rows.bind(visit.coordinate.longitude, 6)
        defer { rows.reset() }
        return try rows.step()
      }
    }
  }

  /// Returns the stored visits that recordings state, in the order of their arrivals.
  ///
  /// - Parameter span: a span of times with which each visit has an instant in common; `nil` for all times.
  package func statedVisits(
    of device: DeviceID, in span: Range<UTCTime>? = nil
  ) throws(StoreError) -> [RecordedVisit] {
    try read { database in
      // A file of an older version has none.
      guard try database.tableExists("stated_visit"), let reader = try DeviceReader(database, device) else {
        return []
      }
      let rows = try reader.statement(
        """
        SELECT arrival, departure, level, lat, lon, name, address, kind, place_id, probability, confirmed
        FROM stated_visit WHERE device = ? AND \(VisitSchema.isInSpan)
        ORDER BY arrival, departure, level, lat, lon
        """)
      let first: Int64 = span?.lowerBound.nanosecondsSince1970 ?? .min
      let end: Int64 = span?.upperBound.nanosecondsSince1970 ?? .max
      rows.bind(first, 2)
      rows.bind(end, 3)
      var visits: [RecordedVisit] = []
      while try rows.step() {
        guard let coordinate = Coordinate(latitude: rows.double(3), longitude: rows.double(4)) else {
          throw UnreadableRowError(message: "a stated visit has no valid coordinate")
        }
        visits.append(
          RecordedVisit(
            coordinate: coordinate, arrival: UTCTime(nanosecondsSince1970: rows.int(0)),
            departure: UTCTime(nanosecondsSince1970: rows.int(1)), name: rows.optionalText(5),
            address: rows.optionalText(6), kind: rows.optionalText(7), placeID: rows.optionalText(8),
            probability: rows.optionalDouble(9), isConfirmed: rows.int(10) != 0,
            level: Int(clamping: rows.int(2))))
      }
      return visits
    }
  }

  /// Returns the newest end of a stated visit that is not more than a day ahead of the wall clock; `nil` if there is
  /// none.
  package func newestStatedDeparture(of device: DeviceID, at wall: UTCTime) throws(StoreError) -> UTCTime? {
    try read { database -> UTCTime? in
      // A file of an older version has none.
      guard try database.tableExists("stated_visit"), let reader = try DeviceReader(database, device) else {
        return nil
      }
      return try reader.newestStatedDeparture(at: wall).map { UTCTime(nanosecondsSince1970: $0) }
    }
  }
}

extension VisitSchema {
  /// The condition that a visit has an instant in common with the span from ?2 to before ?3. The times of a recording
  /// may be in the wrong order.
  static let isInSpan = "min(arrival, departure) < ?3 AND max(arrival, departure) >= ?2"
}

extension DeviceReader {
  /// Erases the stated visits that ended before a time.
  func eraseStatedVisits(endedBefore time: Int64) throws {
    let delete = try statement(
      "DELETE FROM stated_visit WHERE device = ?1 AND arrival < ?2 AND departure < ?2")
    delete.bind(time, 2)
    try delete.run()
  }
}

/// The erasure of stated visits.
extension Eraser {
  /// Erases the stated visits with an instant of a span.
  mutating func eraseStatedVisits(from: Int64, to: Int64, of device: Int64) throws(StoreError) {
    try erase("DELETE FROM stated_visit WHERE device = ?1 AND \(VisitSchema.isInSpan)", of: device, from, to)
  }
}
