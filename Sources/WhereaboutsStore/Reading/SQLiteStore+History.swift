import GRDB
public import Whereabouts
public import WhereaboutsCore

extension SQLiteStore {
  /// Goes through the history of a device, a page at a time.
  ///
  /// Each page is a transaction of its own, and `body` is called outside of it: however slow `body` is, the log beside the
  /// file can be emptied. Fixes that are committed meanwhile are not given; those that are erased meanwhile may be missing.
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
    var pages = HistoryPages(device: device, span: span, uses: uses, newestFirst: newestFirst)
    var left = limit ?? .max
    while left > 0 {
      let page = try read { try pages.next(in: $0, atMost: left) }
      for fix in page { try body(fix) }
      guard !pages.isOver else { return }
      left -= page.count
    }
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
