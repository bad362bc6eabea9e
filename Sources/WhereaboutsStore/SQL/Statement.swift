package import GRDB
import GRDBSQLite

/// A prepared SQLite statement, for operations on every fix.
///
/// GRDB boxes each argument and each column of a row. Boxing would cost a tenth of a synced commit, and most of the
/// time of reading a day's history. A statement belongs to its connection and is used on the connection's queue.
package final class Statement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer
  /// The owner of a statement that stays compiled; `nil` for one that ends with this object.
  private let keeper: GRDB.Statement?

  package init(_ database: Database, _ sql: String) throws {
    connection = try Self.connection(of: database)
    keeper = nil
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else { throw Self.failure(code, of: connection) }
    self.handle = handle
  }

  /// Creates a statement that stays compiled as long as its connection, for texts that are used again and again: to
  /// compile one takes longer than to run it. Only one object of a text may be in use on a connection at a time.
  package init(kept sql: String, by database: Database) throws {
    connection = try Self.connection(of: database)
    let keeper = try database.cachedStatement(sql: sql)
    handle = keeper.sqliteStatement
    self.keeper = keeper
  }

  deinit {
    guard keeper != nil else {
      sqlite3_finalize(handle)
      return
    }
    // A statement in the middle of its rows would keep the transaction open.
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  private static func connection(of database: Database) throws -> OpaquePointer {
    guard let connection = database.sqliteConnection else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
    }
    return connection
  }

  private static func failure(_ code: Int32, of connection: OpaquePointer) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
      message: sqlite3_errmsg(connection).map { String(cString: $0) })
  }

  // MARK: Execution

  /// Runs the statement to its end.
  package func run() throws {
    let code = sqlite3_step(handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else {
      let failure = Self.failure(code, of: connection)
      sqlite3_reset(handle)
      throw failure
    }
    sqlite3_reset(handle)
  }

  /// Steps to the next row.
  ///
  /// - Returns: `false` at the end; the statement can then run again.
  package func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else {
      let failure = Self.failure(code, of: connection)
      sqlite3_reset(handle)
      throw failure
    }
    sqlite3_reset(handle)
    return false
  }

  /// Resets the statement before its end.
  package func reset() { sqlite3_reset(handle) }

  // MARK: Parameters, from 1

  package func bind(_ value: Int64, _ index: Int32) { sqlite3_bind_int64(handle, index, value) }

  package func bind(_ value: Int64?, _ index: Int32) {
    if let value { sqlite3_bind_int64(handle, index, value) } else { sqlite3_bind_null(handle, index) }
  }

  package func bind(_ value: Double, _ index: Int32) { sqlite3_bind_double(handle, index, value) }

  package func bind(_ value: Double?, _ index: Int32) {
    if let value { sqlite3_bind_double(handle, index, value) } else { sqlite3_bind_null(handle, index) }
  }

  package func bind(_ text: String, _ index: Int32) {
    var text = text
    text.withUTF8 { bytes in
      // An empty text may have a null address, which would bind NULL.
      guard let base = bytes.baseAddress, !bytes.isEmpty else {
        _ = sqlite3_bind_text(handle, index, "", 0, Self.transient)
        return
      }
      base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        _ = sqlite3_bind_text(handle, index, $0, Int32(clamping: bytes.count), Self.transient)
      }
    }
  }

  package func bind(_ text: String?, _ index: Int32) {
    if let text { bind(text, index) } else { sqlite3_bind_null(handle, index) }
  }

  package func bind(_ bytes: [UInt8]?, _ index: Int32) {
    guard let bytes, !bytes.isEmpty else {
      sqlite3_bind_null(handle, index)
      return
    }
    _ = bytes.withUnsafeBytes {
      sqlite3_bind_blob(handle, index, $0.baseAddress, Int32(clamping: $0.count), Self.transient)
    }
  }

  /// Makes SQLite copy bound values. C writes the constant as a cast of -1, which Swift can't import.
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  // MARK: Columns of the current row, from 0

  package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  package func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  package func optionalInt(_ column: Int32) -> Int64? { isNull(column) ? nil : int(column) }

  package func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  package func optionalDouble(_ column: Int32) -> Double? { isNull(column) ? nil : double(column) }

  package func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  package func optionalBytes(_ column: Int32) -> [UInt8]? {
    guard let bytes = sqlite3_column_blob(handle, column) else { return nil }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
  }
}
