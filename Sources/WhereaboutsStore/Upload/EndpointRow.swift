import GRDB
package import Whereabouts
package import WhereaboutsCore

/// An endpoint with what the store knows of it.
package struct EndpointRow: Sendable {
  package let id: Int64
  package var endpoint: Endpoint
  /// Names the queue for good: ids of items are unique in it.
  package var origin: String
  /// Why nothing is sent; `nil` while it is.
  package var stopped: String?
  /// When somebody asked last that everything be sent now.
  package var asked: UTCTime?

  private static let selected = "id, settings, origin, stopped, asked"

  private init(_ row: Row) throws {
    id = row[0]
    endpoint = try StoreJSON.decode(Endpoint.self, from: row[1])
    origin = row[2]
    stopped = row[3]
    asked = (row[4] as Int64?).map(UTCTime.init(nanosecondsSince1970:))
  }

  static func all(_ database: Database) throws -> [EndpointRow] {
    try Row.fetchAll(database, sql: "SELECT \(selected) FROM endpoint ORDER BY name").map { try Self($0) }
  }

  static func named(_ name: String, _ database: Database) throws -> EndpointRow? {
    try Row.fetchOne(database, sql: "SELECT \(selected) FROM endpoint WHERE name = ?", arguments: [name])
      .map { try Self($0) }
  }

  static func numbered(_ id: Int64, _ database: Database) throws -> EndpointRow? {
    try Row.fetchOne(database, sql: "SELECT \(selected) FROM endpoint WHERE id = ?", arguments: [id])
      .map { try Self($0) }
  }

  /// The devices whose fixes and crossings go to it, as far as there are any yet.
  func devices(_ database: Database) throws -> [UploadDevice] {
    try Row.fetchAll(database, sql: "SELECT id, name FROM device ORDER BY id")
      .map { UploadDevice(id: $0[0], name: DeviceID(rawValue: $0[1])) }
      .filter { endpoint.device == nil || $0.name == endpoint.device }
  }
}

/// A device with its row.
package struct UploadDevice: Hashable, Sendable {
  package let id: Int64
  package let name: DeviceID
}
