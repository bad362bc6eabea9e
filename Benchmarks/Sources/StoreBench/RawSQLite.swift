import GRDBSQLite

/// The peer: SQLite's C functions alone, on a file of the same tables and settings, with statements prepared once.
final class RawSQLite {
  private var connection: OpaquePointer?
  private var begin: OpaquePointer?
  private var commit: OpaquePointer?
  private var fix: OpaquePointer?
  private var record: OpaquePointer?

  init(path: String) {
    check(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil))
    run("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY")
    begin = prepare("BEGIN IMMEDIATE")
    commit = prepare("COMMIT")
    fix = prepare(insert(into: "fix"))
    record = prepare(insert(into: "fence_record"))
  }

  deinit {
    for statement in [begin, commit, fix, record] { sqlite3_finalize(statement) }
    sqlite3_close(connection)
  }

  func run(_ sql: String) { check(sqlite3_exec(connection, sql, nil, nil, nil)) }

  /// A fix and a crossing, as one transaction that is synced.
  func writeCrossing(_ number: Int64) {
    step(begin)
    writeFix(number)
    bind(record, [1, number])
    text(record, 3, "event")
    sqlite3_bind_int64(record, 4, number)
    text(record, 5, "home")
    text(record, 6, "enter")
    text(record, 7, "crossed")
    sqlite3_bind_int64(record, 8, Scene.time(number) - 500_000_000)
    sqlite3_bind_double(record, 9, 0.5)
    sqlite3_bind_int64(record, 10, Scene.time(number) - 1_000_000_000)
    sqlite3_bind_int64(record, 11, Scene.time(number))
    sqlite3_bind_double(record, 12, 48.1)
    sqlite3_bind_double(record, 13, 11.2)
    sqlite3_bind_double(record, 14, 0.995)
    sqlite3_bind_int64(record, 15, Scene.time(number))
    sqlite3_bind_int64(record, 16, 1_000_000_000)
    sqlite3_bind_int64(record, 19, Scene.time(number))
    bindFix(record, number, from: 20)
    step(record)
    step(commit)
  }

  func writeFix(_ number: Int64) {
    bind(fix, [1, Scene.time(number), number, 0, Scene.time(number)])
    text(fix, 6, "used")
    bindFix(fix, number, from: 7)
    step(fix)
  }

  private func bindFix(_ statement: OpaquePointer?, _ number: Int64, from first: Int32) {
    sqlite3_bind_double(statement, first, Scene.latitude(number))
    sqlite3_bind_double(statement, first + 1, Scene.longitude(number))
    sqlite3_bind_double(statement, first + 2, 4.5)
    sqlite3_bind_double(statement, first + 3, 7.25)
    sqlite3_bind_int64(statement, first + 4, 0)
    sqlite3_bind_double(statement, first + 5, 520.3)
    sqlite3_bind_double(statement, first + 7, 13.9)
    sqlite3_bind_double(statement, first + 9, 271.5)
    sqlite3_bind_int64(statement, first + 12, 3)
    sqlite3_bind_int64(statement, first + 14, 11)
    sqlite3_bind_double(statement, first + 16, 0.75)
    text(statement, first + 19, "nmea")
    sqlite3_bind_int64(statement, first + 20, 0)
  }

  private func bind(_ statement: OpaquePointer?, _ values: [Int64]) {
    for (place, value) in values.enumerated() { sqlite3_bind_int64(statement, Int32(place + 1), value) }
  }

  private func text(_ statement: OpaquePointer?, _ index: Int32, _ text: StaticString) {
    text.withUTF8Buffer { bytes in
      bytes.baseAddress?.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        _ = sqlite3_bind_text(statement, index, $0, Int32(bytes.count), nil)
      }
    }
  }

  private func insert(into table: String) -> String {
    let columns = prepare("SELECT count(*) FROM pragma_table_info('\(table)')")
    sqlite3_step(columns)
    let count = Int(sqlite3_column_int64(columns, 0))
    sqlite3_finalize(columns)
    let verb = table == "fence_record" ? "INSERT OR REPLACE" : "INSERT"
    return "\(verb) INTO \(table) VALUES (\(Array(repeating: "?", count: count).joined(separator: ", ")))"
  }

  private func prepare(_ sql: String) -> OpaquePointer? {
    var statement: OpaquePointer?
    check(sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    return statement
  }

  private func step(_ statement: OpaquePointer?) {
    guard sqlite3_step(statement) == SQLITE_DONE else {
      fatalError(String(cString: sqlite3_errmsg(connection)))
    }
    sqlite3_reset(statement)
  }

  private func check(_ code: Int32) {
    guard code == SQLITE_OK else { fatalError("SQLite says \(code)") }
  }
}
