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

  static func uses(_ all: Bool) -> Set<LoggedFix.Use> { all ? Set(LoggedFix.Use.allCases) : [.used] }

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
