import GRDB
package import Whereabouts
import WhereaboutsModel

extension SQLiteStore {
  /// Returns the number of the server's rows that ``forget(_:progress:)`` would erase: tokens, privacy zones, rejected
  /// rows, names of phones and shared fences.
  package func serverRowCount(in what: ErasureScope) throws(StoreError) -> Int {
    try read { database in
      guard try database.tableExists("token") else { return 0 }
      func count(_ table: String, _ condition: String, _ arguments: StatementArguments) throws -> Int {
        try Int.fetchOne(
          database, sql: "SELECT count(*) FROM \(table) WHERE \(condition)", arguments: arguments) ?? 0
      }
      func row(of device: DeviceID) throws -> Int64? {
        try Int64.fetchOne(
          database, sql: "SELECT id FROM device WHERE name = ?", arguments: [device.rawValue])
      }
      switch what {
      case .everything:
        return try count("token", "device IS NOT NULL", []) + count("privacy_zone", "device IS NOT NULL", [])
          + count("rejected_row", "true", []) + count("shared_fence", "true", [])
          + count("meta", "key LIKE 'phone %'", [])
      case .device(let device):
        guard let row = try row(of: device) else { return 0 }
        return try count("token", "device = ?", [row]) + count("privacy_zone", "device = ?", [row])
          + count("rejected_row", "device = ? OR device IS NULL", [row])
          + count("meta", "key = 'phone ' || ?", [row])
      case .span(let span, let device):
        guard let row = try row(of: device) else { return 0 }
        return try count(
          "rejected_row", "(device = ? OR device IS NULL) AND arrived >= ?",
          [row, span.lowerBound.nanosecondsSince1970])
      case .crossings, .trip, .state: return 0
      }
    }
  }
}
