import Foundation
import Testing
import WhereaboutsEngine
import Whereabouts
import WhereaboutsStore
import WhereaboutsTesting

/// The stores there are; everything that a store promises holds for each.
enum StoreKind: CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, sqlite

  var testDescription: String {
    switch self {
    case .memory: "MemoryStore"
    case .sqlite: "SQLiteStore"
    }
  }

  /// A new store with nothing in it.
  func makeFixture() throws -> any StoreFixture {
    switch self {
    case .memory: MemoryStoreFixture()
    case .sqlite: try SQLiteStoreFixture()
    }
  }
}

/// A store, and what is done to it or seen of it beside what ``LocationStore`` has.
protocol StoreFixture: Sendable {
  var store: any LocationStore { get }
  /// The same store as the next process finds it, while this one still has it open.
  func reopened() throws -> any LocationStore
  /// Does what another process does to a device's fences.
  func edit(_ change: FenceEdit.Change, of device: DeviceID) async throws
  func trips(of device: DeviceID) async throws -> [Trip]
  func gaps(of trip: TripID, device: DeviceID) async throws -> [TripGap]
  /// In the order of their numbers.
  func usages(of device: DeviceID) async throws -> [ReceiverUsage]
}

struct MemoryStoreFixture: StoreFixture {
  private let memory = MemoryStore()
  var store: any LocationStore { memory }
  func reopened() -> any LocationStore { memory }
  func edit(_ change: FenceEdit.Change, of device: DeviceID) async { await memory.edit(change, of: device) }
  func usages(of device: DeviceID) async -> [ReceiverUsage] { await memory.receiverUsages(of: device) }
  func trips(of device: DeviceID) async -> [Trip] { await memory.trips(of: device) }
  func gaps(of trip: TripID, device: DeviceID) async -> [TripGap] {
    await memory.gaps(of: trip, device: device)
  }
}

/// A store in a file, gone with the bench.
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
  func edit(_ change: FenceEdit.Change, of device: DeviceID) throws { try sqlite.edit([change], of: device) }
  func usages(of device: DeviceID) throws -> [ReceiverUsage] {
    try sqlite.receiverUsages(of: device).sorted { $0.number < $1.number }
  }
  func trips(of device: DeviceID) throws -> [Trip] { try sqlite.trips(of: device) }
  func gaps(of trip: TripID, device: DeviceID) throws -> [TripGap] {
    try sqlite.gaps(of: trip, device: device)
  }
}
