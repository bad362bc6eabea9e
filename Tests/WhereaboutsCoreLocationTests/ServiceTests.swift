import Testing
import Whereabouts

@testable import WhereaboutsCoreLocation

@Suite struct CoreLocationServiceTests {
  /// A coarser constant than the demand would let Core Location stay short of the demand.
  @Test(arguments: [
    (0.0, UpdateSettings.Accuracy.best), (5, .best), (9.9, .best), (10, .tenMeters), (15, .tenMeters),
    (25, .tenMeters), (99, .tenMeters), (100, .hundredMeters), (999, .hundredMeters), (1000, .kilometer),
    (2999, .kilometer), (3000, .threeKilometers), (5000, .threeKilometers), (-1, .best),
    (.infinity, .threeKilometers), (.nan, .best),
  ])
  func accuracyMapsToConstants(accuracy: Double, expected: UpdateSettings.Accuracy) {
    var scenario = SessionScenario()
    scenario.handle(.authorization(.allowed(.always)))
    let effects = scenario.handle(.demand(SessionScenario.continuous(accuracy)))
    #expect(effects == [.configure(SessionScenario.settings(expected)), .startUpdates])
  }

  @Test(arguments: [
    (Activity.other, UpdateSettings.ActivityType.other), (.walk, .fitness), (.run, .fitness),
    (.bike, .fitness), (.car, .automotiveNavigation), (.boat, .otherNavigation), (.air, .airborne),
  ])
  func activityMapsToTypes(activity: Activity, expected: UpdateSettings.ActivityType) {
    var scenario = SessionScenario()
    scenario.handle(.authorization(.allowed(.always)))
    let effects = scenario.handle(.demand(SessionScenario.continuous(10, activity: activity)))
    #expect(effects.first == .configure(SessionScenario.settings(.tenMeters, activity: expected)))
  }

  @Test(arguments: [(0.0, Double?.none), (-1, nil), (.nan, nil), (.infinity, nil), (25, 25)])
  func distanceFilterOfZeroIsNone(distance: Double, expected: Double?) {
    let scenario = SessionScenario.running(SessionScenario.continuous(10, distance: distance))
    #expect(scenario.session.service == .updates(SessionScenario.settings(.tenMeters, distance: expected)))
  }

  @Test(arguments: [
    (ManagerSettings.Background(), true, false, false),
    (ManagerSettings.Background(allowsUpdates: true), true, true, false),
    (ManagerSettings.Background(allowsUpdates: true, showsIndicator: true), true, true, true),
    (ManagerSettings.Background(allowsUpdates: true, showsIndicator: true), false, false, false),
    (ManagerSettings.Background(showsIndicator: true), true, false, false),
  ])
  func backgroundUpdatesNeedTheMode(
    background: ManagerSettings.Background, hasMode: Bool, allows: Bool, shows: Bool
  ) {
    var scenario = SessionScenario(
      declarations: CoreLocationDeclarations(hasWhenInUseText: true, hasBackgroundMode: hasMode),
      background: background)
    scenario.handle(.authorization(.allowed(.whenInUse)))
    scenario.handle(.demand(SessionScenario.continuous(10)))
    #expect(
      scenario.session.service
        == .updates(SessionScenario.settings(.tenMeters, background: allows, indicator: shows)))
  }

  /// Beside significant changes, iOS suspends an app in the background for a distance filter or a coarse accuracy.
  @Test func backgroundUpdatesWithoutTheIndicatorAreNeitherFilteredNorCoarse() {
    func service(
      _ accuracy: Double, _ background: ManagerSettings.Background, on platform: CoreLocationPlatform = .iOS
    ) -> CoreLocationSession.Service {
      SessionScenario.running(
        SessionScenario.continuous(accuracy, distance: 25), on: platform, background: background
      ).session.service
    }
    let hidden = ManagerSettings.Background(allowsUpdates: true)
    #expect(service(15, hidden) == .updates(SessionScenario.settings(.tenMeters, background: true)))
    #expect(service(5000, hidden) == .updates(SessionScenario.settings(.hundredMeters, background: true)))
    let shown = ManagerSettings.Background(allowsUpdates: true, showsIndicator: true)
    #expect(
      service(5000, shown)
        == .updates(
          SessionScenario.settings(.threeKilometers, distance: 25, background: true, indicator: true)))
    #expect(
      service(5000, ManagerSettings.Background())
        == .updates(SessionScenario.settings(.threeKilometers, distance: 25)))
    #expect(
      service(5000, hidden, on: .watchOS)
        == .updates(SessionScenario.settings(.threeKilometers, distance: 25, background: true)))
  }

  @Test func pausesAreOffUnlessSet() {
    let pauses = ManagerSettings.Background(pausesAutomatically: true)
    #expect(
      SessionScenario.running(background: pauses).session.service
        == .updates(SessionScenario.settings(.tenMeters, pauses: true)))
    #expect(SessionScenario.running().session.service == .updates(SessionScenario.settings(.tenMeters)))
  }

  @Test func changedDemandChangesPropertiesOnly() {
    var scenario = SessionScenario.running()
    #expect(
      scenario.handle(.demand(SessionScenario.continuous(100))) == [
        .configure(SessionScenario.settings(.hundredMeters))
      ])
    // The same properties serve both.
    #expect(scenario.handle(.demand(SessionScenario.continuous(150))) == [])
  }

  @Test func equalDemandRestarts() {
    var scenario = SessionScenario.running()
    #expect(
      scenario.handle(.demand(SessionScenario.continuous(10))) == [
        .stopUpdates, .configure(SessionScenario.settings(.tenMeters)), .startUpdates,
      ])
  }

  /// A tracker whose source is silent for some seconds repeats its demand, also in the background. Updates that are
  /// stopped there can't be started again.
  @Test(arguments: [Authorization.Level.whenInUse, .always])
  func equalDemandDoesNotStopBackgroundUpdates(level: Authorization.Level) {
    var scenario = SessionScenario(background: ManagerSettings.Background(allowsUpdates: true))
    scenario.handle(.authorization(.allowed(level)))
    scenario.handle(.demand(SessionScenario.continuous(10)))
    scenario.handle(.locations([place(0)]))
    #expect(
      scenario.handle(.demand(SessionScenario.continuous(10))) == [
        .configure(SessionScenario.settings(.tenMeters, background: true)), .startUpdates,
      ])
    #expect(
      scenario.advance(by: .seconds(30)) == [.emit(.unavailable(CoreLocationProblems.noPosition))])
    // Core Location itself has stopped paused updates.
    scenario.handle(.paused)
    #expect(scenario.handle(.demand(SessionScenario.continuous(10))).contains(.stopUpdates))
  }

  /// The engine turns a silent source off and on, and one subscription may follow another.
  @Test func backgroundUpdatesContinueForAMomentWithoutADemand() {
    let background = ManagerSettings.Background(allowsUpdates: true)
    var scenario = SessionScenario.running(background: background)
    #expect(scenario.handle(.demand(.off)) == [])
    #expect(
      scenario.handle(.demand(SessionScenario.continuous(100))) == [
        .configure(SessionScenario.settings(.hundredMeters, background: true)), .startUpdates,
      ])
    #expect(scenario.advance(by: .seconds(5)) == [])
    scenario.handle(.demand(.off))
    #expect(scenario.advance(by: .seconds(1)) == [])
    // Nobody needs a fix.
    #expect(scenario.handle(.locations([place(6)])) == [])
    #expect(scenario.handle(.failed(.noPosition)) == [])
    #expect(scenario.handle(.demand(.off)) == [])
    #expect(scenario.advance(by: .seconds(1)) == [.stopUpdates])
    #expect(scenario.session.nextWake == nil)
    scenario = .running(background: background)
    #expect(scenario.handle(.ended) == [.stopUpdates])
    #expect(scenario.session.nextWake == nil)
  }

  /// Running updates with a filter deliver nothing to a device at rest, and a new subscription would get no fix.
  @Test func filterOfContinuedBackgroundUpdatesFollowsTheFirstFix() {
    let demand = SessionScenario.continuous(10, distance: 25)
    var settings = SessionScenario.settings(.tenMeters, background: true, indicator: true)
    var scenario = SessionScenario.running(
      demand, background: ManagerSettings.Background(allowsUpdates: true, showsIndicator: true))
    scenario.handle(.locations([place(0)]))
    scenario.handle(.demand(.off))
    #expect(scenario.handle(.demand(demand)) == [.configure(settings), .startUpdates])
    #expect(scenario.signals(after: .locations([place(1, accuracy: -1)])).count == 1)
    #expect(scenario.session.service == .updates(settings))
    settings.distanceFilter = 25
    #expect(scenario.handle(.locations([place(1)])).last == .configure(settings))
    #expect(scenario.session.service == .updates(settings))
    #expect(scenario.handle(.locations([place(2)])).count == 1)
  }

  /// The timer of a program that was suspended is late.
  @Test func backgroundUpdatesOfASuspendedProgramEndBeforeTheNextDemand() {
    var scenario = SessionScenario.running(background: ManagerSettings.Background(allowsUpdates: true))
    scenario.handle(.locations([place(0)]))
    scenario.handle(.demand(.off))
    scenario.now = scenario.now.advanced(by: .seconds(600))
    #expect(
      scenario.handle(.demand(SessionScenario.continuous(10))) == [
        .stopUpdates, .configure(SessionScenario.settings(.tenMeters, background: true)), .startUpdates,
      ])
    #expect(scenario.signals(after: .locations([place(600)])).first == .segmentBegan)
  }

  @Test func demandEndsStopEverything() {
    var both = SessionScenario.continuous(10)
    both.headings = Demand.Headings(filter: 5)
    var scenario = SessionScenario.running(both)
    #expect(scenario.handle(.demand(.off)) == [.stopHeadings, .stopUpdates])
    #expect(scenario.session.nextWake == nil)
    #expect(scenario.handle(.demand(.off)) == [])
    scenario = .running(.significantChanges)
    #expect(scenario.handle(.demand(.off)) == [.stopSignificantChanges])
    scenario = .running()
    #expect(scenario.handle(.ended) == [.stopUpdates])
  }

  @Test func significantChangesRunAlone() {
    var scenario = SessionScenario.running()
    #expect(scenario.handle(.demand(.significantChanges)) == [.stopUpdates, .startSignificantChanges])
    #expect(
      scenario.handle(.demand(SessionScenario.continuous(10))) == [
        .stopSignificantChanges, .configure(SessionScenario.settings(.tenMeters)), .startUpdates,
      ])
  }

  /// The system suspends or ends an app with its fixes. A significant change wakes or launches it.
  @Test func significantChangesContinueBesideFixes() {
    var both = SessionScenario.continuous(10)
    both.watchesSignificantChanges = true
    let start: [SessionScenario.Effect] = [.configure(SessionScenario.settings(.tenMeters)), .startUpdates]
    var scenario = SessionScenario.running(.significantChanges)
    #expect(scenario.handle(.demand(both)) == start)
    #expect(scenario.handle(.demand(.significantChanges)) == [.stopUpdates])
    #expect(scenario.handle(.demand(.off)) == [.stopSignificantChanges])
    #expect(scenario.handle(.demand(both)) == start + [.startSignificantChanges])
    #expect(scenario.handle(.demand(SessionScenario.continuous(10))) == [.stopSignificantChanges])
    #expect(scenario.handle(.demand(both)) == [.startSignificantChanges])
    #expect(
      scenario.handle(.authorization(.refused(.denied))).filter { $0 == .stopSignificantChanges }.count == 1)
    #expect(scenario.handle(.authorization(.allowed(.always))).contains(.startSignificantChanges))
    #expect(scenario.handle(.ended) == [.stopUpdates, .stopSignificantChanges])
  }

  /// A restart of silent updates ends their demand for a moment. Each start of the service sends an old location.
  @Test func restartOfUpdatesLeavesSignificantChangesOn() {
    var both = SessionScenario.continuous(10)
    both.watchesSignificantChanges = true
    var scenario = SessionScenario.running(both, background: ManagerSettings.Background(allowsUpdates: true))
    let effects = scenario.handle(.demand(.off)) + scenario.handle(.demand(both))
    #expect(!effects.contains(.stopSignificantChanges) && !effects.contains(.startSignificantChanges))
    #expect(!scenario.handle(.demand(.off)).contains(.stopSignificantChanges))
    #expect(scenario.advance(by: .seconds(3)).contains(.stopSignificantChanges))
  }

  @Test(arguments: [CoreLocationPlatform.watchOS, .tvOS, .visionOS])
  func platformWithoutSignificantChangesHasFixesAlone(platform: CoreLocationPlatform) {
    var both = SessionScenario.continuous(10)
    both.watchesSignificantChanges = true
    var scenario = SessionScenario(platform)
    scenario.handle(.authorization(.allowed(.whenInUse)))
    #expect(!scenario.handle(.demand(both)).contains(.startSignificantChanges))
  }

  @Test func significantChangesBesideFixesLimitTheFilterWhereTheyAreMissing() {
    let rare = Demand.continuous(
      Demand.Continuous(accuracy: 3000, distanceFilter: 2000, interval: .zero, activity: .walk))
    var scenario = SessionScenario(.watchOS)
    scenario.handle(.authorization(.allowed(.whenInUse)))
    scenario.handle(.demand(rare))
    var settings = SessionScenario.settings(.kilometer)
    (settings.distanceFilter, settings.activity) = (500, .fitness)
    #expect(scenario.handle(.demand(rare.merged(with: .significantChanges))) == [.configure(settings)])
  }

  @Test func missingSignificantChangesAreReplacedAndReportedOnce() {
    var scenario = SessionScenario(.watchOS)
    scenario.handle(.authorization(.allowed(.always)))
    #expect(
      scenario.handle(.demand(.significantChanges)) == [
        .emit(.unavailable(CoreLocationProblems.noSignificantChanges)),
        .configure(SessionScenario.settings(.kilometer, distance: 500)), .startUpdates,
      ])
    scenario.handle(.demand(.off))
    #expect(scenario.signals(after: .demand(.significantChanges)) == [])
  }

  // MARK: Gaps and first fixes

  @Test func firstFixBeginsASegmentAndLaterOnesContinue() {
    var scenario = SessionScenario.running()
    let first = scenario.signals(after: .locations([place(0), place(1)]))
    #expect(first.first == .segmentBegan)
    #expect(first.dropFirst().allSatisfy(\.isFix) && first.count == 3)
    #expect(scenario.signals(after: .locations([place(2)])).count == 1)
  }

  @Test(arguments: [(1, false), (2, false), (3, true), (600, true)])
  func timeWithoutReceiverIsAGap(seconds: Int, isGap: Bool) {
    var scenario = SessionScenario.running()
    scenario.handle(.locations([place(0)]))
    scenario.handle(.demand(.off))
    scenario.now = scenario.now.advanced(by: .seconds(seconds))
    scenario.handle(.demand(SessionScenario.continuous(10)))
    #expect(scenario.signals(after: .locations([place(700)])).contains(.segmentBegan) == isGap)
  }

  @Test func fixesBeforeTheFirstDemandAreRetained() {
    var scenario = SessionScenario()
    scenario.handle(.authorization(.allowed(.always)))
    #expect(scenario.signals(after: .locations([place(0)])).last?.isFix == true)
    scenario.handle(.demand(.off))
    #expect(scenario.signals(after: .locations([place(1)])) == [])
  }

  @Test func missingFirstFixIsReportedOnce() {
    var scenario = SessionScenario.running()
    let problem = SessionScenario.Effect.emit(.unavailable(CoreLocationProblems.noPosition))
    #expect(scenario.advance(by: .seconds(29)) == [])
    #expect(scenario.advance(by: .seconds(1)) == [problem])
    #expect(scenario.handle(.failed(.noPosition)) == [])
    #expect(scenario.advance(by: .seconds(3600)) == [])
    scenario.handle(.locations([place(0)]))
    #expect(scenario.handle(.failed(.noPosition)) == [problem])
  }

  @Test func firstFixInTimeIsNoProblem() {
    var scenario = SessionScenario.running()
    scenario.handle(.locations([place(0)]))
    #expect(scenario.advance(by: .seconds(3600)) == [])
  }

  /// Otherwise each start would report at once that there is no position.
  @Test(arguments: [Duration.zero, .seconds(-1)])
  func timeoutChangedToNothingIsTheStandardOne(timeout: Duration) {
    var settings = CoreLocationSettings()
    settings.firstFixTimeout = timeout
    var session = CoreLocationSession(
      platform: .iOS, declarations: SessionScenario.allDeclarations, settings: settings)
    _ = session.handle(.authorization(.allowed(.whenInUse)), at: .start)
    _ = session.handle(.demand(SessionScenario.continuous(10)), at: .start)
    #expect(session.nextWake == Instant.start.advanced(by: .seconds(30)))
  }

  // MARK: Errors and pauses

  @Test func errorsEndNothing() {
    var scenario = SessionScenario.running()
    #expect(scenario.handle(.failed(.irrelevant)) == [])
    #expect(
      scenario.handle(.failed(.noNetwork)) == [.emit(.unavailable(CoreLocationProblems.noNetwork))])
    #expect(
      scenario.handle(.failed(.unknown("kCLErrorDomain 99"))) == [
        .emit(.unavailable(CoreLocationProblems.unknown("kCLErrorDomain 99")))
      ])
    #expect(scenario.session.service == .updates(SessionScenario.settings(.tenMeters)))
    scenario.handle(.demand(.off))
    #expect(scenario.handle(.failed(.noPosition)) == [])
  }

  @Test func pauseIsReportedAndTheNextDemandRestarts() {
    var scenario = SessionScenario.running()
    scenario.handle(.locations([place(0)]))
    #expect(scenario.handle(.paused) == [.emit(.unavailable(CoreLocationProblems.paused))])
    let restarted = scenario.handle(.demand(SessionScenario.continuous(100)))
    #expect(restarted.contains(.stopUpdates) && restarted.contains(.startUpdates))
    #expect(scenario.signals(after: .locations([place(60)])).first == .segmentBegan)
    #expect(
      scenario.handle(.demand(SessionScenario.continuous(10))) == [
        .configure(SessionScenario.settings(.tenMeters))
      ])
  }

  @Test func resumedUpdatesBeginASegment() {
    var scenario = SessionScenario.running()
    scenario.handle(.locations([place(0)]))
    scenario.handle(.paused)
    #expect(scenario.handle(.resumed) == [])
    #expect(scenario.signals(after: .locations([place(60)])).first == .segmentBegan)
    #expect(scenario.handle(.demand(SessionScenario.continuous(100))).contains(.stopUpdates) == false)
  }

  /// The remedy of a pause is to open the app, and Core Location then calls back with the permission.
  @Test func openedAppEndsAPause() {
    var scenario = SessionScenario.running()
    scenario.handle(.locations([place(0)]))
    scenario.handle(.paused)
    #expect(
      scenario.handle(.authorization(.allowed(.whenInUse))) == [
        .stopUpdates, .configure(SessionScenario.settings(.tenMeters)), .startUpdates,
      ])
    #expect(scenario.handle(.authorization(.allowed(.whenInUse))) == [])
  }

  /// Significant changes run beside the updates where there are fences, and continue in a pause.
  @Test func significantChangeEndsAPause() {
    var scenario = SessionScenario()
    scenario.handle(.authorization(.allowed(.always)))
    scenario.handle(.region(.read([])))
    var demand = SessionScenario.continuous(10)
    demand.wakeRegions = FenceFailureTests.regions(1)
    scenario.handle(.demand(demand))
    scenario.handle(.locations([place(0)]))
    scenario.handle(.paused)
    // One of the updates that was on its way.
    #expect(!scenario.handle(.locations([place(1)])).contains(.startUpdates))
    scenario.now = scenario.now.advanced(by: .seconds(600))
    let effects = scenario.handle(.locations([place(600)]))
    #expect(
      Array(effects.suffix(3)) == [
        .stopUpdates, .configure(SessionScenario.settings(.tenMeters)), .startUpdates,
      ])
    #expect(!scenario.handle(.locations([place(601)])).contains(.startUpdates))
  }

  /// A location that was on its way at the pause does not end the pause.
  @Test func demandAfterALateLocationRestartsPausedUpdates() {
    var scenario = SessionScenario.running()
    scenario.handle(.locations([place(0)]))
    scenario.handle(.paused)
    let late = scenario.signals(after: .locations([place(1), place(2)]))
    #expect(late.prefix(2).allSatisfy(\.isFix) && late.count == 3)
    #expect(late.last == .unavailable(CoreLocationProblems.paused))
    #expect(scenario.handle(.demand(SessionScenario.continuous(100))).contains(.startUpdates))
    #expect(scenario.signals(after: .locations([place(600)])).first == .segmentBegan)
  }

  /// Only the first locations after a pause were on their way, also where each follows the last one closely.
  @Test func locationsThatContinueInAPauseRestartUpdates() {
    var scenario = SessionScenario.running()
    scenario.handle(.locations([place(0)]))
    scenario.handle(.paused)
    let starts = (1...3).map { second in
      scenario.now = scenario.now.advanced(by: .seconds(1))
      return scenario.handle(.locations([place(second)])).contains(.startUpdates)
    }
    #expect(starts == [false, false, true])
  }

  // MARK: Headings

  @Test func headingsRunByThemselves() throws {
    var scenario = SessionScenario()
    let demand = Demand(headings: Demand.Headings(filter: 5))
    #expect(scenario.handle(.demand(demand)) == [.startHeadings(filter: 5)])
    #expect(
      scenario.handle(.demand(Demand(headings: Demand.Headings(filter: 0)))) == [.startHeadings(filter: nil)])
    let reading = HeadingReading(magneticHeading: 90, trueHeading: -1, accuracy: 8, time: 1000)
    let heading = try #require(reading.heading)
    #expect(scenario.signals(after: .heading(reading)) == [.heading(heading)])
    #expect(scenario.handle(.demand(.off)) == [.stopHeadings])
    #expect(scenario.handle(.heading(reading)) == [])
  }

  /// Core Location cannot determine a heading beside iron, with or without fixes. A subscriber may count from either
  /// north.
  @Test(arguments: [false, true]) func failureOfHeadingsIsAnUnusableHeading(hasFixes: Bool) {
    var scenario = SessionScenario.running(hasFixes ? SessionScenario.continuous(10) : .off)
    #expect(scenario.handle(.failed(.noHeading)) == [], "no subscriber asks for headings")
    var demand = hasFixes ? SessionScenario.continuous(10) : .off
    demand.headings = Demand.Headings(filter: 5)
    scenario.handle(.demand(demand))
    let headings = scenario.signals(after: .failed(.noHeading)).compactMap {
      if case .heading(let heading) = $0 { heading } else { nil }
    }
    #expect(headings.map(\.reference) == [.trueNorth, .magneticNorth])
    #expect(headings.allSatisfy { !$0.isUsable })
  }

  @Test(arguments: [CoreLocationPlatform.macOS, .tvOS, .visionOS])
  func missingCompassIsReported(platform: CoreLocationPlatform) {
    var scenario = SessionScenario(platform)
    let demand = Demand(headings: Demand.Headings(filter: 5))
    let missing = SessionScenario.Effect.emit(.headingsUnavailable(CoreLocationProblems.noCompass))
    #expect(scenario.handle(.demand(demand)) == [missing])
    #expect(scenario.handle(.demand(demand)) == [missing])
    #expect(scenario.handle(.demand(Demand(headings: Demand.Headings(filter: 9)))) == [])
    #expect(scenario.handle(.demand(.off)) == [])
  }
}
