import Foundation
import Testing
import WhereaboutsEngine
import Whereabouts
import WhereaboutsStore
import WhereaboutsTesting

/// The kinds of stores; each must fulfil every promise.
enum StoreKind: CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, sqlite

  var testDescription: String {
    switch self {
    case .memory: "MemoryStore"
    case .sqlite: "SQLiteStore"
    }
  }

  /// Makes a new, empty store.
  func makeFixture() throws -> any StoreFixture {
    switch self {
    case .memory: MemoryStoreFixture()
    case .sqlite: try SQLiteStoreFixture()
    }
  }
}

/// A store, with operations beyond ``LocationStore``.
protocol StoreFixture: Sendable {
  var store: any LocationStore { get }
  /// The same store opened a second time, as by another process.
  func reopened() throws -> any LocationStore
  /// Edits a device's fences as another process does.
  func edit(_ change: DeviceRecord.FenceEdit.Change, of device: DeviceID) async throws
  func trips(of device: DeviceID) async throws -> [Trip]
  func gaps(of trip: TripID, device: DeviceID) async throws -> [Trip.Gap]
  /// The receiver usages of a device, in the order of their numbers.
  func usages(of device: DeviceID) async throws -> [ReceiverUsage]
}

struct MemoryStoreFixture: StoreFixture {
  private let memory = MemoryStore()
  var store: any LocationStore { memory }
  func reopened() -> any LocationStore { memory }
  func edit(_ change: DeviceRecord.FenceEdit.Change, of device: DeviceID) async {
    await memory.edit(change, of: device)
  }
  func usages(of device: DeviceID) async -> [ReceiverUsage] { await memory.receiverUsages(of: device) }
  func trips(of device: DeviceID) async -> [Trip] { await memory.trips(of: device) }
  func gaps(of trip: TripID, device: DeviceID) async -> [Trip.Gap] {
    await memory.gaps(of: trip, device: device)
  }
}

/// A store in a file, removed with the fixture.
final class SQLiteStoreFixture: StoreFixture {
  private let folder: URL
  private let sqlite: SQLiteStore
  var store: any LocationStore { sqlite }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)")
    sqlite = try SQLiteStore.open(at: folder.appendingPathComponent("s.sqlite").path)
  }

  deinit {
    sqlite.close()
    try? FileManager.default.removeItem(at: folder)
  }

  func reopened() throws -> any LocationStore { try SQLiteStore.open(at: sqlite.path) }
  func edit(_ change: DeviceRecord.FenceEdit.Change, of device: DeviceID) throws {
    try sqlite.edit([change], of: device)
  }
  func usages(of device: DeviceID) throws -> [ReceiverUsage] {
    try sqlite.receiverUsages(of: device).sorted { $0.number < $1.number }
  }
  func trips(of device: DeviceID) throws -> [Trip] { try sqlite.trips(of: device) }
  func gaps(of trip: TripID, device: DeviceID) throws -> [Trip.Gap] {
    try sqlite.gaps(of: trip, device: device)
  }
}
