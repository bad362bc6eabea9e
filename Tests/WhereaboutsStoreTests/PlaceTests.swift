import GRDB
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsStore

@Suite struct PlaceTests {
  private func place(_ id: String, _ known: Range<Int64>, name: String? = nil) throws -> Place {
    Place(
      id: id, name: name, coordinate: try #require(Coordinate(latitude: 48.5, longitude: 11)), radius: 120,
      known: t(known.lowerBound)..<t(known.upperBound))
  }

  @Test func placesAreStoredForTheirDevice() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    #expect(try store.places(of: .this).isEmpty)
    var garden = try place("pb", 5..<6)
    garden.mergedInto = "pa"
    let home = try place("pa", 1..<9, name: "Home")
    try store.save([garden, home], of: .this)
    #expect(try store.places(of: .this) == [home, garden])
    #expect(try store.places(of: DeviceID(rawValue: "other")).isEmpty)
    var moved = home
    moved.name = "Old home"
    try store.save([moved], of: .this)
    #expect(try store.places(of: .this) == [moved, garden])
  }

  @Test func unreadablePlaceIsLeftOutAndCanBeErased() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    try store.save([try place("pa", 1..<9, name: "Home"), try place("pb", 5..<6)], of: .this)
    try store.write { try $0.execute(sql: "UPDATE place SET lat = 400 WHERE id = 'pa'") }
    var unreadable: [String] = []
    #expect(try store.places(of: .this) { unreadable.append($0) }.map(\.id) == ["pb"])
    #expect(unreadable == ["pa"])
    #expect(try store.erasePlace("Home", of: DeviceID(rawValue: "other")) == 0)
    #expect(try store.erasePlace("Home", of: .this) == 1)
    #expect(try store.check().faults.isEmpty)
    #expect(try store.places(of: .this).map(\.id) == ["pb"])
  }

  /// A merged place may have the name that another place has now.
  @Test func onePlaceIsErasedForAName() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    var merged = try place("pa", 1..<9, name: "Office")
    merged.mergedInto = "pb"
    try store.save(
      [merged, try place("pb", 5..<6, name: "Home"), try place("pc", 7..<8, name: "Office")], of: .this)
    #expect(try store.erasePlace("Office", of: .this) == 1)
    #expect(try store.places(of: .this).map(\.id) == ["pa", "pb"])
    #expect(try store.erasePlace("pa", of: .this) == 1)
    #expect(try store.places(of: .this).map(\.id) == ["pb"])
  }

  @Test func forgettingASpanErasesPlacesKnownByItAlone() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    try store.save(
      [try place("inside", 20..<30), try place("across", 5..<30), try place("after", 50..<60)], of: .this)
    try store.forget(.span(t(10)..<t(40), of: .this))
    #expect(try store.places(of: .this).map(\.id) == ["across", "after"])
  }

  @Test(arguments: [ErasureScope.device(.this), .everything]) func forgettingADeviceErasesItsPlaces(
    what: ErasureScope
  ) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    try store.save([try place("pa", 1..<9, name: "a secret name")], of: .this)
    try store.forget(what)
    #expect(try store.places(of: .this).isEmpty)
    #expect(try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM place") } == 0)
  }
}
