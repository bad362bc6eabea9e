import Foundation
import Testing
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
  func make() throws -> any StoreBench {
    switch self {
    case .memory: MemoryBench()
    case .sqlite: try SQLiteBench()
    }
  }
}

/// A store, and what is done to it or seen of it beside what ``LocationStore`` has.
protocol StoreBench: Sendable {
  var store: any LocationStore { get }
  /// The same store as the next process finds it, while this one still has it open.
  func opened() throws -> any LocationStore
  /// Does what another process does to a device's fences.
  func edit(_ change: FenceEdit.Change, of device: DeviceID) async throws
  func trips(of device: DeviceID) async throws -> [Trip]
  func gaps(of trip: TripID, device: DeviceID) async throws -> [TripGap]
  /// In the order of their numbers.
  func spells(of device: DeviceID) async throws -> [ReceiverSpell]
}

struct MemoryBench: StoreBench {
  private let memory = MemoryStore()
  var store: any LocationStore { memory }
  func opened() -> any LocationStore { memory }
  func edit(_ change: FenceEdit.Change, of device: DeviceID) async { await memory.edit(change, of: device) }
  func spells(of device: DeviceID) async -> [ReceiverSpell] { await memory.spells(of: device) }
  func trips(of device: DeviceID) async -> [Trip] { await memory.trips(of: device) }
  func gaps(of trip: TripID, device: DeviceID) async -> [TripGap] {
    await memory.gaps(of: trip, device: device)
  }
}

/// A store in a file, gone with the bench.
final class SQLiteBench: StoreBench {
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

  func opened() throws -> any LocationStore { try SQLiteStore.open(at: sqlite.path) }
  func edit(_ change: FenceEdit.Change, of device: DeviceID) throws { try sqlite.edit([change], of: device) }
  func spells(of device: DeviceID) throws -> [ReceiverSpell] {
    try sqlite.spells(of: device).sorted { $0.number < $1.number }
  }
  func trips(of device: DeviceID) throws -> [Trip] { try sqlite.trips(of: device) }
  func gaps(of trip: TripID, device: DeviceID) throws -> [TripGap] {
    try sqlite.gaps(of: trip, device: device)
  }
}
