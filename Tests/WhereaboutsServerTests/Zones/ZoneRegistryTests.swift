import GRDB
import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsServer

@Suite struct ZoneRegistryTests {
  private func zone(
    _ name: String, _ policy: PrivacyZone.Policy = .hide, device: DeviceID? = nil
  ) throws -> PrivacyZone {
    var random = SeededGenerator(seed: 5)
    let center = try #require(Coordinate(latitude: 51.25, longitude: -0.125))
    return try PrivacyZone(
      name: name, center: center, radius: 200, policy: policy, device: device, using: &random)
  }

  @Test func zonesAreStoredExactly() throws {
    let fixture = try TokenFixture(), registry = try ZoneRegistry(fixture.store)
    let all = [try zone("home"), try zone("town", .coarsen(2_000), device: "phone")]
    for zone in all.reversed() { try registry.add(zone) }
    #expect(registry.zones == all)
    #expect(try ZoneRegistry(fixture.otherStore()).zones == all)
    #expect(all.map { $0.applies(to: "phone") } == [true, true])
    #expect(all.map { $0.applies(to: "other") } == [true, false])
  }

  /// A comparison of the zones alone would miss one that was added and removed, and what it withheld meanwhile.
  @Test func changesAreCounted() throws {
    let fixture = try TokenFixture(), registry = try ZoneRegistry(fixture.store)
    let other = try ZoneRegistry(fixture.otherStore())
    #expect(registry.changes == 0)
    try registry.add(try zone("home"))
    try registry.remove("home")
    #expect(registry.zones.isEmpty && registry.changes == 2)
    try other.add(try zone("town"))
    try registry.refresh()
    #expect(registry.changes == 3)
    // Another change of the store is none of the zones.
    try fixture.otherStore().write { try $0.execute(sql: "INSERT INTO device (name) VALUES ('phone')") }
    try registry.refresh()
    #expect(registry.changes == 3)
  }

  @Test func unreadableZoneCanBeRemoved() throws {
    let fixture = try TokenFixture()
    try ZoneRegistry(fixture.store).add(zone("home"))
    try fixture.store.write { try $0.execute(sql: "UPDATE privacy_zone SET lat = 400") }
    let problem = #expect(throws: StoreError.self) { try ZoneRegistry(fixture.store) }
    #expect(problem?.message.contains("the privacy zone home") == true)
    #expect(try fixture.store.serverFaults().map(\.command) == [["zone", "remove", "home"]])
    try ZoneRegistry.remove("home", from: fixture.store)
    #expect(try fixture.store.serverFaults().isEmpty)
    #expect(try ZoneRegistry(fixture.store).zones.isEmpty)
  }

  @Test func namesAreUnique() throws {
    let fixture = try TokenFixture(), registry = try ZoneRegistry(fixture.store)
    try registry.add(try zone("home"))
    let error = #expect(throws: StoreError.self) { try registry.add(try zone("home", .coarsen(500))) }
    #expect(try error?.code == .failed && ZoneRegistry(fixture.otherStore()).zones == [zone("home")])
  }

  @Test func removedZoneIsErased() throws {
    let fixture = try TokenFixture(), registry = try ZoneRegistry(fixture.store)
    try registry.add(try zone("the private place"))
    #expect(try fixture.holds("the private place"))
    try registry.remove("the private place")
    #expect(try registry.zones.isEmpty && !fixture.holds("the private place"))
    let error = #expect(throws: StoreError.self) { try registry.remove("the private place") }
    #expect(error?.code == .missing)
    withExtendedLifetime(fixture) {}
  }

  @Test func changesOfOtherProcessesNeedARefresh() throws {
    let fixture = try TokenFixture(), registry = try ZoneRegistry(fixture.store)
    let other = try ZoneRegistry(fixture.otherStore())
    try other.add(try zone("home"))
    #expect(registry.zones.isEmpty)
    try registry.refresh()
    #expect(registry.zones == [try zone("home")])
    try other.remove("home")
    try registry.refresh()
    #expect(registry.zones.isEmpty)
    withExtendedLifetime(fixture) {}
  }

  @Test func unreadableZoneIsAnError() throws {
    let fixture = try TokenFixture(), registry = try ZoneRegistry(fixture.store)
    try registry.add(try zone("home"))
    try fixture.store.write { try $0.execute(sql: "UPDATE privacy_zone SET cover_lat = 91") }
    let error = #expect(throws: StoreError.self) { try registry.refresh() }
    #expect(error?.code == .corrupt)
    // The zone in memory still protects.
    #expect(registry.zones == [try zone("home")])
    withExtendedLifetime(fixture) {}
  }
}
