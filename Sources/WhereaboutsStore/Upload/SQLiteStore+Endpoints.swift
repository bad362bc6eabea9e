import Foundation
import GRDB
public import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats

/// Endpoints and their queues, for who sets them up and looks after them.
extension SQLiteStore {
  /// From where on an endpoint is sent what there is.
  public enum UploadStart: Hashable, Sendable {
    /// Only what comes from now on.
    case now
    /// All of the history that is kept.
    case beginning
  }

  /// Every endpoint, in the order of their names.
  public func endpoints() throws(StoreTrouble) -> [Endpoint] {
    try read { try EndpointRow.all($0).map(\.endpoint) }
  }

  /// Adds an endpoint.
  ///
  /// - Throws: ``Whereabouts/StoreTrouble``: `failed` where it can't be used (``Endpoint/problem``) or there is one of its name.
  public func add(_ endpoint: Endpoint, from start: UploadStart = .now) throws(StoreTrouble) {
    try check(endpoint)
    try write { database in
      guard try EndpointRow.named(endpoint.name, database) == nil else {
        throw Self.trouble("add \(endpoint.name): there is an endpoint of that name already")
      }
      try UploadTables.insert(
        endpoint, origin: Self.newKey(), fromNow: start == .now, database)
    }
  }

  /// Gives an endpoint other settings. It goes on where it was, also where it was stopped.
  ///
  /// - Throws: ``Whereabouts/StoreTrouble``: `missing` where there is none of its name; `failed` where it can't be used, or where
  ///   requests wait that were made in another form or for another device: those would be sent as they are.
  public func update(_ endpoint: Endpoint) throws(StoreTrouble) {
    try check(endpoint)
    try write { database in
      let row = try Self.row(endpoint.name, database)
      if !row.endpoint.makesTheSame(as: endpoint), try UploadTables.waiting(row.id, database) > 0 {
        throw Self.trouble(
          "change \(endpoint.name): requests wait in its old form; flush or purge them first")
      }
      try UploadTables.update(row.id, to: endpoint, database)
    }
  }

  /// Removes an endpoint and everything that waits to be sent there.
  ///
  /// - Throws: ``Whereabouts/StoreTrouble``: `missing` where there is none of that name.
  public func removeEndpoint(_ name: String) throws(StoreTrouble) {
    try write { database in
      let id = try Self.row(name, database).id
      // Said once more: foreign keys are off where somebody has turned them off.
      for table in ["upload_batch", "upload_cursor"] {
        try database.execute(sql: "DELETE FROM \(table) WHERE endpoint = ?", arguments: [id])
      }
      try database.execute(sql: "DELETE FROM endpoint WHERE id = ?", arguments: [id])
    }
  }

  /// How things stand with every endpoint, in the order of their names.
  public func uploadStatus() throws(StoreTrouble) -> [UploadStatus] {
    try read { database in
      try EndpointRow.all(database).map { try UploadTables.status($0, database) }
    }
  }

  /// Has everything sent again that was set aside, in its place in the order, and lets a stopped endpoint go on.
  ///
  /// - Returns: how many requests had been set aside.
  /// - Throws: ``Whereabouts/StoreTrouble``: `missing` where there is none of that name.
  @discardableResult
  public func retryUploads(to name: String) throws(StoreTrouble) -> Int {
    try write { try UploadTables.retry(Self.row(name, $0).id, $0) }
  }

  /// Throws away what was set aside.
  ///
  /// - Parameters:
  ///   - name: the endpoint's.
  ///   - all: also what is still to be sent, and what has come and not been looked at.
  /// - Returns: how many requests are gone.
  /// - Throws: ``Whereabouts/StoreTrouble``: `missing` where there is none of that name.
  @discardableResult
  public func purgeUploads(to name: String, all: Bool = false) throws(StoreTrouble) -> Int {
    try write { database in
      let row = try Self.row(name, database)
      if all { try UploadTables.skipToNow(row, database) }
      return try UploadTables.purge(row.id, all: all, database)
    }
  }

  private func check(_ endpoint: Endpoint) throws(StoreTrouble) {
    if let problem = endpoint.problem { throw Self.trouble("use \(endpoint.name): \(problem)") }
  }

  private static func trouble(_ message: String) -> StoreTrouble { StoreTrouble(.failed, message: message) }

  static func row(_ name: String, _ database: Database) throws -> EndpointRow {
    guard let row = try EndpointRow.named(name, database) else {
      throw StoreTrouble(.missing, message: "find the endpoint \(name): there is none of that name")
    }
    return row
  }

  /// A name that nothing else has (RFC 9562, version 4).
  package static func newKey() -> String { UUID().uuidString.lowercased() }
}

extension Endpoint {
  /// Whether requests are the same, whichever of the two they are made for.
  fileprivate func makesTheSame(as other: Endpoint) -> Bool {
    template == other.template && shownAs == other.shownAs && user == other.user
      && trackerID == other.trackerID
      && usesForm == other.usesForm && device == other.device
  }
}
