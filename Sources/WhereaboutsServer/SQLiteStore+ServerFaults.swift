import Foundation
import GRDB
package import Whereabouts
import WhereaboutsEngine
package import WhereaboutsStore

extension SQLiteStore {
  /// Decodes the access tokens, the privacy zones and the progress of alerts, and returns the faults, in addition to
  /// those of a check of the store.
  ///
  /// - Throws: ``Whereabouts/StoreError`` if nothing can be read. Damage is a fault, not an error.
  package func serverFaults() throws(StoreError) -> [StoreFault] {
    do throws(StoreError) {
      return try read { database -> [StoreFault] in
        var faults = try TokenRow.faults(database)
        faults += try ZoneRow.faults(database)
        faults += try Self.alertFaults(database)
        return faults
      }
    } catch {
      guard error.code == .corrupt else { throw error }
      return [StoreFault(.file, error.description)]
    }
  }

  /// Returns a fault for each access token that can't be read.
  package func tokenFaults() throws(StoreError) -> [StoreFault] { try read { try TokenRow.faults($0) } }

  private static func alertFaults(_ database: Database) throws -> [StoreFault] {
    // A file of an older version has none.
    guard try database.tableExists("alert_progress") else { return [] }
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT alert, name, progress FROM alert_progress LEFT JOIN device ON device.id = alert_progress.device
        ORDER BY alert, device
        """)
    return rows.compactMap { row -> StoreFault? in
      let alert: String = row[0], progress: String = row[2]
      guard (try? JSONDecoder().decode(AlertProgress.self, from: Data(progress.utf8))) == nil else {
        return nil
      }
      let device = row[1] as String?
      let place = device.map { "device \($0): " } ?? ""
      var fault = StoreFault(.row, "\(place)the progress of the alert \(alert) can't be read")
      fault.device = device.map { DeviceID(rawValue: $0) }
      fault.isReplaced = true
      return fault
    }
  }
}
