import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsCoreLocation

/// The session's regions, the services beside them, and the wakes that they make.
@Suite struct SessionWakeTests {
  /// A session with regions, without a demand for fixes.
  private static func watching(_ count: Int = 3) -> (SessionScenario, [WakeRegion]) {
    var scenario = SessionScenario()
    scenario.handle(.authorization(.allowed(.always)))
    scenario.handle(.region(.read([])))
    let regions = FenceFailureTests.regions(count)
    scenario.handle(.demand(Demand(wakeRegions: regions)))
    return (scenario, regions)
  }

  private static func wakes(_ effects: [CoreLocationSession.Effect]) -> Int {
    effects.filter { if case .emit(.woke) = $0 { true } else { false } }.count
  }

  @Test func sideOfAStartedRegionIsAskedFor() {
    var (scenario, regions) = Self.watching()
    #expect(
      scenario.handle(.region(.started(regions[1].identifier))) == [.requestState(regions[1].identifier)])
    #expect(scenario.handle(.region(.started("com.example.1"))).isEmpty)
  }

  @Test func crossingBeforeTheStartOfARegionWakes() {
    var (scenario, regions) = Self.watching()
    #expect(Self.wakes(scenario.handle(.region(.state(regions[1].identifier, isInside: false)))) == 0)
    #expect(Self.wakes(scenario.handle(.region(.state(regions[1].identifier, isInside: true)))) == 1)
    #expect(Self.wakes(scenario.handle(.region(.state(regions[0].identifier, isInside: false)))) == 1)
  }

  @Test func stateWithACrossingWakesOnce() {
    var (scenario, regions) = Self.watching()
    #expect(Self.wakes(scenario.handle(.region(.crossed(regions[1].identifier, .enter)))) == 1)
    #expect(Self.wakes(scenario.handle(.region(.state(regions[1].identifier, isInside: true)))) == 0)
  }

  /// The system may suspend the program as soon as the time is given back.
  @Test func backgroundTimeLastsUntilTheRegionsAreChanged() {
    var (scenario, regions) = Self.watching()
    var wanted = SessionScenario.continuous(5)
    wanted.wakeRegions = regions
    scenario.handle(.region(.crossed(regions[1].identifier, .enter)))
    scenario.handle(.demand(wanted))
    #expect(
      scenario.handle(.demand(Demand(wakeRegions: Array(regions.dropLast())))) == [
        .stopUpdates, .stopRegion(regions[2].identifier), .releaseBackground,
      ])
  }

  /// In the background a power rule may leave significant changes to subscriptions.
  @Test(arguments: [Demand.Fixes.off, .significantChanges])
  func backgroundTimeEndsWithTheReceiver(fixes: Demand.Fixes) {
    var (scenario, regions) = Self.watching()
    var wanted = SessionScenario.continuous(5)
    wanted.wakeRegions = regions
    scenario.handle(.region(.crossed(regions[1].identifier, .enter)))
    #expect(!scenario.handle(.demand(wanted)).contains(.releaseBackground))
    #expect(
      scenario.handle(.demand(Demand(fixes: fixes, wakeRegions: regions))).last == .releaseBackground)
    scenario.handle(.region(.crossed(regions[1].identifier, .enter)))
    // In vain.
    #expect(
      scenario.handle(.demand(Demand(fixes: fixes, wakeRegions: regions))).last == .releaseBackground)
  }

  /// A program that the system suspends first would keep the receiver on.
  @Test func backgroundUpdatesOfAWakeEndAtOnce() {
    var scenario = SessionScenario(background: ManagerSettings.Background(allowsUpdates: true))
    scenario.handle(.authorization(.allowed(.always)))
    scenario.handle(.region(.read([])))
    let regions = FenceFailureTests.regions(3)
    scenario.handle(.demand(Demand(wakeRegions: regions)))
    scenario.handle(.region(.crossed(regions[1].identifier, .enter)))
    var wanted = SessionScenario.continuous(5)
    wanted.wakeRegions = regions
    scenario.handle(.demand(wanted))
    #expect(scenario.handle(.demand(Demand(wakeRegions: regions))) == [.stopUpdates, .releaseBackground])
  }

  /// The system takes the time of a suspended program back, whose timer is late then.
  @Test func wakeAfterASuspensionHasBackgroundTimeAgain() {
    var (scenario, regions) = Self.watching()
    #expect(scenario.handle(.region(.crossed(regions[1].identifier, .enter))).contains(.holdBackground))
    #expect(!scenario.handle(.region(.crossed(regions[2].identifier, .enter))).contains(.holdBackground))
    scenario.now = scenario.now.advanced(by: .seconds(60))
    #expect(scenario.handle(.region(.crossed(regions[1].identifier, .enter))).contains(.holdBackground))
  }

  @Test func foreignCrossingWakesNothing() {
    var (scenario, _) = Self.watching()
    #expect(scenario.handle(.region(.crossed("com.example.1", .enter))).isEmpty)
  }

  @Test func significantChangeWakes() {
    var (scenario, _) = Self.watching()
    let reading = LocationReading(latitude: 48, longitude: 11, time: 1_795_282_170, horizontalAccuracy: 500)
    #expect(scenario.handle(.locations([reading])).contains(.emit(.woke(.significantChange))))
  }

  /// A subscription to significant changes uses the same service.
  @Test func significantChangeOfASubscriptionWakes() {
    var (scenario, regions) = Self.watching()
    scenario.handle(.demand(Demand(fixes: .significantChanges, wakeRegions: regions)))
    let reading = LocationReading(latitude: 48, longitude: 11, time: 1_795_282_170, horizontalAccuracy: 500)
    let effects = scenario.handle(.locations([reading]))
    #expect(effects.contains(.holdBackground) && effects.contains(.emit(.woke(.significantChange))))
  }

  /// A location may still be on its way when the receiver is stopped.
  @Test func lateLocationWakesNothing() {
    var (scenario, regions) = Self.watching()
    var wanted = SessionScenario.continuous(5)
    wanted.wakeRegions = regions
    scenario.handle(.demand(wanted))
    scenario.handle(.locations([place(0)]))
    scenario.handle(.demand(Demand(wakeRegions: regions)))
    let late = scenario.handle(.locations([place(1)]))
    #expect(Self.wakes(late) == 0 && late.contains { if case .emit(.fix) = $0 { true } else { false } })
    scenario.now = scenario.now.advanced(by: .seconds(3))
    #expect(Self.wakes(scenario.handle(.locations([place(4)]))) == 1)
  }

  @Test func safetyNetEndsWithTheLastFence() {
    var (scenario, regions) = Self.watching()
    let effects = scenario.handle(.demand(.off))
    #expect(effects.contains(.stopSignificantChanges) && effects.contains(.stopVisits))
    #expect(regions.allSatisfy { effects.contains(.stopRegion($0.identifier)) })
  }

  @Test func fencesAndSubscriptionShareSignificantChanges() {
    var (scenario, regions) = Self.watching()
    var both = SessionScenario.continuous(10)
    both.watchesSignificantChanges = true
    var fenced = both
    fenced.wakeRegions = regions
    #expect(!scenario.handle(.demand(fenced)).contains(.startSignificantChanges))
    let unfenced = scenario.handle(.demand(both))
    #expect(unfenced.contains(.stopVisits) && !unfenced.contains(.stopSignificantChanges))
    #expect(!scenario.handle(.demand(fenced)).contains(.startSignificantChanges))
    fenced.watchesSignificantChanges = false
    #expect(scenario.handle(.demand(fenced)).isEmpty)
    #expect(scenario.handle(.demand(.off)).contains(.stopSignificantChanges))
  }

  /// The last fence may have expired while the program was not running. The first demand may come before Core Location
  /// calls back.
  @Test(arguments: [true, false]) func servicesOfAnEarlierProcessEnd(demandIsFirst: Bool) {
    var scenario = SessionScenario()
    var effects: [CoreLocationSession.Effect] = []
    if demandIsFirst { effects += scenario.handle(.demand(.off)) }
    effects += scenario.handle(.authorization(.allowed(.always)))
    effects += scenario.handle(.region(.read(["wa.exit.1.x"])))
    if !demandIsFirst { effects += scenario.handle(.demand(.off)) }
    #expect(effects.contains(.stopRegion("wa.exit.1.x")))
    #expect(effects.contains(.stopSignificantChanges) && effects.contains(.stopVisits))
  }

  /// The stored fences could not be loaded, as before the first unlock of a phone.
  @Test func regionsOfAnEarlierProcessStayWhileTheFencesAreUnknown() {
    var scenario = SessionScenario()
    scenario.handle(.authorization(.allowed(.always)))
    scenario.handle(.region(.read(["wa.exit.1.x"])))
    var effects = scenario.handle(.region(.crossed("wa.exit.1.x", .exit)))
    for var demand in [Demand.off, SessionScenario.continuous(5), .off] {
      demand.keepsWakeRegions = true
      effects += scenario.handle(.demand(demand))
    }
    effects += scenario.handle(.ended)
    #expect(!effects.contains(.stopRegion("wa.exit.1.x")))
    #expect(!effects.contains(.stopSignificantChanges) && !effects.contains(.stopVisits))
    #expect(effects.contains(.releaseBackground) && effects.contains(.stopUpdates))
    effects = scenario.handle(.demand(.off))
    #expect(effects.contains(.stopRegion("wa.exit.1.x")))
    #expect(effects.contains(.stopSignificantChanges) && effects.contains(.stopVisits))
  }

  /// Another source of the same app has the fences.
  @Test func sourceWithoutFencesEndsNoRegionOfAnother() {
    var scenario = SessionScenario()
    scenario.session.hasSiblings = true
    var effects = scenario.handle(.authorization(.allowed(.always)))
    effects += scenario.handle(.region(.read(["wa.exit.1.x"])))
    effects += scenario.handle(.demand(.off))
    #expect(
      effects == [
        .emit(.authorization(Authorization(.always))), .readRegions, .emit(.wakeCapacity(20)),
      ])
  }

  /// A widget has the identity of its app, and no fences.
  @Test func sourceOfAnExtensionTouchesNoRegion() {
    var scenario = SessionScenario(.iOS.ofProgram(at: "App.app/PlugIns/Widget.appex"))
    var effects = scenario.handle(.authorization(.allowed(.always)))
    effects += scenario.handle(.demand(SessionScenario.continuous(5000)))
    #expect(
      effects == [
        .emit(.authorization(Authorization(.always))),
        .configure(SessionScenario.settings(.threeKilometers)), .startUpdates,
      ])
    #expect(CoreLocationPlatform.iOS.ofProgram(at: "App.app") == .iOS)
  }

  @Test func deviceThatWatchesNoRegionsIsReportedOnce() {
    var platform = CoreLocationPlatform.iOS
    platform.watchesRegions = false
    var scenario = SessionScenario(platform)
    scenario.handle(.authorization(.allowed(.always)))
    #expect(scenario.handle(.region(.read([]))) == [.emit(.wakeCapacity(1))])
    #expect(
      scenario.handle(.demand(Demand(wakeRegions: FenceFailureTests.regions(1)))) == [
        .startSignificantChanges, .startVisits, .emit(.unavailable(CoreLocationProblems.noRegions)),
      ])
    #expect(scenario.handle(.demand(Demand(wakeRegions: FenceFailureTests.regions(2)))) == [])
  }

  @Test func regionsOutliveTheListener() {
    var (scenario, _) = Self.watching()
    let effects = scenario.handle(.ended)
    #expect(!effects.contains { if case .stopRegion = $0 { true } else { false } })
    #expect(!effects.contains(.stopSignificantChanges))
  }

  @Test func failedRegionLowersTheCapacity() {
    var (scenario, regions) = Self.watching(5)
    var effects = scenario.handle(.region(.failed(regions[4].identifier, .tooMany)))
    #expect(effects.contains(.readRegions))
    effects += scenario.handle(.region(.read(Set(regions.dropLast().map(\.identifier)))))
    #expect(effects.contains(.emit(.wakeCapacity(4))))
    #expect(!effects.contains { if case .startRegion = $0 { true } else { false } })
  }

  /// Core Location refuses regions also where there is room, such as on a Mac that watches none.
  @Test func refusedRegionIsNotStartedAgainAtOnce() {
    var (scenario, regions) = Self.watching(1)
    #expect(scenario.handle(.region(.failed(regions[0].identifier, .tooMany))) == [.readRegions])
    #expect(scenario.handle(.region(.read([]))) == [.emit(.wakeCapacity(1))])
    #expect(scenario.handle(.demand(Demand(wakeRegions: regions))) == [])
    #expect(scenario.handle(.authorization(.allowed(.always))) == [.readRegions])
    #expect(
      scenario.handle(.region(.read([]))) == [.emit(.wakeCapacity(20)), .startRegion(regions[0])])
  }

  @Test func refusedRegionIsStartedAgainWithOtherRegions() {
    var (scenario, regions) = Self.watching()
    scenario.handle(.region(.failed(regions[1].identifier, .tooMany)))
    #expect(
      scenario.handle(.region(.read([regions[0].identifier, regions[2].identifier]))) == [
        .emit(.wakeCapacity(2))
      ])
    #expect(
      scenario.handle(.demand(Demand(wakeRegions: Array(regions.prefix(2))))) == [
        .stopRegion(regions[2].identifier), .startRegion(regions[1]),
      ])
  }

  /// The question for the side of a region fails where the region is stopped before the answer.
  @Test func failureOfAStoppedRegionLowersNoCapacity() {
    var (scenario, regions) = Self.watching(5)
    let remaining = Array(regions.dropLast())
    scenario.handle(.demand(Demand(wakeRegions: remaining)))
    var effects = scenario.handle(.region(.failed(regions[4].identifier, .tooMany)))
    effects += scenario.handle(.region(.read(Set(remaining.map(\.identifier)))))
    #expect(effects == [])
  }

  /// Core Location may deny a region although the permission reads always.
  @Test func deniedRegionIsStartedAgainWithTheNextCallback() {
    var (scenario, regions) = Self.watching(1)
    #expect(scenario.handle(.region(.failed(regions[0].identifier, .denied))) == [.readAuthorization])
    #expect(scenario.handle(.authorizationRead(.allowed(.always))) == [])
    let listed = CoreLocationSession.Event.region(.read([regions[0].identifier]))
    #expect(scenario.handle(.authorization(.allowed(.always))) == [.readRegions])
    #expect(scenario.handle(listed) == [.startRegion(regions[0])])
    #expect(scenario.handle(.authorization(.allowed(.always))) == [.readRegions])
    #expect(scenario.handle(listed) == [])
  }

  /// Core Location calls back also when the person opens the app again. Other code may have changed the regions.
  @Test func regionsOfOtherCodeAreCountedAgainWithACallback() {
    var (scenario, regions) = Self.watching()
    let own = Set(regions.map(\.identifier))
    let foreign = Set((1...15).map { "com.example.\($0)" })
    #expect(scenario.handle(.authorization(.allowed(.always))) == [.readRegions])
    #expect(scenario.handle(.region(.read(own.union(foreign)))) == [.emit(.wakeCapacity(5))])
    #expect(scenario.handle(.authorization(.allowed(.always))) == [.readRegions])
    #expect(scenario.handle(.region(.read(own))) == [.emit(.wakeCapacity(20))])
  }

  /// Core Location may list a denied region, and would wake the app for it once always is allowed again.
  @Test func deniedRegionIsStoppedOnceItIsNotWanted() {
    var (scenario, regions) = Self.watching(1)
    scenario.handle(.region(.failed(regions[0].identifier, .denied)))
    scenario.handle(.authorization(.allowed(.whenInUse)))
    #expect(scenario.handle(.demand(.off)).contains(.stopRegion(regions[0].identifier)))
  }

  /// A failed question for the side of a region is reported as a failure of the region.
  @Test func failureOfAWatchedRegionChangesNothing() {
    var (scenario, regions) = Self.watching()
    scenario.handle(.region(.failed(regions[1].identifier, .tooMany)))
    #expect(scenario.handle(.region(.read(Set(regions.map(\.identifier))))) == [])
  }
}
