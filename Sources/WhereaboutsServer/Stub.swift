import GRDB
public import Whereabouts
package import WhereaboutsModel
package import WhereaboutsStore

package struct AccessToken: Sendable, Hashable {
  package enum Scope: String, Sendable, Hashable { case read, write, admin }
  package var device: DeviceID?
  package var scopes: Set<Scope>
  package var accuracyCap: Double?
}
package final class TokenRegistry: Sendable {
  package init(store: SQLiteStore) {}
  package func verify(_ secret: String, at now: UTCTime) -> AccessToken? { secret == "admin" ? AccessToken(device: nil, scopes: [.read, .write, .admin]) : secret == "anna" ? AccessToken(device: "anna", scopes: [.write]) : nil }
}
package struct Disclosure: Sendable {
  package init(reader: AccessToken) {}
  package func visible(_ fix: Fix, of device: DeviceID) -> Fix? { fix }
  package func visible(_ event: FenceEvent, of device: DeviceID) -> FenceEvent? { event }
}
import WhereaboutsFormats
extension Authenticator { func disclosure(for t: AccessToken) -> Disclosure { Disclosure(reader: t) } }
extension AccessToken { func isOwner(of d: DeviceID) -> Bool { allows(.admin) || (device == d && allows(.write)) } }
extension [UInt8] {
  mutating func appendJSONMembers(of event: FenceEvent) { appendJSONMember("fence", event.fence.name); appendJSONMember("event", event.kind.rawValue); appendJSONMember("time", event.time) }
  mutating func appendJSON(_ trip: Trip) { appendJSONObject { $0.appendJSONMember("trip", trip.id.rawValue); $0.appendJSONMember("distance", trip.totals.distance) } }
}
extension SQLiteStore {
  package func createServerTables() throws(StoreError) {
    try write { db in
      try db.execute(sql: """
      CREATE TABLE IF NOT EXISTS shared_fence (id TEXT NOT NULL UNIQUE, serial INTEGER NOT NULL, fence TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS rejected_row (device INTEGER, arrived INTEGER NOT NULL, dialect TEXT NOT NULL, place TEXT NOT NULL, reason TEXT NOT NULL, bytes BLOB NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS fence_record_order (position INTEGER PRIMARY KEY AUTOINCREMENT, device INTEGER NOT NULL, number INTEGER NOT NULL) STRICT;
      CREATE TRIGGER IF NOT EXISTS fence_record_ordered AFTER INSERT ON fence_record BEGIN
      INSERT INTO fence_record_order (device, number) VALUES (NEW.device, NEW.number); END;
      """)
    }
  }
}
extension LocationServer { public func createFirstToken() throws(StoreError) -> String? { "admin" } }
