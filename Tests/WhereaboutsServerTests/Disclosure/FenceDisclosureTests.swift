import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsServer

@Suite struct FenceDisclosureTests {
  typealias Fixture = DisclosureFixture

  enum Answer: Hashable { case nothing, noPlace, exact, coarse }

  /// A fence by the distance of its centre from home and its radius, the distance of the event's place, and the answers
  /// without a cap and with one of 500 m. A zone hides 200 m around home, in a circle of 400 m.
  static let rows: [(center: Double, radius: Double, place: Double, free: Answer, capped: Answer)] = [
    // In the zone, or across its border.
    (0, 50, 50, .nothing, .nothing), (0, 390, 390, .nothing, .nothing), (350, 200, 150, .nothing, .nothing),
    (150, 20, 170, .nothing, .nothing),
    // Around the zone: as much as the fixes outside tell.
    (0, 3_000, 3_000, .exact, .coarse), (0, 3_000, 0, .nothing, .nothing),
    // Elsewhere.
    (9_000, 100, 8_900, .exact, .coarse),
  ]

  @Test(arguments: rows)
  func eventIsDisclosedByItsFence(center: Double, radius: Double, place: Double, free: Answer, capped: Answer)
    throws
  {
    let fence = try Fixture.fence(at: Fixture.east(center), radius: radius)
    let event = Fixture.event(.enter, at: Fixture.east(place))
    for (cap, expected) in [(nil, free), (500.0, capped)] {
      let disclosure = Disclosure(reader: Fixture.reader([.read], cap: cap), zones: [try Fixture.zone()])
      let shown = disclosure.event(event, at: fence, of: "phone")
      #expect(answer(event, shown) == expected)
      guard let shown else { continue }
      #expect(
        shown.fence == "fence" && shown.kind == .enter && shown.id == event.id && shown.time == event.time)
    }
    let owner = Disclosure(reader: Fixture.reader([.admin]), zones: [try Fixture.zone()])
    #expect(answer(event, owner.event(event, at: fence, of: "phone")) == .exact)
  }

  /// A revision of a withheld event does not name the event either.
  @Test func revisionOfAWithheldEventIsWithheld() throws {
    let fence = try Fixture.fence(radius: 50)
    let registry = FenceRegistry([fence], serials: [1], lastSerial: 1)
    let event = Fixture.event(.exit, at: Fixture.home)
    let record = NumberedFenceRecord(number: 7, record: .revised(FenceEvent.ID(3), event))
    func json(_ scope: AccessToken.Scope) throws -> String? {
      record.json(
        of: "phone", revoked: nil, registry,
        Disclosure(reader: Fixture.reader([scope]), zones: [try Fixture.zone()])
      ).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(try json(.read) == nil)
    #expect(try json(.admin)?.contains(#""id":3,"revised":true"#) == true)
  }

  /// A revocation states the event only to the owner and to readers who received the event.
  @Test(arguments: [(50.0, false), (2_000, true)])
  func revocationReachesOnlyReadersOfTheEvent(radius: Double, isNamed: Bool) throws {
    let fence = try Fixture.fence(radius: radius)
    let registry = FenceRegistry([fence], serials: [1], lastSerial: 1)
    let event = Fixture.event(.exit, at: Fixture.east(radius))
    let record = NumberedFenceRecord(number: 7, record: .revised(FenceEvent.ID(3), nil))
    func json(_ scope: AccessToken.Scope, _ revoked: FenceEvent?) throws -> String? {
      record.json(
        of: "phone", revoked: revoked, registry,
        Disclosure(reader: Fixture.reader([scope]), zones: [try Fixture.zone()])
      ).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(try json(.read, event)?.contains(#""id":3,"revoked":true"#) ?? false == isNamed)
    #expect(try json(.read, nil) == nil)
    #expect(try json(.admin, nil)?.contains(#""id":3,"revoked":true"#) == true)
  }

  /// The fence may have been added again, away from a zone and after the beginning of a link.
  @Test func removalReachesTheOwnerAlone() throws {
    let fence = try Fixture.fence(at: Fixture.east(9_000), radius: 100)
    let registry = FenceRegistry([fence], serials: [1], lastSerial: 1)
    let record = NumberedFenceRecord(number: 7, record: .removed("fence", because: .once))
    let terms = TokenTerms(device: "phone", scopes: [.read], since: t(5))
    let late = AccessToken(id: 2, terms: terms, created: t(5), credential: .secret(hint: ""))
    for (reader, zones, isShown) in [
      (Fixture.reader([.read]), [try Fixture.zone()], false), (late, [], false),
      (Fixture.reader([.read, .write], of: "phone"), [try Fixture.zone()], true),
    ] {
      let disclosure = Disclosure(reader: reader, zones: zones)
      #expect((record.json(of: "phone", revoked: nil, registry, disclosure) != nil) == isShown)
    }
  }

  /// A reader gets neither a crossing in a zone nor its number, and the cursor moves on.
  @Test func crossingInAZoneIsLeftOut() async throws {
    var random = SeededGenerator(seed: 21)
    let home = Fixture.place(Batches.home.latitude, Batches.home.longitude)
    let zone = try PrivacyZone(name: "home", center: home, radius: 200, policy: .hide, using: &random)
    try await TestServer.run { store in
      try ZoneRegistry(store).add(zone)
    } _: { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let owner = try server.token("anna", [.read, .write]), reader = try server.token("anna", [.read])
      _ = try await server.post("/overland", Batches.overlandLeavingHome(), token: owner)
      let path = "/api/v1/devices/anna/crossings"
      let own = try await server.get(path, token: owner), seen = try await server.get(path, token: reader)
      #expect(own["crossings", as: [Any].self]?.count == 1)
      #expect(seen["crossings", as: [Any].self]?.isEmpty == true)
      // A greater number would show the reader that there was a crossing.
      for query in ["", "?limit=1", "?newest=1"] {
        #expect(try await server.get(path + query, token: reader)["last", as: Int.self] == 0)
      }
      #expect(own["last", as: Int.self] == 1)
    }
  }

  private func answer(_ event: FenceEvent, _ shown: DisclosedFenceEvent?) -> Answer {
    guard let shown else { return .nothing }
    guard let place = shown.place, let fix = shown.decidedBy else {
      #expect(shown.place == nil && shown.decidedBy == nil)
      return .noPlace
    }
    if place.coordinate == event.place {
      #expect(fix == event.decidedBy)
      return .exact
    }
    #expect(fix.isBare && place.accuracy == fix.horizontalAccuracy)
    return .coarse
  }

  @Test func fixInAZoneIsWithheldFromItsEvent() throws {
    let disclosure = Disclosure(reader: Fixture.reader([.read]), zones: [try Fixture.zone()])
    let event = Fixture.event(.enter, at: Fixture.east(3_000), decidedAt: Fixture.home)
    let shown = try #require(disclosure.event(event, at: Fixture.fence(radius: 3_000), of: "phone"))
    #expect(shown.place != nil && shown.decidedBy == nil)
  }

  /// A fence that is moved away from a zone does not disclose its earlier events in the zone.
  @Test func eventInAZoneIsWithheldAfterItsFenceMoved() throws {
    let event = Fixture.event(.enter, at: Fixture.east(100))
    let moved = try Fixture.fence(at: Fixture.east(9_000), radius: 100)
    let disclosure = Disclosure(reader: Fixture.reader([.read]), zones: [try Fixture.zone()])
    #expect(disclosure.event(event, at: moved, of: "phone") == nil)
    let owner = Disclosure(reader: Fixture.reader([.admin]), zones: [try Fixture.zone()])
    #expect(owner.event(event, at: moved, of: "phone") != nil)
  }

  @Test func eventOfAnUnknownFenceIsDisclosedOnlyWithoutHidingZones() throws {
    let event = Fixture.event(.exit, at: Fixture.east(9_000)), reader = Fixture.reader([.read])
    for (zones, isTold) in [
      ([], true), ([try Fixture.zone()], false), ([try Fixture.zone(.coarsen(500))], true),
      ([try Fixture.zone(device: "other")], true),
    ] {
      let disclosure = Disclosure(reader: reader, zones: zones)
      #expect((disclosure.event(event, at: nil, of: "phone") != nil) == isTold)
    }
    let owner = Disclosure(reader: Fixture.reader([.admin]), zones: [try Fixture.zone()])
    #expect(owner.event(event, at: nil, of: "phone") != nil)
  }

  @Test func areaIsForReadersWithoutLimits() throws {
    let away = try Fixture.fence(at: Fixture.east(9_000), radius: 100), home = try Fixture.fence(radius: 100)
    func shown(_ fence: Fence, _ reader: AccessToken, _ zones: [PrivacyZone]) -> DisclosedFence? {
      Disclosure(reader: reader, zones: zones).fence(fence, of: "phone")
    }
    let hiding = [try Fixture.zone()], coarse = [try Fixture.zone(.coarsen(500))]
    let free = Fixture.reader([.read]), capped = Fixture.reader([.read], cap: 500),
      owner = Fixture.reader([.admin])
    #expect(shown(away, free, hiding)?.area == away.area && shown(away, free, hiding)?.properties == [:])
    #expect(shown(home, free, hiding) == nil)
    #expect(shown(home, free, coarse)?.name == "The fence" && shown(home, free, coarse)?.area == nil)
    #expect(shown(away, capped, [])?.id == "fence" && shown(away, capped, [])?.area == nil)
    #expect(shown(home, owner, hiding)?.area == home.area)
    #expect(shown(home, owner, hiding)?.properties == home.properties)
    #expect(shown(home, Fixture.reader([.write]), []) == nil)
  }

  /// A usage of the receiver by the fences shows that a boundary is near.
  @Test func usageIsForReadersWithoutLimits() throws {
    let hiding = [try Fixture.zone()], other = [try Fixture.zone(device: "other")]
    func maySee(_ reader: AccessToken, _ zones: [PrivacyZone]) -> Bool {
      Disclosure(reader: reader, zones: zones).maySeeUsage(from: t(0), of: "phone")
    }
    #expect(maySee(Fixture.reader([.read]), []) && maySee(Fixture.reader([.read]), other))
    #expect(!maySee(Fixture.reader([.read]), hiding) && !maySee(Fixture.reader([.read], cap: 500), []))
    #expect(maySee(Fixture.reader([.admin]), hiding))
    #expect(maySee(Fixture.reader([.read, .write], of: "phone"), hiding))
  }

  /// The list of fences is for no single device: a zone of one device hides a fence from a reader of all devices, and
  /// not from a reader of another device.
  @Test func zoneOfADeviceHidesAFenceFromReadersOfAllDevices() throws {
    let home = try Fixture.fence(radius: 100), away = try Fixture.fence(at: Fixture.east(9_000), radius: 100)
    func shown(
      _ fence: Fence, _ reader: AccessToken, _ policy: PrivacyZone.Policy
    ) throws -> DisclosedFence? {
      Disclosure(reader: reader, zones: [try Fixture.zone(policy, device: "phone")]).fence(fence)
    }
    let all = Fixture.reader([.read])
    #expect(try shown(home, all, .hide) == nil)
    #expect(try shown(away, all, .hide)?.area == away.area)
    let coarse = try #require(try shown(home, all, .coarsen(500)))
    #expect(coarse.name == "The fence" && coarse.area == nil)
    #expect(try shown(home, Fixture.reader([.read], of: "phone"), .hide) == nil)
    #expect(try shown(home, Fixture.reader([.read], of: "other"), .hide)?.area == home.area)
    #expect(try shown(home, Fixture.reader([.admin]), .hide)?.area == home.area)
  }
}
