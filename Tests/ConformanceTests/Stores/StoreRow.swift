import Testing
import Whereabouts

/// One sentence of what a store promises, and a scene that shows it with one that has nothing in it yet.
struct StoreRow: Sendable, CustomTestStringConvertible {
  let claim: String
  private let scene: @Sendable (any StoreBench) async throws -> Void

  init(_ claim: String, _ scene: @escaping @Sendable (any StoreBench) async throws -> Void) {
    self.claim = claim
    self.scene = scene
  }

  var testDescription: String { claim }

  func play(on kind: StoreKind) async throws { try await scene(try kind.make()) }
}

/// The device of most scenes, and another.
let phone: DeviceID = "phone", watch: DeviceID = "watch"

extension StoreBench {
  /// Commits something of a device.
  func commit(_ device: DeviceID = phone, _ fill: (inout StoreCommit) -> Void) async throws {
    var commit = StoreCommit(device: device)
    fill(&commit)
    try await store.commit(commit)
  }

  /// What is loaded; whoever opens the store anew must find the same.
  func load(_ device: DeviceID = phone) async throws -> DeviceRecord {
    let record = try await store.load(device)
    expectSame(record, try await opened().load(device))
    return record
  }
}

/// Two records hold the same.
func expectSame(_ left: DeviceRecord, _ right: DeviceRecord, _ hint: String = "") {
  #expect(left.snapshot == right.snapshot, "\(hint)")
  #expect(left.fences == right.fences, "\(hint)")
  #expect(left.lastSerial == right.lastSerial, "\(hint)")
  #expect(left.edits.map(\.change) == right.edits.map(\.change), "\(hint)")
  #expect(left.since == right.since, "\(hint)")
  #expect(left.lastFix == right.lastFix, "\(hint)")
  #expect(left.passed == right.passed, "\(hint)")
  #expect(left.notes == right.notes, "\(hint)")
  #expect(left.lastEvent == right.lastEvent && left.lastNote == right.lastNote, "\(hint)")
  #expect(left.lastSpell == right.lastSpell, "\(hint)")
  #expect(left.openTrips.sorted { $0.id < $1.id } == right.openTrips.sorted { $0.id < $1.id }, "\(hint)")
}
