import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel

@testable import WhereaboutsServer

@Suite struct DisclosureTests {
  typealias Fixture = DisclosureFixture

  enum Answer: Hashable { case exact, coarse(Double), nothing }

  private func answer(_ fix: Fix, _ shown: Fix?) -> Answer {
    guard let shown else { return .nothing }
    if shown == fix { return .exact }
    #expect(shown.isBare && shown.time == fix.time && shown.coordinate != fix.coordinate)
    return .coarse(shown.horizontalAccuracy ?? 0)
  }

  /// A reader, and the answer about a fix at home and about one 10 km away. A zone hides home.
  static let readers: [(AccessToken, isOwner: Bool, atHome: Answer, away: Answer)] = [
    (Fixture.reader([.read]), false, .nothing, .exact),
    (Fixture.reader([.read], of: "phone"), false, .nothing, .exact),
    (Fixture.reader([.read], of: "other"), false, .nothing, .nothing),
    (Fixture.reader([.write]), false, .nothing, .nothing),
    (Fixture.reader([.read, .write]), false, .nothing, .exact),
    (Fixture.reader([.write], of: "phone"), true, .nothing, .nothing),
    (Fixture.reader([.read, .write], of: "phone"), true, .exact, .exact),
    (Fixture.reader([.read, .write], of: "other"), false, .nothing, .nothing),
    (Fixture.reader([.admin]), true, .exact, .exact),
    (Fixture.reader([.admin], of: "phone"), true, .exact, .exact),
    (Fixture.reader([.admin], of: "other"), false, .nothing, .nothing),
    (Fixture.reader([.read], cap: 500), false, .nothing, .coarse(500)),
    (Fixture.reader([.read, .write], of: "phone", cap: 500), false, .nothing, .coarse(500)),
  ]

  @Test(arguments: readers)
  func readerReceivesOnlyAllowedData(reader: AccessToken, isOwner: Bool, atHome: Answer, away: Answer) throws
  {
    let disclosure = Disclosure(reader: reader, zones: [try Fixture.zone()])
    let fixes = [Fixture.fix(at: Fixture.home), Fixture.fix(at: Fixture.east(10_000))]
    #expect(fixes.map { answer($0, disclosure.fix($0, of: "phone")) } == [atHome, away])
    #expect(disclosure.isOwner(of: "phone") == isOwner)
    let mayRead = away != .nothing
    #expect(disclosure.mayRead("phone") == mayRead)
    #expect(disclosure.text("why", of: "phone") == (isOwner && mayRead ? "why" : nil))
    let trip = Trip(id: "walk", began: t(0))
    #expect(disclosure.trip(trip, of: "phone") == (mayRead ? trip : nil))
  }

  /// A zone, and the answers about a fix in it by readers without a cap and with one of 500 m.
  static let zones: [(PrivacyZone.Policy, device: DeviceID?, free: Answer, capped: Answer)] = [
    (.hide, nil, .nothing, .nothing), (.hide, "phone", .nothing, .nothing),
    (.hide, "other", .exact, .coarse(500)), (.coarsen(2_000), nil, .coarse(2_000), .coarse(2_000)),
    (.coarsen(100), nil, .coarse(100), .coarse(500)), (.coarsen(2_000), "other", .exact, .coarse(500)),
  ]

  @Test(arguments: zones)
  func zoneAppliesItsPolicy(policy: PrivacyZone.Policy, device: DeviceID?, free: Answer, capped: Answer)
    throws
  {
    let zone = try Fixture.zone(policy, device: device), fix = Fixture.fix(at: Fixture.home)
    for (cap, expected) in [(nil, free), (500.0, capped)] {
      let disclosure = Disclosure(reader: Fixture.reader([.read], cap: cap), zones: [zone])
      #expect(answer(fix, disclosure.fix(fix, of: "phone")) == expected)
    }
  }

  @Test func hidingZoneHasPrecedence() throws {
    let zones = [try Fixture.zone(.coarsen(100)), try Fixture.zone(), try Fixture.zone(.coarsen(5_000))]
    let disclosure = Disclosure(reader: Fixture.reader([.read]), zones: zones)
    #expect(disclosure.fix(Fixture.fix(at: Fixture.home), of: "phone") == nil)
  }

  /// However many fixes there are in a cell, a reader learns one place.
  @Test func averagingGainsNothing() throws {
    let disclosure = Disclosure(reader: Fixture.reader([.read], cap: 1_000), zones: [])
    let cell = CoarseGrid(size: 1_000).cell(of: Fixture.home)
    var seen: Set<Coordinate> = []
    for step in 0..<100 {
      let share = (Double(step) + 0.5) / 100
      let place = Fixture.place(
        cell.south + share * (cell.north - cell.south), cell.west + (1 - share) * (cell.east - cell.west))
      let shown = try #require(disclosure.fix(Fixture.fix(at: place, accuracy: 1 + share), of: "phone"))
      #expect(shown.horizontalAccuracy == 1_000)
      seen.insert(shown.coordinate)
    }
    #expect(seen == [cell.center])
  }

  /// A cell whose middle is in a zone that hides is never shown, wherever in the cell the fix is.
  @Test func snappedPlaceIsInNoHidingZone() throws {
    let middle = CoarseGrid(size: 5_000).cell(of: Fixture.home).center
    let disclosure = Disclosure(
      reader: Fixture.reader([.read], cap: 5_000), zones: [try Fixture.zone(at: middle)])
    let place = Fixture.place(middle.latitude + 0.01, middle.longitude)
    #expect(CoarseGrid(size: 5_000).cell(of: place).center == middle)
    #expect(disclosure.fix(Fixture.fix(at: place), of: "phone") == nil)
  }

  @Test func placesAreTreatedAsFixes() throws {
    let zone = try Fixture.zone()
    let free = Disclosure(reader: Fixture.reader([.read]), zones: [zone])
    #expect(free.place(Fixture.home, accuracy: 5, of: "phone") == nil)
    #expect(
      free.place(Fixture.east(900), accuracy: 5, of: "phone")
        == DisclosedPlace(coordinate: Fixture.east(900), accuracy: 5))
    // The true place may be in the zone.
    #expect(free.place(Fixture.east(900), accuracy: 600, of: "phone") == nil)
    let capped = Disclosure(reader: Fixture.reader([.read], cap: 500), zones: [zone])
    #expect(capped.place(Fixture.east(9_000), accuracy: nil, of: "phone")?.accuracy == 500)
  }
}
