import GRDB
public import Whereabouts
public import WhereaboutsModel

extension SQLiteStore {
  /// Reads the history of a device page by page.
  ///
  /// Each page is a transaction of its own, and `body` runs outside of the transaction. A slow `body` therefore never
  /// keeps the log from being emptied. Fixes committed meanwhile are left out; fixes erased meanwhile may be missing.
  ///
  /// - Parameters:
  ///   - device: the device.
  ///   - span: the span of times; `nil` for all times.
  ///   - uses: the uses of the fixes to return.
  ///   - limit: the greatest number of fixes, the first in the requested order; `nil` for all.
  ///   - newestFirst: whether the order of time is reversed. Fixes of equal time come in the order of processing, or
  ///     its reverse.
  ///   - body: receives each fix. A thrown error ends the reading.
  /// - Throws: ``Whereabouts/StoreError``, and the errors of `body`.
  /// - Complexity: O(log n) to the first fix, O(1) to each next one.
  public func history(
    of device: DeviceID, in span: Range<UTCTime>? = nil, uses: Set<LoggedFix.Use> = [.used],
    limit: Int? = nil,
    newestFirst: Bool = false, _ body: (StoredFix) throws -> Void
  ) throws {
    var pages = HistoryPages(device: device, span: span, uses: uses, newestFirst: newestFirst)
    var left = limit ?? .max
    while left > 0 {
      let page = try read { try pages.next(in: $0, atMost: left) }
      for fix in page { try body(fix) }
      guard !pages.isAtEnd else { return }
      left -= page.count
    }
  }

  /// Returns a device's last used fix, of any age, or a newer imported one; `nil` if there is none.
  public func lastFix(of device: DeviceID) throws(StoreError) -> StoredFix? {
    let wall = writerConnection.wall()
    return try read { database -> StoredFix? in
      guard let reader = try DeviceReader(database, device), let last = try reader.lastUsed(at: wall) else {
        return nil
      }
      return try reader.newestImported(after: last.rowTime, at: wall) ?? last
    }
  }

  /// Returns the last fix with which an engine of a device resumes, without imported ones; `nil` if there is none.
  package func lastUsedFix(of device: DeviceID) throws(StoreError) -> Fix? {
    let wall = writerConnection.wall()
    return try read { database -> Fix? in
      try DeviceReader(database, device)?.lastProcessed(at: wall)?.fix.fix
    }
  }

  /// Returns the numbers of the used fixes of a device that are older than the used fix before, in ascending order. The
  /// number after an import of later fixes is among them.
  package func clockResets(of device: DeviceID) throws(StoreError) -> [UInt64] {
    try read { database in
      guard let reader = try DeviceReader(database, device) else { return [] }
      let rows = try reader.statement("SELECT seq FROM time_reset WHERE device = ? ORDER BY seq")
      var numbers: [UInt64] = []
      while try rows.step() { numbers.append(UInt64(clamping: rows.int(0))) }
      return numbers
    }
  }

  /// Returns every device with stored data, in the order of names.
  public func devices() throws(StoreError) -> [DeviceID] {
    try read { database in
      try String.fetchAll(database, sql: "SELECT name FROM device ORDER BY name").map(
        DeviceID.init(rawValue:))
    }
  }

  /// Returns every device with fixes, stated visits, trips or fence records, in the order of names.
  ///
  /// - Parameter usageCounts: whether a device with receiver usage alone is among them.
  package func devicesWithPast(usageCounts: Bool = false) throws(StoreError) -> [DeviceID] {
    let tables =
      ["fix", "trip", "fence_record"] + (usageCounts ? ["receiver_usage"] : []) + VisitSchema.tablesByDevice
    return try read { database in
      // A file of an older version has no stated visits.
      let any = try tables.filter { try database.tableExists($0) }
        .map { "EXISTS (SELECT 1 FROM \($0) WHERE \($0).device = device.id)" }
      return try String.fetchAll(
        database, sql: "SELECT name FROM device WHERE \(any.joined(separator: " OR ")) ORDER BY name"
      ).map(DeviceID.init(rawValue:))
    }
  }

  /// Returns the trips of a device, in the order of their beginnings. An open trip without a settled point is last.
  public func trips(of device: DeviceID) throws(StoreError) -> [Trip] {
    try read { database in try DeviceReader(database, device)?.trips() ?? [] }
  }

  /// Returns the trips in the same order, the open ones with the distance that would be added if they ended now.
  package func tripsWithAhead(of device: DeviceID) throws(StoreError) -> [Trip] {
    try read { database in try DeviceReader(database, device)?.tripsWithAhead() ?? [] }
  }

  /// Returns the gaps of a trip, in order of time.
  public func gaps(of trip: TripID, device: DeviceID) throws(StoreError) -> [Trip.Gap] {
    try read { database in
      guard let reader = try DeviceReader(database, device) else { return [] }
      let rows = try reader.statement(
        """
        SELECT end, duration, geodesic, counted, uncertainty FROM trip_gap
        WHERE device = ? AND trip = ? ORDER BY end
        """)
      rows.bind(trip.rawValue, 2)
      var gaps: [Trip.Gap] = []
      while try rows.step() {
        gaps.append(
          Trip.Gap(
            trip: trip, end: UTCTime(nanosecondsSince1970: rows.int(0)),
            gap: TrackPoint.Gap(
              duration: rows.double(1), geodesic: rows.double(2), counted: rows.double(3),
              uncertainty: rows.double(4))))
      }
      return gaps
    }
  }
}
