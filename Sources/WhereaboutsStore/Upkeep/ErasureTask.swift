import GRDB
import Whereabouts
import WhereaboutsModel

/// A task of a pending erasure, stored in the table `erasure` until the task is done.
///
/// The device is named by its row id, which is never reused. A late task therefore erases nothing of a new device
/// with the same name.
struct ErasureTask {
  enum Kind: String {
    case device, span, crossings, trip, state
    /// The uploads of every device.
    case uploads
    /// The rows of the server that belong to no device.
    case server
    /// The rows are erased, but free pages and the log may still hold their bytes.
    case log
  }

  private(set) var id: Int64 = 0
  let kind: Kind
  var device: Int64?
  /// The start of the span of time, whose end is excluded.
  var first: Int64?
  var last: Int64?
  var trip: String?

  init(_ kind: Kind, device: Int64? = nil) {
    self.kind = kind
    self.device = device
  }

  /// Returns the tasks of an erasure; none if the data does not exist.
  static func all(for what: ErasureScope, in database: Database) throws -> [ErasureTask] {
    func task(_ kind: Kind, of device: DeviceID, _ change: (inout ErasureTask) -> Void = { _ in }) throws
      -> [ErasureTask]
    {
      let row = try Int64.fetchOne(
        database, sql: "SELECT id FROM device WHERE name = ?", arguments: [device.rawValue])
      guard let row else { return [] }
      var task = ErasureTask(kind, device: row)
      change(&task)
      return [task]
    }
    switch what {
    case .everything:
      let devices = try Int64.fetchAll(database, sql: "SELECT id FROM device ORDER BY id")
      return devices.map { ErasureTask(.device, device: $0) } + [ErasureTask(.uploads), ErasureTask(.server)]
    case .device(let device): return try task(.device, of: device)
    case .crossings(let device): return try task(.crossings, of: device)
    case .state(let device): return try task(.state, of: device)
    case .trip(let trip, let device): return try task(.trip, of: device) { $0.trip = trip.rawValue }
    case .span(let span, let device):
      return try task(.span, of: device) {
        $0.first = span.lowerBound.nanosecondsSince1970
        $0.last = span.upperBound.nanosecondsSince1970
      }
    }
  }

  // MARK: Rows

  /// Returns every pending task, in order.
  static func pending(in database: Database) throws -> [ErasureTask] {
    try Row.fetchAll(database, sql: "SELECT id, scope, device, first, last, trip FROM erasure ORDER BY id")
      .map {
        row in
        let name: String = row[1]
        guard let kind = Kind(rawValue: name) else {
          throw UnreadableRowError(message: "column scope of an erasure is '\(name)'")
        }
        var task = ErasureTask(kind, device: row[2])
        task.id = row[0]
        task.first = row[3]
        task.last = row[4]
        task.trip = row[5]
        return task
      }
  }

  func insert(into database: Database) throws {
    try database.execute(
      sql: "INSERT INTO erasure (scope, device, first, last, trip) VALUES (?, ?, ?, ?, ?)",
      arguments: [kind.rawValue, device, first, last, trip])
  }

  /// Schedules the emptying of the log, within a transaction that erases rows.
  static func scheduleLogErasure(in database: Database) throws {
    try database.execute(
      sql:
        "INSERT INTO erasure (scope) SELECT 'log' WHERE NOT EXISTS (SELECT 1 FROM erasure WHERE scope = 'log')"
    )
  }

  static func remove(_ tasks: [ErasureTask], from database: Database) throws {
    for task in tasks {
      try database.execute(sql: "DELETE FROM erasure WHERE id = ?", arguments: [task.id])
    }
  }
}
