import Testing
import Whereabouts

/// One promise of a store, with a scenario that checks it on an empty store.
struct StoreConformanceCase: Sendable, CustomTestStringConvertible {
  let summary: String
  private let body: @Sendable (any StoreFixture) async throws -> Void

  init(_ claim: String, _ scene: @escaping @Sendable (any StoreFixture) async throws -> Void) {
    self.summary = claim
    self.body = scene
  }

  var testDescription: String { summary }

  func run(on kind: StoreKind) async throws { try await body(try kind.makeFixture()) }
}

/// The device of most scenarios, and another.
let phone: DeviceID = "phone", watch: DeviceID = "watch"

extension StoreFixture {
  /// Commits a change of a device.
  func commit(_ device: DeviceID = phone, _ fill: (inout StoreCommit) -> Void) async throws {
    var commit = StoreCommit(device: device)
    fill(&commit)
    try await store.commit(commit)
  }

  /// Loads a device's record, and checks that a reopened store loads the same.
  func load(_ device: DeviceID = phone) async throws -> DeviceRecord {
    let record = try await store.load(device)
    expectSame(record, try await reopened().load(device))
    return record
  }
}

/// Checks that two records have the same content.
func expectSame(_ left: DeviceRecord, _ right: DeviceRecord, _ hint: String = "") {
  #expect(left.snapshot == right.snapshot, "\(hint)")
  #expect(left.fences == right.fences, "\(hint)")
  #expect(left.lastSerial == right.lastSerial, "\(hint)")
  #expect(left.edits.map(\.change) == right.edits.map(\.change), "\(hint)")
  #expect(left.fixesSinceSnapshot == right.fixesSinceSnapshot, "\(hint)")
  #expect(left.lastFix == right.lastFix, "\(hint)")
  #expect(left.processedUntil == right.processedUntil, "\(hint)")
  #expect(left.fenceRecords == right.fenceRecords, "\(hint)")
  #expect(
    left.lastEventNumber == right.lastEventNumber && left.lastRecordNumber == right.lastRecordNumber,
    "\(hint)")
  #expect(left.lastReceiverUsage == right.lastReceiverUsage, "\(hint)")
  #expect(left.openTrips.sorted { $0.id < $1.id } == right.openTrips.sorted { $0.id < $1.id }, "\(hint)")
  #expect(left.endedTrips.sorted() == right.endedTrips.sorted(), "\(hint)")
}
