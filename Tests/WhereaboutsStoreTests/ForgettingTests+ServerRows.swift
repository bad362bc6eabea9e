import GRDB
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsStore

/// The erasure of rows of a server.
extension ForgettingTests {
  /// A store with server rows for two devices (1 and 2) and without a device, each with a unique number.
  private func storeWithServerRows(_ folder: TemporaryFolder) async throws -> SQLiteStore {
    let store = try SQLiteStore.open(at: folder.file)
    for device: DeviceID in [.this, "other"] {
      try await store.commit(commit([LoggedFix(try fix(0))], device: device))
    }
    try store.write { database in
      for (number, device) in [(1, "1"), (2, "2"), (3, "NULL")] {
        try database.execute(
          sql: """
            INSERT INTO token (id, label, device, scopes, created, prefix, hash)
              VALUES (\(number), 'secret label', \(device), 'read', 0, '\(number)', x'');
            INSERT INTO privacy_zone (id, name, device, lat, lon, radius, cover_lat, cover_lon, cover_radius)
              VALUES (\(number), 'zone \(number)', \(device), 0, 0, 100, 0, 0, 200);
            """)
        for (row, second) in [(0, 10), (1, 50)] {
          try database.execute(
            sql: """
              INSERT INTO rejected_row (id, device, arrived, dialect, place, reason, bytes)
                VALUES (\(number * 10 + row), \(device), (1700000000 + \(second)) * 1000000000, 'csv', '1', 'why',
                  CAST('rejected secret' AS BLOB))
              """)
        }
      }
      try database.execute(
        sql: """
          INSERT INTO shared_fence (id, serial, fence) VALUES ('home', 1, 'shared secret');
          INSERT INTO server_secret (id, key) VALUES (1, x'00')
          """)
    }
    return store
  }

  private func serverRowCount(_ store: SQLiteStore) throws -> Int {
    try store.read { database in
      try ["token", "privacy_zone", "rejected_row", "shared_fence"].map { table in
        try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
      }.reduce(0, +)
    }
  }

  /// A device may be erased while a broker receives its crossings, and a new one may get its name.
  @Test func acknowledgementOfAForgottenRecordIsNotStored() async throws {
    let folder = try TemporaryFolder()
    let store = try await filledStore(folder, seconds: 1_000)
    let records = try store.fenceRecords(newest: 2, of: .this)
    #expect(try store.acknowledge(records[1], by: "mqtt", of: .this))
    #expect(try await store.cursor(of: "mqtt", device: .this) == 2)
    #expect(try store.acknowledge(records[0], by: "mqtt", of: .this))
    #expect(try await store.cursor(of: "mqtt", device: .this) == 2)
    try store.forget(.device(.this))
    let devices = try store.devices()
    #expect(try !store.acknowledge(records[1], by: "mqtt", of: .this))
    #expect(try store.devices() == devices)
    try await store.commit(commit([LoggedFix(try fix(0))]))
    #expect(try !store.acknowledge(records[1], by: "mqtt", of: .this))
    #expect(try await store.cursor(of: "mqtt", device: .this) == 0)
    // The new device has as many records as the erased one.
    var namesake = commit([])
    namesake.fenceRecords = try (1...2).map {
      NumberedFenceRecord(number: $0, record: .event(try event($0, at: 3_000)))
    }
    try await store.commit(namesake)
    #expect(try !store.acknowledge(records[1], by: "mqtt", of: .this))
    #expect(try await store.cursor(of: "mqtt", device: .this) == 0)
    #expect(try store.acknowledge(namesake.fenceRecords[1], by: "mqtt", of: .this))
    #expect(try await store.cursor(of: "mqtt", device: .this) == 2)
  }

  /// Without devices, rows for every device are no rows of a missing device.
  @Test func storeThatHasForgottenEverythingIsWhole() async throws {
    let folder = try TemporaryFolder(), store = try await storeWithServerRows(folder)
    try store.forget(.everything)
    #expect(try ids("privacy_zone", in: store) == [3])
    #expect(try store.check().faults.isEmpty)
  }

  private func ids(_ table: String, in store: SQLiteStore) throws -> [Int] {
    try store.read { try Int.fetchAll($0, sql: "SELECT id FROM \(table) ORDER BY id") }
  }

  /// Erasures with the remaining tokens, zones and rejected rows.
  static let serverErasures: [(ErasureScope, tokens: [Int], zones: [Int], rejected: [Int], fences: Int)] = [
    (.device(.this), [2, 3], [2, 3], [20, 21], 1),
    (.device("nobody"), [1, 2, 3], [1, 2, 3], [10, 11, 20, 21, 30, 31], 1),
    (.span(t(40)..<t(60), of: .this), [1, 2, 3], [1, 2, 3], [10, 20, 21, 30], 1),
    // A row that arrived later may contain data of the span.
    (.span(t(0)..<t(5), of: .this), [1, 2, 3], [1, 2, 3], [20, 21], 1),
    (.span(t(60)..<t(70), of: "other"), [1, 2, 3], [1, 2, 3], [10, 11, 20, 21, 30, 31], 1),
    (.crossings(of: .this), [1, 2, 3], [1, 2, 3], [10, 11, 20, 21, 30, 31], 1),
    (.everything, [3], [3], [], 0),
  ]

  @Test(arguments: serverErasures)
  func serverRowsAreForgotten(
    what: ErasureScope, tokens: [Int], zones: [Int], rejected: [Int], fences: Int
  ) async throws {
    let folder = try TemporaryFolder(), store = try await storeWithServerRows(folder)
    let before = try serverRowCount(store), expected = try store.serverRowCount(in: what)
    try store.forget(what)
    #expect(try before - serverRowCount(store) == expected)
    #expect(try ids("token", in: store) == tokens)
    #expect(try ids("privacy_zone", in: store) == zones)
    #expect(try ids("rejected_row", in: store) == rejected)
    #expect(try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM shared_fence") } == fences)
    #expect(try ids("server_secret", in: store) == [1])
    #expect(holds(folder.file, Array("rejected secret".utf8)) == !rejected.isEmpty)
    #expect(holds(folder.file, Array("shared secret".utf8)) == (fences > 0))
  }

  @Test func deletedRowsLeaveNoBytes() async throws {
    let folder = try TemporaryFolder(), store = try await storeWithServerRows(folder)
    #expect(try store.eraseRows("DELETE FROM privacy_zone WHERE name = ?", arguments: ["zone 2"]) == 1)
    #expect(!holds(folder.file, Array("zone 2".utf8)) && holds(folder.file, Array("zone 3".utf8)))
    #expect(try store.eraseRows("DELETE FROM privacy_zone WHERE name = ?", arguments: ["zone 2"]) == 0)
  }
}
