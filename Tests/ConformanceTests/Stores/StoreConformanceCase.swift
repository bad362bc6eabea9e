import Testing
import Whereabouts

/// One sentence of what a store promises, and a scene that shows it with one that has nothing in it yet.
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

/// The device of most scenes, and another.
let phone: DeviceID = "phone", watch: DeviceID = "watch"

extension StoreFixture {
  /// Commits something of a device.
  func commit(_ device: DeviceID = phone, _ fill: (inout StoreCommit) -> Void) async throws {
    var commit = StoreCommit(device: device)
    fill(&commit)
    try await store.commit(commit)
  }

  /// What is loaded; whoever opens the store anew must find the same.
  func load(_ device: DeviceID = phone) async throws -> DeviceRecord {
    let record = try await store.load(device)
    expectSame(record, try await reopened().load(device))
    return record
  }
}

/// Two records hold the same.
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
}
