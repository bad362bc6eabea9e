import Whereabouts
package import WhereaboutsEngine
package import WhereaboutsModel
import WhereaboutsReports
package import WhereaboutsSources
import WhereaboutsStore

extension OpenStore {
  /// Calls the body with each fix, the oldest first.
  package func fixes(in span: Range<UTCTime>? = nil, all: Bool = false, _ body: (LoggedFix) throws -> Void)
    throws
  {
    try attempt { base in
      try base.history(of: device, in: span, uses: Self.uses(all), limit: nil, newestFirst: false) {
        try body($0.fix)
      }
    }
  }

  /// Calls the body with each fix of a trip up to the end of its settled track, used or not, the oldest first. Reports
  /// this end for an open trip.
  ///
  /// Fixes that were stored before the first one of the trip are left out: if the date was corrected on the way, fixes
  /// of earlier trips lie between the wrong date and the right one.
  ///
  /// - Throws: ``CommandError`` if nothing of an open trip is settled, or if the end is before the beginning: the fixes
  ///   lie in no single time range.
  package func fixes(of trip: Trip, _ body: (LoggedFix) throws -> Void) throws {
    guard let began = trip.began, let settled = trip.settledTo else {
      guard trip.ended == nil else { return }
      throw CommandError(
        """
        no fix to write: trip \(trip.id) is open, and nothing of it is settled yet. Pass --since instead of --trip \
        to export fixes that are not settled.
        """)
    }
    guard let span = trip.span else {
      throw CommandError(
        """
        could not export trip \(trip.id): its first fix is dated \(Self.moment(began)) and its last one \
        \(Self.moment(settled)), because the date went back on the way. Pass --since and --until instead of --trip.
        """)
    }
    var first: UInt64?
    try attempt { base in
      try base.history(of: device, in: span, uses: Self.uses(true), limit: nil, newestFirst: false) {
        stored in
        let start = first ?? (stored.rowTime == began ? stored.seq : 0)
        first = start
        if stored.seq >= start { try body(stored.fix) }
      }
    }
    guard trip.ended == nil else { return }
    StandardError.print(
      """
      trip \(trip.id) is open: the export ends with its settled track, at \(Self.moment(settled)). Pass --since \
      instead of --trip to export later fixes.
      """.sanitizedToOneLine)
  }

  private static func moment(_ time: UTCTime) -> String { "\(time.dateText) \(time.clockText) UTC" }

  /// Calls the body with the newest fixes up to a number, the newest first.
  package func fixes(
    in span: Range<UTCTime>? = nil, all: Bool = false, newest limit: Int, _ body: (LoggedFix) throws -> Void
  ) throws {
    try attempt { base in
      try base.history(of: device, in: span, uses: Self.uses(all), limit: limit, newestFirst: true) {
        try body($0.fix)
      }
    }
  }

  /// Calls the body with each stored fix, used or not, and its number. The rows are the newest ones or those of a
  /// time span.
  package func rows(
    in span: Range<UTCTime>? = nil, newest limit: Int? = nil, _ body: (KnownFixes.Row) throws -> Void
  ) throws {
    try attempt { base in
      try base.history(of: device, in: span, uses: Self.uses(true), limit: limit, newestFirst: limit != nil) {
        stored in try body(KnownFixes.Row(number: stored.seq, fix: stored.fix.fix))
      }
    }
  }

  private static func uses(_ all: Bool) -> Set<LoggedFix.Use> { all ? Set(LoggedFix.Use.allCases) : [.used] }

  /// Returns the last used fix; `nil` if there is none.
  package func lastFix() throws -> LoggedFix? { try attempt { try $0.lastFix(of: device)?.fix } }

  /// Returns all trips from the first to the last.
  package func trips() throws -> [Trip] { try attempt { try $0.tripsWithAhead(of: device) } }

  /// Returns the uses of the receiver in a time span.
  package func receiverUsage(in span: Range<UTCTime>) throws -> [ReceiverUsage] {
    try attempt { try $0.receiverUsages(of: device, in: span) }
  }

  /// Deletes an empty trip at the very end, because an empty trip has no end time.
  package func discard(_ trip: TrackedTrip) throws(CommandError) {
    do throws(StoreError) {
      let store = try SQLiteStore.open(at: path.file)
      try store.forget(.trip(trip.id, of: device))
      store.close()
    } catch {
      throw CommandError(error)
    }
  }

  /// Returns the gaps of a trip in their order.
  package func gaps(of trip: TripID) throws -> [Trip.Gap] {
    try attempt { try $0.gaps(of: trip, device: device) }
  }
}
