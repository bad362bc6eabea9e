import GRDB
import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel

@testable import WhereaboutsStore

/// Fences of a server in the store.
@Suite struct SharedFenceRowsTests {
  /// Fences are decoded in concurrent parts; none is lost at the bounds of the parts.
  @Test(arguments: [0, 1, 2_000, 2_001, 4_801])
  func fencesAreLoadedInTheirOrder(_ count: Int) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    var change = StoreCommit.FenceChange()
    for serial in 0..<count {
      let center = try #require(Coordinate(latitude: Double(serial) / 100, longitude: 13.4))
      let area = Area.circle(try Area.Circle(center: center, radius: 50))
      let fence = Fence(id: FenceID("f\(serial * 7919 % 10_007)"), area: area)
      change.set.append(StoreCommit.FenceChange.Entry(fence, serial: UInt64(serial)))
    }
    try store.changeSharedFences(change)
    // A fence that is set again has a new row, and its place.
    var again = StoreCommit.FenceChange()
    again.set = Array(change.set.prefix(1))
    try store.changeSharedFences(again)
    let (fences, serials, _) = try store.sharedFences()
    #expect(fences == change.set.map(\.fence) && serials == change.set.map(\.serial))
    store.close()
  }

  /// The device has a fence of its own, changes a shared one and removes another.
  @Test func sharedFencesCountForADevice() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    let center = try #require(Coordinate(latitude: 52.5, longitude: 13.4))
    let area = Area.circle(try Area.Circle(center: center, radius: 50))
    var change = StoreCommit.FenceChange()
    for (serial, id) in ["a", "b", "c"].enumerated() {
      let fence = Fence(id: FenceID(id), area: area)
      change.set.append(StoreCommit.FenceChange.Entry(fence, serial: UInt64(serial)))
    }
    try store.changeSharedFences(change)
    try store.edit(
      [
        .set(Fence(id: FenceID("own"), area: area)), .set(Fence(id: FenceID("b"), area: area)),
        .removed(FenceID("c")),
      ], of: .this)
    #expect(try store.fences(of: .this).count == 3)
    #expect(try store.fenceCount(of: .this) == 3 && store.ownFenceCount(of: .this) == 2)
    store.close()
  }

  @Test func damagedFenceIsAnError() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    try store.write { database in
      try database.execute(
        sql: "INSERT INTO shared_fence (id, serial, fence) VALUES ('a', 1, '{}'), ('b', 2, '],[')")
    }
    #expect(throws: StoreError.self) { try store.sharedFences() }
    store.close()
  }
}
