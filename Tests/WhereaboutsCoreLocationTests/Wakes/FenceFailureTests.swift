import Foundation
import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsCoreLocation

/// The known failures of fences on Core Location's regions, F1 to F22; each is a test.
@Suite struct FenceFailureTests {
  static let munich = Coordinate(uncheckedLatitude: 48.137, longitude: 11.575)

  static func place(_ east: Double, _ north: Double = 0) throws -> Coordinate {
    let moved = try #require(munich.destination(azimuth: 90, distance: abs(east)))
    let base = east < 0 ? try #require(munich.destination(azimuth: 270, distance: -east)) : moved
    return north == 0 ? base : try #require(base.destination(azimuth: 0, distance: north))
  }

  static func circle(_ name: String, _ east: Double, radius: Double = 100, north: Double = 0) throws -> Fence
  {
    Fence(
      id: FenceID(name), area: .circle(try Area.Circle(center: place(east, north), radius: radius)))
  }

  /// A phone whose program has received a fix at a place and rests.
  static func phone(
    _ fences: [Fence], foreignCount: Int = 0, lateness: SimulatedWatching.Lateness = .documented
  ) throws -> PocketPhone {
    var phone = PocketPhone(
      SimulatedWatching(lateness, foreignCount: foreignCount, seed: 1), at: munich)
    try phone.launch()
    phone.process(.fences(.add(fences)))
    try stay(&phone, seconds: 60)
    return phone
  }

  static func reading(_ place: Coordinate, at time: Double, accuracy: Double = 5) -> LocationReading {
    LocationReading(
      latitude: place.latitude, longitude: place.longitude, time: time, horizontalAccuracy: accuracy)
  }

  /// Advances the time at a place, and with `kills` kills the program whenever it is done.
  static func stay(
    _ phone: inout PocketPhone, at place: Coordinate? = nil, seconds: Int, kills: Bool = false,
    hasFixes: Bool = true
  ) throws {
    let place = place ?? phone.place
    for _ in 0..<seconds {
      let time = phone.now + 1
      try phone.move(
        to: place, at: time, fix: hasFixes ? reading(place, at: phone.epoch + time) : nil)
      if kills, phone.isDone { phone.kill() }
    }
  }

  static func kinds(_ phone: PocketPhone) -> [String] {
    phone.events.map { "\($0.event.kind) \($0.event.fence)" }
  }

  // MARK: Watched regions

  @Test("F1: the nearest fences are watched, not the first twenty") func f1() throws {
    var fences = try (0..<200).map { try Self.circle("far-\($0)", 20_000 + Double($0) * 500) }
    fences.append(try Self.circle("near", 1000))
    let phone = try Self.phone(fences)
    #expect(phone.plan.count == 20)
    let near = phone.plan.filter {
      $0.circle.center.distance(to: Self.munich) < 1001 && $0.crossing == .enter
    }
    #expect(near.count == 1)
  }

  @Test("F2: a circle around the device is watched if no fence is near") func f2() throws {
    let phone = try Self.phone([try Self.circle("far", 900_000)])
    let around = try #require(phone.plan.first)
    #expect(around.crossing == .exit && around.circle.radius == 20_000)
    #expect(phone.watching.identifiers.contains(around.identifier))
  }

  @Test("F3: a region of both plans is not restarted") func f3() throws {
    var phone = try Self.phone([try Self.circle("a", 3000), try Self.circle("b", -3000)])
    let before = phone.plan, registrations = phone.watching.registrations
    phone.process(.fences(.add([try Self.circle("c", 5000)])))
    #expect(Set(phone.plan.map(\.identifier)).isSuperset(of: before.map(\.identifier)))
    #expect(phone.watching.registrations == registrations + 1)
    phone.process(.fences(.remove(["c"])))
    #expect(Set(phone.plan) == Set(before) && phone.watching.registrations == registrations + 1)
  }

  @Test("F4: a large fence with a near boundary keeps its region") func f4() throws {
    var fences = try (0..<30).map { try Self.circle("small-\($0)", 6000 + Double($0) * 300) }
    fences.append(try Self.circle("large", 0, radius: 4000))
    let phone = try Self.phone(fences)
    #expect(phone.plan.contains { $0.crossing == .exit && $0.circle.radius == 4000 })
  }

  @Test("F5: a cached location moves no region") func f5() throws {
    var phone = try Self.phone([try Self.circle("a", 3000)])
    let plan = phone.plan, count = phone.demands.count
    phone.process(.signal(.woke(.left)))
    let old = Self.reading(try Self.place(10_000), at: phone.epoch - 3600)
    phone.send(.locations([old]))
    #expect(phone.demands.dropFirst(count).allSatisfy { $0.wakeRegions == plan })
    #expect(phone.isUpdating, "a new fix is still needed")
    try Self.stay(&phone, seconds: 10)
    #expect(!phone.isUpdating && phone.plan == plan)
  }

  @Test("F10: no region is smaller than 100 m") func f10() throws {
    let phone = try Self.phone(
      try (0..<10).map { try Self.circle("\($0)", 2000 + 300 * Double($0), radius: 20) })
    #expect(phone.plan.count == 11 && phone.plan.allSatisfy { $0.circle.radius >= 100 })
  }

  @Test("F21: foreign regions count against the limit and stay") func f21() throws {
    let fences = try (0..<40).map { try Self.circle("\($0)", 2000 + 300 * Double($0)) }
    let phone = try Self.phone(fences, foreignCount: 15)
    #expect(phone.plan.count == 5 && phone.watching.greatestCount == 20)
    let full = try Self.phone(fences, foreignCount: 20)
    #expect(full.watching.registrations == 0 && full.watching.watchesChanges)
    #expect(full.watching.identifiers.count == 20)
  }

  // MARK: Launches

  @Test("F6: what arrives before the engine runs is kept") func f6() throws {
    var phone = try Self.phone([try Self.circle("home", 0, radius: 300)])
    phone.kill()
    try Self.stay(&phone, at: try Self.place(900), seconds: 40, kills: true)
    #expect(phone.launches == 2 && Self.kinds(phone) == ["exit home"])
  }

  @Test("F8: a launch compares the regions with the plan") func f8() throws {
    var phone = try Self.phone([try Self.circle("a", 3000)])
    phone.kill()
    let plan = phone.plan
    phone.watching.stop(plan[1].identifier, lastFix: nil)
    let stray = WakeRegion(
      identifier: "wa.enter.99.stray", circle: try Area.Circle(center: Self.munich, radius: 500),
      crossing: .enter)
    let isRegistered = phone.watching.start(stray, at: Self.munich)
    #expect(isRegistered)
    let registrations = phone.watching.registrations
    try phone.launch()
    #expect(phone.watching.identifiers == Set(plan.map(\.identifier)))
    #expect(phone.watching.registrations == registrations + 1)
  }

  @Test("F8: an app that is opened again starts the regions that other code has stopped")
  func f8Opened() throws {
    var phone = try Self.phone([try Self.circle("a", 3000)])
    let plan = phone.plan
    phone.watching.stop(plan[1].identifier, lastFix: nil)
    phone.send(.authorization(.allowed(.always)))
    #expect(phone.watching.identifiers == Set(plan.map(\.identifier)))
  }

  @Test("F13: no demand reads the regions") func f13() {
    var scenario = SessionScenario()
    var effects = scenario.handle(.authorization(.allowed(.always)))
    effects += scenario.handle(.region(.read([])))
    for _ in 0..<5 {
      effects += scenario.handle(.demand(Demand(wakeRegions: Self.regions(3))))
    }
    #expect(effects.filter { $0 == .readRegions }.count == 1)
  }

  @Test("F14: a launch first watches the stored fences") func f14() throws {
    var phone = try Self.phone([try Self.circle("a", 3000)])
    phone.kill()
    let plan = phone.plan
    // A backup restored on another device has none of the regions.
    for region in plan { phone.watching.stop(region.identifier, lastFix: nil) }
    try phone.launch()
    #expect(phone.watching.identifiers == Set(plan.map(\.identifier)) && !phone.hasFix)
  }

  @Test("F16: background time lasts until the fix is stored, for 8 s at most") func f16() {
    var scenario = SessionScenario()
    scenario.handle(.authorization(.allowed(.always)))
    scenario.handle(.region(.read([])))
    let regions = Self.regions(2)
    scenario.handle(.demand(Demand(wakeRegions: regions)))
    let crossed = scenario.handle(.region(.crossed(regions[1].identifier, .enter)))
    #expect(crossed == [.holdBackground, .emit(.woke(.entered))])
    var wanted = SessionScenario.continuous(5)
    wanted.wakeRegions = regions
    #expect(!scenario.handle(.demand(wanted)).contains(.releaseBackground))
    #expect(scenario.handle(.demand(Demand(wakeRegions: regions))).contains(.releaseBackground))
    scenario.handle(.region(.crossed(regions[1].identifier, .enter)))
    #expect(!scenario.advance(by: .seconds(7)).contains(.releaseBackground))
    #expect(scenario.advance(by: .seconds(1)).contains(.releaseBackground))
  }

  @Test("F17: crossings after a time without launches are reported with their time span") func f17() throws {
    var phone = try Self.phone([try Self.circle("home", 0, radius: 300)])
    phone.kill()
    // The user has ended the program: the system does not launch it.
    for region in phone.plan { phone.watching.stop(region.identifier, lastFix: nil) }
    phone.watching.watchesChanges = false
    try Self.stay(&phone, at: try Self.place(5000), seconds: 3600)
    #expect(phone.launches == 1)
    try phone.launch()
    try Self.stay(&phone, seconds: 20)
    let event = try #require(phone.events.first?.event)
    #expect(phone.events.count == 1 && event.kind == .exit)
    #expect(try #require(event.lastBefore) < event.firstAfter.advanced(by: .seconds(-3500)))
  }

  // MARK: Events

  @Test("F7: a crossing without a fix reports no event") func f7() throws {
    var phone = try Self.phone([try Self.circle("home", 0, radius: 300)])
    phone.kill()
    try Self.stay(&phone, at: try Self.place(900), seconds: 60, kills: true, hasFixes: false)
    #expect(phone.launches > 1 && phone.events.isEmpty)
  }

  @Test("F11, F12: false crossings and initial sides report no event") func f11() throws {
    var phone = try Self.phone([try Self.circle("home", 0, radius: 300), try Self.circle("b", 3000)])
    for region in phone.plan {
      phone.send(.region(.crossed(region.identifier, region.crossing)))
      phone.send(.region(.state(region.identifier, isInside: region.crossing == .enter)))
      try Self.stay(&phone, seconds: 15)
    }
    phone.kill()
    try phone.launch(for: phone.plan.map { .crossed($0.identifier, $0.crossing) })
    try Self.stay(&phone, seconds: 15)
    #expect(phone.events.isEmpty)
  }

  @Test("F15: several fences crossed at once are all reported") func f15() throws {
    var phone = try Self.phone(try (1...5).map { try Self.circle("\($0)", 2000, radius: 100 * Double($0)) })
    phone.kill()
    try Self.stay(&phone, at: try Self.place(2000), seconds: 60, kills: true)
    #expect(Set(Self.kinds(phone)) == Set((1...5).map { "enter \($0)" }) && phone.events.count == 5)
  }

  @Test("F18: fences passed within seconds cause no false event") func f18() throws {
    var phone = try Self.phone(
      try (0..<20).map { try Self.circle("\($0)", 1500 + 20 * Double($0), radius: 20) })
    phone.kill()
    for step in 0...150 {
      try Self.stay(&phone, at: try Self.place(20 * Double(step)), seconds: 1, kills: true)
    }
    try Self.stay(&phone, seconds: 400, kills: true)
    for fence in (0..<20).map(String.init) {
      let kinds = phone.events.filter { $0.event.fence == FenceID(fence) }.map(\.event.kind)
      #expect([[], [.enter, .exit]].contains(kinds), "\(fence): \(kinds)")
    }
  }

  // MARK: Permission

  @Test("F19: fences need no background mode") func f19() {
    let declarations = CoreLocationDeclarations(hasWhenInUseText: true, hasAlwaysText: true)
    #expect(
      declarations.problems(
        highest: .always, allowsBackgroundUpdates: ManagerSettings.Background().allowsUpdates, on: .iOS) == []
    )
  }

  @Test("F20: the newer CLMonitor is not used") func f20() throws {
    let sources = URL(filePath: #filePath).appending(path: "../../../../Sources/WhereaboutsCoreLocation")
      .standardized
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?.allObjects as? [URL])
    let texts = try files.filter { $0.pathExtension == "swift" }.map {
      try String(contentsOf: $0, encoding: .utf8)
    }
    #expect(texts.count > 10 && texts.allSatisfy { !$0.contains("CLMonitor") })
  }

  @Test("F22: reduced accuracy starts no region and is reported with a remedy") func f22() throws {
    var scenario = SessionScenario()
    let first = scenario.handle(.authorization(.allowed(.always, isReduced: true)))
    scenario.handle(.region(.read([])))
    let effects = scenario.handle(.demand(Demand(wakeRegions: Self.regions(3))))
    #expect(!effects.contains { if case .startRegion = $0 { true } else { false } })
    #expect(effects.contains(.startSignificantChanges))
    let authorizations = first.compactMap {
      if case .emit(.authorization(let authorization)) = $0 { authorization } else { nil }
    }
    #expect(authorizations.first?.accuracy == .reduced && authorizations.first?.remedy != nil)
    var full = scenario.handle(.authorization(.allowed(.always)))
    full += scenario.handle(.region(.read([])))
    #expect(full.contains(.emit(.wakeCapacity(20))))
  }

  static func regions(_ count: Int) -> [WakeRegion] {
    (0..<count).compactMap { number in
      guard let circle = try? Area.Circle(center: munich, radius: 100 + Double(number)) else { return nil }
      return WakeRegion(
        identifier: "wa.enter.\(number).x", circle: circle, crossing: number == 0 ? .exit : .enter)
    }
  }
}
