import GRDB
public import Whereabouts
public import WhereaboutsCore

extension SQLiteStore {
  /// Goes through the history of a device, without holding more than one fix of it.
  ///
  /// - Parameters:
  ///   - device: whose.
  ///   - span: of which times; everything where `nil`.
  ///   - uses: which fixes.
  ///   - limit: at most so many, the first in the order asked for; all where `nil`.
  ///   - newestFirst: backwards in time. Of one time they come in the order in which they were taken, or the reverse.
  ///   - body: is given each. Ends it by throwing.
  /// - Throws: ``Whereabouts/StoreTrouble``, and what `body` throws.
  /// - Complexity: O(log n) to the first, O(1) to the next.
  public func history(
    of device: DeviceID, in span: Range<UTCTime>? = nil, uses: Set<SeenFix.Use> = [.used], limit: Int? = nil,
    newestFirst: Bool = false, _ body: (StoredFix) throws -> Void
  ) throws {
    // What the caller throws is not a trouble of the store's.
    var ownEnd: (any Error)?
    let uses = uses.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    let order = newestFirst ? "DESC" : "ASC"
    try read { database in
      guard let reader = try DeviceReader(database, device) else { return }
      let rows = try reader.statement(
        """
        SELECT \(FixRow.selected) FROM fix
        WHERE device = ? AND time >= ? AND time < ? AND use IN (\(uses))
        ORDER BY time \(order), seq \(order) LIMIT ?
        """)
      rows.bind(span?.lowerBound.nanosecondsSince1970 ?? .min, 2)
      rows.bind(span?.upperBound.nanosecondsSince1970 ?? .max, 3)
      rows.bind(Int64(limit ?? -1), 4)
      while try rows.step() {
        let fix = try FixRow.fix(of: rows)
        do { try body(fix) } catch {
          ownEnd = error
          return
        }
      }
    }
    if let ownEnd { throw ownEnd }
  }

  /// The last fix of a device that was used, as it was: as old as it is. `nil` where there was none, or it is erased.
  public func lastFix(of device: DeviceID) throws(StoreTrouble) -> StoredFix? {
    try read { database in try DeviceReader(database, device)?.lastUsed() }
  }

  /// Every device of which anything is kept, in the order of their names.
  public func devices() throws(StoreTrouble) -> [DeviceID] {
    try read { database in
      try String.fetchAll(database, sql: "SELECT name FROM device ORDER BY name").map(
        DeviceID.init(rawValue:))
    }
  }

  /// The trips of a device, in the order in which they began.
  public func trips(of device: DeviceID) throws(StoreTrouble) -> [Trip] {
    try read { database in try DeviceReader(database, device)?.trips() ?? [] }
  }

  /// The gaps of a trip, in the order of time.
  public func gaps(of trip: TripID, device: DeviceID) throws(StoreTrouble) -> [TripGap] {
    try read { database in
      guard let reader = try DeviceReader(database, device) else { return [] }
      let rows = try reader.statement(
        """
        SELECT end, duration, geodesic, counted, uncertainty FROM trip_gap
        WHERE device = ? AND trip = ? ORDER BY end
        """)
      rows.bind(trip.rawValue, 2)
      var gaps: [TripGap] = []
      while try rows.step() {
        gaps.append(
          TripGap(
            trip: trip, end: UTCTime(nanosecondsSince1970: rows.int(0)),
            gap: TrackGap(
              duration: rows.double(1), geodesic: rows.double(2), counted: rows.double(3),
              uncertainty: rows.double(4))))
      }
      return gaps
    }
  }
}
