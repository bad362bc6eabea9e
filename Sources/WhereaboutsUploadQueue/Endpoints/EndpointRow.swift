import GRDB
package import WhereaboutsModel
import WhereaboutsStore

/// An endpoint with its stored state.
package struct EndpointRow: Sendable {
  package let id: Int64
  package var endpoint: Endpoint
  /// The permanent name of the queue, within which item ids are unique.
  package var origin: String
  /// The reason uploads are stopped; `nil` while they run.
  package var stopReason: String?
  /// The time of the last request to send everything now.
  package var flushRequestedAt: UTCTime?
  /// The number of requests in a row for a URL or device unknown to the server.
  package var misdirectedCount: Int
  /// The stored text of ``endpoint``.
  package let settings: String

  private static let selected = "id, settings, origin, stopped, flush_mark, misdirected"

  /// - Parameter known: rows read before: unchanged settings are not decoded again.
  private init(_ row: Row, known: [Int64: EndpointRow] = [:]) throws {
    id = row[0]
    settings = row[1]
    if let before = known[id], before.settings == settings {
      endpoint = before.endpoint
    } else {
      endpoint = try StoreJSON.decode(Endpoint.self, from: settings)
    }
    origin = row[2]
    stopReason = row[3]
    flushRequestedAt = (row[4] as Int64?).map(UTCTime.init(nanosecondsSince1970:))
    misdirectedCount = row[5]
  }

  static func all(_ database: Database, known: [Int64: EndpointRow] = [:]) throws -> [EndpointRow] {
    try Row.fetchAll(database, sql: "SELECT \(selected) FROM endpoint ORDER BY name")
      .map { try Self($0, known: known) }
  }

  static func named(_ name: String, _ database: Database) throws -> EndpointRow? {
    try Row.fetchOne(database, sql: "SELECT \(selected) FROM endpoint WHERE name = ?", arguments: [name])
      .map { try Self($0) }
  }

  static func withID(_ id: Int64, _ database: Database) throws -> EndpointRow? {
    try Row.fetchOne(database, sql: "SELECT \(selected) FROM endpoint WHERE id = ?", arguments: [id])
      .map { try Self($0) }
  }

  /// Returns the existing devices that are sent to the endpoint.
  func devices(_ database: Database) throws -> [UploadDevice] {
    try UploadDevice.all(database).filter(includes)
  }

  /// Returns whether a device is sent to the endpoint.
  func includes(_ device: UploadDevice) -> Bool { endpoint.device == nil || endpoint.device == device.name }
}

/// A device with its row id.
package struct UploadDevice: Hashable, Sendable {
  package let id: Int64
  package let name: DeviceID

  static func all(_ database: Database) throws -> [UploadDevice] {
    try Row.fetchAll(database, sql: "SELECT id, name FROM device ORDER BY id")
      .map { UploadDevice(id: $0[0], name: DeviceID(rawValue: $0[1])) }
  }

  /// Returns whether the row still exists. The row id of an erased device is never reused.
  func exists(_ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM device WHERE id = ? AND name = ?)",
      arguments: [id, name.rawValue]) ?? false
  }
}
