import Foundation
import GRDB
public import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
public import WhereaboutsStore

/// The administration of endpoints and their queues.
extension SQLiteStore {
  /// The start of an endpoint's uploads.
  public enum UploadStart: Hashable, Sendable {
    /// Only data from now on.
    case now
    /// The whole stored history.
    case beginning
  }

  /// Returns every endpoint, in the order of names.
  public func endpoints() throws(StoreError) -> [Endpoint] {
    try read { try EndpointRow.all($0).map(\.endpoint) }
  }

  /// Adds an endpoint.
  ///
  /// - Parameters:
  ///   - endpoint: the endpoint.
  ///   - start: whether the stored history is uploaded too.
  /// - Throws: ``Whereabouts/StoreError``: `failed` if the endpoint is invalid (``Endpoint/problem``) or its name
  ///   exists.
  public func add(_ endpoint: Endpoint, from start: UploadStart = .now) throws(StoreError) {
    try check(endpoint)
    try write { database in
      guard try EndpointRow.named(endpoint.name, database) == nil else {
        throw Self.endpointError("add \(endpoint.name): there is an endpoint of that name already")
      }
      try UploadTables.insert(
        endpoint, origin: Self.newKey(), fromNow: start == .now, at: wallTime, database)
    }
  }

  /// Updates an endpoint's settings and resumes its uploads, even if stopped.
  ///
  /// - Throws: ``Whereabouts/StoreError``: `missing` if the name is unknown; `failed` if the endpoint is invalid.
  ///   Also `failed` if waiting requests have another form or are for another device, because they would be sent
  ///   unchanged.
  public func update(_ endpoint: Endpoint) throws(StoreError) {
    try check(endpoint)
    try write { database in
      let row = try Self.row(endpoint.name, database)
      if !row.endpoint.makesSameRequests(as: endpoint), try UploadTables.waitingCount(row.id, database) > 0 {
        throw Self.endpointError(
          "change \(endpoint.name): requests wait in its old form; flush or purge them first")
      }
      try UploadTables.update(row.id, to: endpoint, database)
    }
  }

  /// Removes an endpoint with its queue.
  ///
  /// - Throws: ``Whereabouts/StoreError``: `missing` if the name is unknown.
  public func removeEndpoint(_ name: String) throws(StoreError) {
    try write { database in
      // An endpoint whose settings can't be read can be removed.
      guard let id = try Self.endpointRow(name, database) else {
        throw StoreError(.missing, message: "find the endpoint \(name): no endpoint has this name")
      }
      // Delete explicitly: another program may have turned foreign keys off.
      for table in ["upload_batch", "upload_cursor"] {
        try database.execute(sql: "DELETE FROM \(table) WHERE endpoint = ?", arguments: [id])
      }
      try database.execute(sql: "DELETE FROM endpoint WHERE id = ?", arguments: [id])
    }
  }

  /// Returns the number of an endpoint's requests, waiting or dead letters, without reading its settings; `nil` if the
  /// name is unknown.
  package func requestCount(ofEndpoint name: String) throws(StoreError) -> Int? {
    try read { database -> Int? in
      guard let id = try Self.endpointRow(name, database) else { return nil }
      return try Int.fetchOne(
        database,
        sql: "SELECT count(*) FROM upload_batch WHERE endpoint = ? AND state IN ('waiting', 'dead')",
        arguments: [id])
    }
  }

  private static func endpointRow(_ name: String, _ database: Database) throws -> Int64? {
    try Int64.fetchOne(database, sql: "SELECT id FROM endpoint WHERE name = ?", arguments: [name])
  }

  /// Returns the status of every endpoint, in the order of names.
  public func uploadStatus() throws(StoreError) -> [UploadStatus] {
    try read { database in
      try EndpointRow.all(database).map { try UploadTables.status($0, database) }
    }
  }

  /// Requeues the dead letters of an endpoint, in their order, and resumes a stopped endpoint.
  ///
  /// - Returns: the number of dead letters.
  /// - Throws: ``Whereabouts/StoreError``: `missing` if the name is unknown.
  @discardableResult
  public func retryUploads(to name: String) throws(StoreError) -> Int {
    try write { try UploadTables.retry(Self.row(name, $0).id, $0) }
  }

  /// Deletes the dead letters of an endpoint.
  ///
  /// - Parameters:
  ///   - name: the endpoint's name.
  ///   - all: whether waiting requests and unread data are discarded too.
  /// - Returns: the number of deleted requests.
  /// - Throws: ``Whereabouts/StoreError``: `missing` if the name is unknown.
  @discardableResult
  public func purgeUploads(to name: String, all: Bool = false) throws(StoreError) -> Int {
    try write { database in
      let row = try Self.row(name, database)
      if all { try UploadTables.skipToNow(row, at: wallTime, database) }
      return try UploadTables.purge(row.id, all: all, database)
    }
  }

  private func check(_ endpoint: Endpoint) throws(StoreError) {
    if let problem = endpoint.problem { throw Self.endpointError("use \(endpoint.name): \(problem)") }
  }

  private static func endpointError(_ message: String) -> StoreError { StoreError(.failed, message: message) }

  static func row(_ name: String, _ database: Database) throws -> EndpointRow {
    guard let row = try EndpointRow.named(name, database) else {
      throw StoreError(.missing, message: "find the endpoint \(name): no endpoint has this name")
    }
    return row
  }

  /// Returns a unique key (RFC 9562, version 4).
  package static func newKey() -> String { UUID().uuidString.lowercased() }
}

extension Endpoint {
  /// Returns whether two endpoints make the same requests.
  fileprivate func makesSameRequests(as other: Endpoint) -> Bool {
    template == other.template && shownAs == other.shownAs && user == other.user
      && trackerID == other.trackerID
      && usesForm == other.usesForm && device == other.device
  }
}
