import GRDB
package import Whereabouts
import WhereaboutsModel

/// A used fix of an import.
package struct ImportedFix: Hashable, Sendable {
  /// The time in nanoseconds since 1970.
  package var time: Int64
  /// The number of the fix in its device.
  package var seq: Int64
  /// The place.
  package var coordinate: Coordinate
  /// The stated accuracy in metres, 68 %; `nil` if absent.
  package var accuracy: Double?
  /// The number of the import; 0 for an import by an older version.
  package var source: Int
}

extension SQLiteStore {
  /// Reads the used fixes that were imported for a device, in the order of time, page by page.
  package func importedFixes(of device: DeviceID, _ body: (ImportedFix) throws -> Void) throws {
    let pageSize = 5_000
    var position = HistoryPosition(time: .min, seq: .min)
    while true {
      let page: [ImportedFix] = try read { database in
        guard let reader = try DeviceReader(database, device) else { return [] }
        let runs = try ImportRuns(database, reader.id)
        let rows = try reader.statement(
          """
          SELECT time, seq, lat, lon, hacc FROM fix
          WHERE device = ? AND (time, seq) > (?, ?) AND use = 'used'
            AND timing = \(FixRow.Timing.imported.rawValue) ORDER BY time, seq LIMIT \(pageSize)
          """)
        rows.bind(position.time, 2)
        rows.bind(position.seq, 3)
        var page: [ImportedFix] = []
        while try rows.step() {
          guard let coordinate = Coordinate(latitude: rows.double(2), longitude: rows.double(3)) else {
            throw UnreadableRowError(message: "a fix has no valid coordinate")
          }
          page.append(
            ImportedFix(
              time: rows.int(0), seq: rows.int(1), coordinate: coordinate, accuracy: rows.optionalDouble(4),
              source: runs.number(of: rows.int(1))))
        }
        return page
      }
      for fix in page { try body(fix) }
      guard page.count == pageSize, let last = page.last else { return }
      position = HistoryPosition(time: last.time, seq: last.seq)
    }
  }
}

/// The imports of a device.
struct ImportRuns {
  private var runs: [(first: Int64, last: Int64, number: Int)] = []

  init(_ database: Database, _ device: Int64) throws {
    // A file of an older version, opened for reading, has no table.
    guard try database.tableExists("import_run") else { return }
    let rows = try Statement(
      database, "SELECT first_seq, last_seq, number FROM import_run WHERE device = ? ORDER BY first_seq")
    rows.bind(device, 1)
    while try rows.step() { runs.append((rows.int(0), rows.int(1), Int(rows.int(2)))) }
  }

  /// Returns the number of the import that added a fix; 0 for an unknown import.
  func number(of seq: Int64) -> Int {
    var low = 0, high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].first <= seq { low = middle + 1 } else { high = middle }
    }
    guard low > 0, seq <= runs[low - 1].last else { return 0 }
    return runs[low - 1].number
  }

  /// Adds numbers to the present import, or begins the next one.
  static func append(
    _ seqs: ClosedRange<Int64>, to device: Int64, continuing: Bool, in database: Database
  ) throws {
    if continuing {
      try database.execute(
        sql: """
          UPDATE import_run SET last_seq = ?3 WHERE device = ?1 AND last_seq = ?2 - 1
            AND number = (SELECT max(number) FROM import_run WHERE device = ?1)
          """, arguments: [device, seqs.lowerBound, seqs.upperBound])
      if database.changesCount > 0 { return }
    }
    try database.execute(
      sql: """
        INSERT INTO import_run (device, number, first_seq, last_seq)
        SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3 FROM import_run WHERE device = ?1
        """, arguments: [device, seqs.lowerBound, seqs.upperBound])
  }
}
