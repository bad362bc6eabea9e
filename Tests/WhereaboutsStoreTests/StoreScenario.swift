import GRDB
import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsStore

/// The content of the files of old versions: rows of every kind.
///
/// `RECORD=1` rewrites the file of the current version, and fails. The file of a released version is never rewritten.
enum StoreScenario {
  static func fixes() throws -> [LoggedFix] {
    try (Int64(0)..<10).map { second in
      var fix = try fix(second, 48 + Double(second) * 1e-3)
      if second == 3 { fix.climb = -0.0 }
      if second == 4 { fix.solution = .differential }
      if second == 5 { fix.time = nil }
      return LoggedFix(fix, use: second == 6 ? .late : .used, seen: t(second))
    }
  }

  static func fence() throws -> Fence {
    Fence(id: "home", area: .circle(try Area.Circle(center: try place(), radius: 50)), name: "Home")
  }

  static func fenceRecords() throws -> [NumberedFenceRecord] {
    [
      NumberedFenceRecord(number: 1, record: .event(try event(1, at: 2))),
      NumberedFenceRecord(number: 2, record: .revised(FenceEvent.ID(1), try event(1, at: 3))),
      NumberedFenceRecord(number: 3, record: .removed("shop", because: .once)),
    ]
  }

  static func trip() -> Trip {
    var trip = Trip(id: "walk", began: t(0), settledTo: t(8))
    trip.totals.distance = 1_234.5
    return trip
  }

  static func gap() -> Trip.Gap {
    Trip.Gap(
      trip: "walk", end: t(4), gap: TrackPoint.Gap(duration: 3, geodesic: 20, counted: 21, uncertainty: 4))
  }

  static func receiverUsage() -> ReceiverUsage {
    ReceiverUsage(
      number: 7, began: t(1), duration: .milliseconds(7_250),
      demand: Demand(
        fixes: .continuous(
          Demand.Continuous(accuracy: 10, distanceFilter: 50, interval: .seconds(15), activity: .walk)),
        headings: Demand.Headings(filter: 2)), users: [.requests, .fences], preset: "balanced",
      reason: .still,
      isOpen: true)
  }

  static func savedPlace() throws -> Place {
    Place(
      id: "psd9tmo", name: "Home", coordinate: try place(), radius: 120, mergedInto: "psd9tmp",
      known: t(1)..<t(8))
  }

  static func statedVisit() throws -> RecordedVisit {
    RecordedVisit(
      coordinate: try place(), arrival: t(1), departure: t(8), name: "Home", address: "1 Way",
      kind: "TYPE_HOME", placeID: "ChIJ1", probability: 0.75, isConfirmed: true, level: 1)
  }

  static func write(to store: SQLiteStore) async throws {
    var first = commit(Array(try fixes()[..<8]))
    first.fenceRecords = try fenceRecords()
    first.fences.set = [StoreCommit.FenceChange.Entry(try fence(), serial: 2)]
    first.fences.lastSerial = 2
    first.trips = [trip()]
    first.gaps = [gap()]
    first.receiverUsages = [receiverUsage()]
    first.processedUntil = t(8)
    first.snapshot = EngineSnapshot(watch: FenceWatch())
    try await store.commit(first)
    try await store.commit(commit(Array(try fixes()[8...])))
    try await store.acknowledge(through: 1, by: "page", device: .this)
    try store.edit([.removed("shop")], of: .this)
    try writeServerRows(to: store)
    try store.save([try savedPlace()], of: .this)
    _ = try store.addPast([], to: .this, offsets: statedOffsets)
    _ = try store.addStatedVisits([try statedVisit()], to: .this)
  }

  static let statedOffsets = [
    StatedOffset(time: t(2), minutes: 120), StatedOffset(time: t(4), minutes: -210),
  ]

  /// One row of each server table, as text in the order of the columns.
  static let serverRows = [
    "token": "1|Phone|1|read write|500.0|5|9|abcd2345|h|NULL|NULL|4|{}",
    "privacy_zone": "1|home|NULL|48.0|11.0|200.0|NULL|48.001|11.001|400.0",
    "rejected_row": "1|1|7|owntracks|lat|not a number|{}",
    "look": "1|1|1|Kin|7|192.0.2.0/24",
    "server_secret": "1|key",
    "shared_fence": "school|3|{}",
    "alert_progress": "way|1|[]",
    "notification": "1|k|way|page|1|1|1|crossing|5|[]|0|6|7|2|waiting|8|no answer",
  ]

  /// Returns the first version of a table.
  static func firstVersion(of table: String) -> Int {
    ["alert_progress", "notification", "look"].contains(table) ? 5 : 2
  }

  /// Returns the row of a table in a migrated file of a version.
  static func serverRow(_ row: String, of table: String, writtenBy version: Int) -> String {
    guard table == "token" else { return row }
    // Version 3 added the column `since`, version 5 the column `link`.
    let columns = row.split(separator: "|").map(String.init), old = version < 3 ? 2 : version < 5 ? 1 : 0
    return (columns.dropLast(old) + Array(repeating: "NULL", count: old)).joined(separator: "|")
  }

  static func writeServerRows(to store: SQLiteStore) throws {
    try store.write { database in
      for (table, row) in serverRows {
        let values = row.split(separator: "|").map { text in
          if text == "NULL" || Double(text) != nil { return String(text) }
          return ["h", "key"].contains(text) || text == "{}" && table == "rejected_row"
            ? "CAST('\(text)' AS BLOB)" : "'\(text)'"
        }
        let columns = try database.columns(in: table).map(\.name).joined(separator: ", ")
        try database.execute(
          sql: "INSERT INTO \(table) (\(columns)) VALUES (\(values.joined(separator: ", ")))")
      }
    }
  }

  static func serverRow(of table: String, in store: SQLiteStore) throws -> String? {
    try store.read { database in
      let columns = try database.columns(in: table)
        .map { "coalesce(CAST(\($0.name) AS TEXT), 'NULL')" }.joined(separator: " || '|' || ")
      return try String.fetchOne(database, sql: "SELECT \(columns) FROM \(table)")
    }
  }
}
