import Whereabouts
import WhereaboutsCore
import WhereaboutsStore

extension OpenStore {
  /// Gives fixes from the oldest to the newest.
  func fixes(in span: Range<UTCTime>? = nil, all: Bool = false, _ body: (SeenFix) throws -> Void) throws {
    try attempt { base in
      try base.history(of: device, in: span, uses: Self.uses(all), limit: nil, newestFirst: false) {
        try body($0.fix)
      }
    }
  }

  /// Gives so many of the newest fixes, from the newest on.
  func fixes(
    in span: Range<UTCTime>? = nil, all: Bool = false, newest limit: Int, _ body: (SeenFix) throws -> Void
  ) throws {
    try attempt { base in
      try base.history(of: device, in: span, uses: Self.uses(all), limit: limit, newestFirst: true) {
        try body($0.fix)
      }
    }
  }

  /// Gives every fix that was taken, used or not, with its number; so many of the newest, or those of a span.
  func rows(
    in span: Range<UTCTime>? = nil, newest limit: Int? = nil, _ body: (KnownFixes.Row) throws -> Void
  ) throws {
    try attempt { base in
      try base.history(of: device, in: span, uses: Self.uses(true), limit: limit, newestFirst: limit != nil) {
        stored in try body(KnownFixes.Row(number: stored.seq, fix: stored.fix.fix))
      }
    }
  }

  private static func uses(_ all: Bool) -> Set<SeenFix.Use> { all ? Set(SeenFix.Use.allCases) : [.used] }

  /// The last fix that was used; `nil` where there was none.
  func lastFix() throws -> SeenFix? { try attempt { try $0.lastFix(of: device)?.fix } }

  /// All trips, from the first to the last.
  func trips() throws -> [Trip] { try attempt { try $0.trips(of: device) } }

  /// For how long something was asked of the receiver.
  func spells(in span: Range<UTCTime>) throws -> [ReceiverSpell] {
    try attempt { try $0.spells(of: device, in: span) }
  }

  /// Forgets a trip that came to nothing, when everything else is done: it has no time at which it could have ended.
  func drop(_ trip: KeptTrip) throws(CommandFailure) {
    do throws(StoreTrouble) {
      let store = try SQLiteStore.open(at: path.file)
      try store.forget(.trip(trip.id, of: device))
      store.close()
    } catch {
      throw CommandFailure(error)
    }
  }

  /// The gaps of a trip, in their order.
  func gaps(of trip: TripID) throws -> [TripGap] { try attempt { try $0.gaps(of: trip, device: device) } }

  /// The trip of a name.
  ///
  /// - Throws: where there is none.
  func trip(named name: String) throws -> Trip {
    let trips = try trips()
    if let trip = trips.first(where: { $0.id.rawValue == name }) { return trip }
    let wanted = name.lowercased()
    let close = trips.map(\.id.rawValue).first { there in
      there.lowercased().hasPrefix(wanted) || wanted.hasPrefix(there.lowercased())
    }
    let hint = close.map { "; there is \($0)" } ?? (trips.isEmpty ? "; there is none at all" : "")
    throw CommandFailure("there is no trip \(name)\(hint)")
  }

}
