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
  /// How many requests in a row went to a place or for a device that the server does not know.
  package var misdirected: Int
  /// ``endpoint`` as it is in the file.
  package let settings: String

  private static let selected = "id, settings, origin, stopped, asked, misdirected"

  /// - Parameter known: rows that were read before: settings that are the same need not be decoded again.
  private init(_ row: Row, known: [Int64: EndpointRow] = [:]) throws {
    id = row[0]
    settings = row[1]
    if let before = known[id], before.settings == settings {
      endpoint = before.endpoint
    } else {
      endpoint = try StoreJSON.decode(Endpoint.self, from: settings)
    }
    origin = row[2]
    stopped = row[3]
    asked = (row[4] as Int64?).map(UTCTime.init(nanosecondsSince1970:))
    misdirected = row[5]
  }

  static func all(_ database: Database, known: [Int64: EndpointRow] = [:]) throws -> [EndpointRow] {
    try Row.fetchAll(database, sql: "SELECT \(selected) FROM endpoint ORDER BY name")
      .map { try Self($0, known: known) }
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
    try UploadDevice.all(database).filter(sends)
  }

  /// Whether the fixes and crossings of a device go to it.
  func sends(_ device: UploadDevice) -> Bool { endpoint.device == nil || endpoint.device == device.name }
}

/// A device with its row.
package struct UploadDevice: Hashable, Sendable {
  package let id: Int64
  package let name: DeviceID

  static func all(_ database: Database) throws -> [UploadDevice] {
    try Row.fetchAll(database, sql: "SELECT id, name FROM device ORDER BY id")
      .map { UploadDevice(id: $0[0], name: DeviceID(rawValue: $0[1])) }
  }

  /// Whether the row is still there and this device's: a device that is forgotten leaves its row to nobody.
  func exists(_ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM device WHERE id = ? AND name = ?)",
      arguments: [id, name.rawValue]) ?? false
  }
}
