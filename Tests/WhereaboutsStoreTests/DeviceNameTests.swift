import GRDB
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsStore

/// Names of devices that no URL can hold.
@Suite struct DeviceNameTests {
  @Test(arguments: [".", ".."] as [DeviceID])
  func noDeviceOfSuchANameIsAdded(_ name: DeviceID) async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    let fixes = [LoggedFix(try fix(0))]
    let refused = await #expect(throws: StoreError.self) {
      try await store.commit(commit(fixes, device: name))
    }
    #expect(refused?.message.contains("no URL can hold this name") == true, "\(String(describing: refused))")
    #expect(throws: StoreError.self) { try store.addPast([try fix(0)], to: name) }
    #expect(throws: StoreError.self) { try store.edit([.removed("home")], of: name) }
    #expect(try store.accepts(name) == false)
    #expect(try store.devices().isEmpty)
    // Other devices are not concerned.
    try await store.commit(commit(fixes, device: "..."))
    #expect(try store.devices() == ["..."])
    store.close()
  }

  /// Earlier versions added such devices.
  @Test func deviceOfAnEarlierVersionIsReadWrittenAndErased() async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    try store.write { database in try database.execute(sql: "INSERT INTO device (name) VALUES ('..')") }
    store.close()
    let again = try SQLiteStore.open(at: folder.file)
    #expect(try again.accepts(".."))
    try await again.commit(commit([LoggedFix(try fix(0))], device: ".."))
    #expect(try again.lastFix(of: "..") != nil)
    _ = try again.forget(.device(".."))
    #expect(try again.devices().isEmpty)
    #expect(try again.accepts("..") == false)
    again.close()
  }
}
