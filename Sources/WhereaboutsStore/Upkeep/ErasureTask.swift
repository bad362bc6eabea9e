import GRDB
import Whereabouts
import WhereaboutsCore

/// One part of what is being erased: a row of the table `erasure`, until it is done.
///
/// A device is named by its row id, which no other device ever gets: a task that is finished later erases nothing of a
/// device that was added under the same name meanwhile.
struct ErasureTask {
  enum Kind: String {
    case device, span, crossings, trip, state
    /// Uploads of every device.
    case uploads
    /// Rows are erased; the free pages and the log may still hold their bytes.
    case log
  }

  private(set) var id: Int64 = 0
  let kind: Kind
  var device: Int64?
  /// The span of time, the end excluded.
  var first: Int64?
  var last: Int64?
  var trip: String?

  init(_ kind: Kind, device: Int64? = nil) {
    self.kind = kind
    self.device = device
  }

  /// Every part of what is to be forgotten; none where nothing is known of it.
  static func all(for what: Forgetting, in database: Database) throws -> [ErasureTask] {
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
      return devices.map { ErasureTask(.device, device: $0) } + [ErasureTask(.uploads)]
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

  /// Every task that is not done, in order.
  static func pending(in database: Database) throws -> [ErasureTask] {
    try Row.fetchAll(database, sql: "SELECT id, what, device, first, last, trip FROM erasure ORDER BY id").map
    {
      row in
      let name: String = row[1]
      guard let kind = Kind(rawValue: name) else {
        throw UnreadableRow(what: "column what of an erasure is '\(name)'")
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
      sql: "INSERT INTO erasure (what, device, first, last, trip) VALUES (?, ?, ?, ?, ?)",
      arguments: [kind.rawValue, device, first, last, trip])
  }

  /// Notes within a transaction that erases rows that the log will have to be emptied.
  static func requireLog(in database: Database) throws {
    try database.execute(
      sql:
        "INSERT INTO erasure (what) SELECT 'log' WHERE NOT EXISTS (SELECT 1 FROM erasure WHERE what = 'log')")
  }

  static func remove(_ tasks: [ErasureTask], from database: Database) throws {
    for task in tasks {
      try database.execute(sql: "DELETE FROM erasure WHERE id = ?", arguments: [task.id])
    }
  }
}
