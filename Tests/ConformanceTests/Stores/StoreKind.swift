import Testing
import Whereabouts
import WhereaboutsTesting

/// The stores there are; everything that a store promises holds for each.
enum StoreKind: CaseIterable, Sendable, CustomTestStringConvertible {
  case memory

  var testDescription: String {
    switch self {
    case .memory: "MemoryStore"
    }
  }

  /// A new store with nothing in it.
  func make() throws -> any StoreBench {
    switch self {
    case .memory: MemoryBench()
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
}

struct MemoryBench: StoreBench {
  private let memory = MemoryStore()
  var store: any LocationStore { memory }
  func opened() -> any LocationStore { memory }
  func edit(_ change: FenceEdit.Change, of device: DeviceID) async { await memory.edit(change, of: device) }
  func trips(of device: DeviceID) async -> [Trip] { await memory.trips(of: device) }
  func gaps(of trip: TripID, device: DeviceID) async -> [TripGap] {
    await memory.gaps(of: trip, device: device)
  }
}
