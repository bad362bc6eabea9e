import Foundation
import Testing
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsStore

@Suite struct SnapshotTextTests {
  /// The names of version 1, each beside the present one.
  private static let oldNames = [
    "reportsPoints": "tellsPoints", "reported": "told",
    "reportedSide": "toldSide", "unreported": "untold", "isRestReported": "isRestTold",
    "notification": "telling", "isBasedOnSuspectFix": "isOnlySaid", "lateFixes": "leftOut",
    "duplicates": "doubled",
  ]

  /// An engine's state with a device that has entered a fence, and a trip of each method.
  private func state() throws -> EngineSnapshot {
    var registry = FenceRegistry()
    let circle = Area.circle(try Area.Circle(center: try place(), radius: 50))
    try registry.add(Fence(id: "home", area: circle))
    var watch = FenceWatch(FenceSettings(lateness: .seconds(5)))
    var records: [FenceRecord] = []
    var estimated = TrackMeter(TrackTerms()),
      candidates = TrackMeter(TrackTerms(method: .candidates(CandidateSettings())))
    for second in Int64(0)..<300 {
      let fix = try fix(second, 48 + Double(200 - second) * 1e-5)
      watch.process(fix, in: registry, into: &records)
      estimated.process(fix, upTo: .infinity, isStill: false) { _, _ in }
      candidates.process(fix, upTo: .infinity, isStill: false) { _, _ in }
    }
    return EngineSnapshot(
      watch: watch,
      trips: [
        TripSnapshot(id: "a", isCounting: true, meter: estimated, began: t(0)),
        TripSnapshot(id: "b", isCounting: true, meter: candidates, began: t(0)),
      ])
  }

  @Test func stateOfVersion1HasOtherNames() throws {
    let state = try state(), text = try StoreJSON.encode(state)
    var old = text, found: Set<String> = []
    for (name, oldName) in Self.oldNames where text.contains("\"\(name)\":") {
      found.insert(name)
      old = old.replacing("\"\(name)\":", with: "\"\(oldName)\":")
    }
    // Only a doubted fix has the last name.
    #expect(found.union(["isBasedOnSuspectFix"]) == Set(Self.oldNames.keys))
    #expect(throws: (any Error).self) { try SnapshotText(text: old, version: 2).snapshot() }
    #expect(try StoreJSON.encode(try SnapshotText(text: old, version: 1).snapshot()) == text)
    #expect(try StoreJSON.encode(try SnapshotText(text: text, version: 2).snapshot()) == text)
  }

  @Test func fencesOfWaitingEventsAreStored() throws {
    var registry = FenceRegistry()
    let hours = try #require(ActiveHours(text: "Mo-Fr 08:00-18:00 UTC+1"))
    let circle = Area.circle(try Area.Circle(center: try place(), radius: 50))
    try registry.add(Fence(id: "home", area: circle, terms: FenceTerms(activeHours: hours)))
    let state = EngineSnapshot(watch: FenceWatch(), waitingFences: registry, wakePlanner: nil, trips: [])
    let text = try StoreJSON.encode(state)
    #expect(try SnapshotText(text: text, version: 2).snapshot() == state)
  }

  @Test func stateOfVersion2HasMoreMembers() throws {
    let text = try StoreJSON.encode(try state())
    let old =
      text
      .replacing("\"reportedSide\":", with: "\"isOver\":false,\"reportedSide\":")
      .replacing("\"version\":\(EngineSnapshot.currentVersion)", with: "\"version\":2")
    try #require(old.contains("isOver") && old.contains("\"version\":2"))
    #expect(try StoreJSON.encode(try SnapshotText(text: old, version: 2).snapshot()) == text)
  }

  @Test func newerVersionIsRefused() {
    let version = Int64(EngineSnapshot.currentVersion + 1)
    #expect(throws: NewerStateError.self) { try SnapshotText(text: "{}", version: version).snapshot() }
  }
}
