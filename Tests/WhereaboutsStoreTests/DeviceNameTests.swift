import GRDB
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsStore

/// Names of devices that no URL can hold.
@Suite struct DeviceNameTests {
  /// The longest name that a device can have.
  private static let longest = String(repeating: "é", count: 512)

  @Test(
    arguments: [
      (".", "no URL can hold the device name \".\""), ("..", "no URL can hold the device name \"..\""),
      (longest + "a", "a device name has at most 1024 bytes, and this one has 1025"),
    ])
  func noDeviceOfSuchANameIsAdded(_ text: String, _ reason: String) async throws {
    let name = DeviceID(text)
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    let fixes = [LoggedFix(try fix(0))]
    let refused = await #expect(throws: StoreError.self) {
      try await store.commit(commit(fixes, device: name))
    }
    #expect(refused?.message.contains(reason) == true, "\(String(describing: refused))")
    #expect(throws: StoreError.self) { try store.addPast([try fix(0)], to: name) }
    #expect(throws: StoreError.self) { try store.edit([.removed("home")], of: name) }
    #expect(try store.accepts(name) == false)
    #expect(try store.devices().isEmpty)
    // Other devices are not concerned.
    for other in ["...", DeviceID(Self.longest)] as [DeviceID] {
      try await store.commit(commit(fixes, device: other))
      #expect(try store.devices().contains(other))
    }
    store.close()
  }

  /// Earlier versions added such devices.
  @Test(arguments: ["..", String(repeating: "a", count: 1025)])
  func deviceOfAnEarlierVersionIsReadWrittenAndErased(_ text: String) async throws {
    let name = DeviceID(text)
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    try store.write { database in
      try database.execute(sql: "INSERT INTO device (name) VALUES (?)", arguments: [text])
    }
    store.close()
    let again = try SQLiteStore.open(at: folder.file)
    #expect(try again.accepts(name))
    try await again.commit(commit([LoggedFix(try fix(0))], device: name))
    #expect(try again.lastFix(of: name) != nil)
    _ = try again.forget(.device(name))
    #expect(try again.devices().isEmpty)
    #expect(try again.accepts(name) == false)
    again.close()
  }
}
