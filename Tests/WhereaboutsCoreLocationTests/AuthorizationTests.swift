import Testing
import Whereabouts

@testable import WhereaboutsCoreLocation

@Suite struct CoreLocationAuthorizationTests {
  @Test(arguments: [
    (AuthorizationReading.notDetermined, true, Authorization.Status.notDetermined),
    (.refused(.denied), true, .denied), (.refused(.restricted), true, .restricted),
    (.allowed(.whenInUse), true, .whenInUse), (.allowed(.always), true, .always),
    (.allowed(.whenInUse), false, .servicesDisabled), (.refused(.denied), false, .servicesDisabled),
    (.notDetermined, false, .servicesDisabled), (.refused(.restricted), false, .restricted),
  ])
  func readingMapsToStatus(reading: AuthorizationReading, servicesAreOn: Bool, status: Authorization.Status) {
    var reading = reading
    reading.servicesAreOn = servicesAreOn
    let authorization = reading.authorization(on: .iOS)
    #expect(authorization.status == status)
    #expect(authorization.noticesChanges == (servicesAreOn || reading.status == nil))
    #expect((authorization.remedy == nil) == (authorization.isAllowed || status == .notDetermined))
  }

  @Test func reducedAccuracyIsReportedWithRemedy() {
    let authorization = AuthorizationReading.allowed(.always, isReduced: true).authorization(on: .macOS)
    #expect(authorization.accuracy == .reduced)
    #expect(authorization.remedy?.contains("System Settings") == true)
  }

  @Test func nothingStartsBeforePermissionIsKnown() {
    var scenario = SessionScenario()
    #expect(scenario.handle(.demand(SessionScenario.continuous(10))) == [])
    #expect(
      scenario.handle(.authorization(.allowed(.whenInUse))) == [
        .emit(.authorization(Authorization(.whenInUse))),
        .configure(SessionScenario.settings(.tenMeters)), .startUpdates,
      ])
  }

  @Test func repeatedCallbackIsReportedOnce() {
    var scenario = SessionScenario()
    #expect(scenario.signals(after: .authorization(.allowed(.always))).count == 1)
    #expect(scenario.handle(.authorization(.allowed(.always))) == [])
    #expect(scenario.signals(after: .authorization(.allowed(.whenInUse))).count == 1)
  }

  @Test(arguments: [Authorization.Level.whenInUse, .always])
  func requestIsMadeWhileUndetermined(level: Authorization.Level) {
    var scenario = SessionScenario()
    #expect(scenario.handle(.authorizationRequested(level)) == [.requestAuthorization(level)])
    scenario.handle(.authorization(.notDetermined))
    #expect(scenario.handle(.authorizationRequested(level)) == [.requestAuthorization(level)])
  }

  @Test(arguments: [
    (AuthorizationReading.allowed(.whenInUse), Authorization.Level.whenInUse, false),
    (.allowed(.whenInUse), .always, true), (.allowed(.always), .always, false),
    (.allowed(.always), .whenInUse, false), (.refused(.denied), .whenInUse, false),
    (.refused(.restricted), .always, false),
  ])
  func requestIsMadeOnlyIfAPromptWouldAppear(
    reading: AuthorizationReading, level: Authorization.Level, isMade: Bool
  ) {
    var scenario = SessionScenario()
    scenario.handle(.authorization(reading))
    #expect(
      scenario.handle(.authorizationRequested(level)) == (isMade ? [.requestAuthorization(level)] : []))
  }

  @Test(arguments: [CoreLocationPlatform.tvOS, .visionOS])
  func requestForAlwaysAsksWhileUsingWhereThereIsNoAlways(platform: CoreLocationPlatform) {
    var scenario = SessionScenario(platform)
    scenario.handle(.authorization(.notDetermined))
    #expect(scenario.handle(.authorizationRequested(.always)) == [.requestAuthorization(.whenInUse)])
    scenario.handle(.authorization(.allowed(.whenInUse)))
    #expect(scenario.handle(.authorizationRequested(.always)) == [])
  }

  /// Core Location asks only once whether while using becomes always.
  @Test(arguments: [AuthorizationReading.allowed(.whenInUse), .refused(.denied)], [true, false])
  func firstNeedAsksNothingThatWasAnswered(reading: AuthorizationReading, isKnown: Bool) {
    var scenario = SessionScenario()
    if isKnown { scenario.handle(.authorization(reading)) }
    #expect(scenario.handle(.authorizationNeeded(.always)) == [])
    var effects = scenario.handle(.demand(SessionScenario.continuous(10)))
    if !isKnown { effects += scenario.handle(.authorization(reading)) }
    #expect(!effects.contains(.requestAuthorization(.always)))
  }

  @Test(arguments: [Authorization.Level.whenInUse, .always])
  func firstNeedAsksOnceThePermissionIsKnown(level: Authorization.Level) {
    var scenario = SessionScenario()
    #expect(scenario.handle(.authorizationNeeded(level)) == [])
    #expect(scenario.handle(.demand(SessionScenario.continuous(10))) == [])
    #expect(scenario.handle(.authorization(.notDetermined)).contains(.requestAuthorization(level)))
    #expect(scenario.handle(.authorizationNeeded(level)) == [.requestAuthorization(level)])
  }

  /// The engine asks once, also where the source reads an answer that no longer holds.
  @Test func levelOfTheFirstNeedIsAskedForOnceThePermissionIsUndetermined() {
    var off = AuthorizationReading.allowed(.whenInUse)
    off.servicesAreOn = false
    var scenario = SessionScenario()
    scenario.handle(.authorization(off))
    #expect(scenario.handle(.authorizationNeeded(.whenInUse)) == [])
    #expect(scenario.handle(.demand(SessionScenario.continuous(10))).contains(.readAuthorization))
    #expect(
      scenario.handle(.authorizationRead(.notDetermined)).contains(.requestAuthorization(.whenInUse)))
  }

  @Test func requestIsRepeatedWhenTheAppIsBack() {
    var scenario = SessionScenario()
    scenario.handle(.demand(SessionScenario.continuous(10)))
    scenario.handle(.authorizationRequested(.whenInUse))
    #expect(
      scenario.handle(.authorization(.notDetermined)).contains(.requestAuthorization(.whenInUse)) == false)
    #expect(scenario.handle(.authorization(.notDetermined)) == [.requestAuthorization(.whenInUse)])
    #expect(scenario.handle(.demand(SessionScenario.continuous(20))) == [.requestAuthorization(.whenInUse)])
    #expect(scenario.handle(.demand(.off)) == [])
    #expect(scenario.handle(.authorization(.notDetermined)) == [])
  }

  @Test(arguments: [
    (
      CoreLocationDeclarations(), CoreLocationPlatform.iOS, Authorization.Level.whenInUse,
      "NSLocationWhenInUseUsageDescription"
    ),
    (
      CoreLocationDeclarations(hasWhenInUseText: true), .iOS, .always,
      "NSLocationAlwaysAndWhenInUseUsageDescription"
    ),
    (CoreLocationDeclarations(), .macOS, .always, "NSLocationUsageDescription"),
  ])
  func missingTextFailsWithItsKey(
    declarations: CoreLocationDeclarations, platform: CoreLocationPlatform, level: Authorization.Level,
    key: String
  ) throws {
    var scenario = SessionScenario(platform, declarations: declarations)
    let effects = scenario.handle(.authorizationRequested(level))
    #expect(effects == [.emit(.failed(CoreLocationProblems.missingText(key)))])
    #expect(CoreLocationProblems.missingText(key).message.contains(key))
  }

  @Test func missingTextFailsADemandThatNothingWouldAnswer() {
    var scenario = SessionScenario(declarations: CoreLocationDeclarations())
    scenario.handle(.authorization(.notDetermined))
    let failure = SourceSignal.failed(CoreLocationProblems.missingText("NSLocationWhenInUseUsageDescription"))
    #expect(scenario.signals(after: .demand(SessionScenario.continuous(10))) == [failure])
    #expect(scenario.signals(after: .demand(SessionScenario.continuous(10))) == [failure])
    #expect(scenario.signals(after: .demand(.off)) == [])
  }

  @Test func refusalStopsUpdatesAndReturnBeginsASegment() {
    var scenario = SessionScenario.running()
    scenario.handle(.locations([place(0)]))
    let refused = scenario.handle(.authorization(.refused(.denied)))
    #expect(refused.contains(.stopUpdates))
    #expect(scenario.signals(after: .locations([place(1)])) == [])
    #expect(scenario.handle(.authorization(.allowed(.whenInUse))).contains(.startUpdates))
    let signals = scenario.signals(after: .locations([place(2)]))
    #expect(signals.first == .segmentBegan)
    #expect(signals.last?.isFix == true)
  }

  /// As where an app starts updates in the background with the permission while in use.
  @Test func denialDespitePermissionIsRetriedAndThenReported() {
    var scenario = SessionScenario.running()
    let denial = CoreLocationSession.Event.denied(.allowed(.whenInUse))
    #expect(scenario.handle(denial) == [.stopUpdates])
    // A second refusal of the same start is no news.
    #expect(scenario.handle(denial) == [])
    #expect(scenario.advance(by: .seconds(4)) == [])
    #expect(scenario.advance(by: .seconds(1)).contains(.startUpdates))
    #expect(
      scenario.handle(denial) == [
        .emit(.unavailable(CoreLocationProblems.notInUse(on: .iOS))), .stopUpdates,
      ])
    #expect(scenario.advance(by: .seconds(9)) == [])
    #expect(scenario.advance(by: .seconds(1)).contains(.startUpdates))
    #expect(scenario.handle(denial) == [.stopUpdates])
    // A new demand tries at once.
    #expect(scenario.handle(.demand(SessionScenario.continuous(20))) == [.readAuthorization])
    #expect(scenario.handle(.authorizationRead(.allowed(.whenInUse))).contains(.startUpdates))
    #expect(scenario.signals(after: .locations([place(0)])).first == .segmentBegan)
    #expect(scenario.handle(denial) == [.stopUpdates])
    scenario.handle(.demand(.off))
    #expect(scenario.session.nextWake == nil)
  }

  @Test func denialDespitePermissionEndsNoRegion() {
    var scenario = SessionScenario()
    scenario.handle(.authorization(.allowed(.always)))
    scenario.handle(.region(.read([])))
    var demand = SessionScenario.continuous(5)
    demand.wakeRegions = FenceFailureTests.regions(3)
    scenario.handle(.demand(demand))
    #expect(scenario.handle(.denied(.allowed(.always))) == [.stopUpdates])
  }

  @Test func denialWithoutPermissionEndsTheRetry() {
    var scenario = SessionScenario.running()
    scenario.handle(.denied(.allowed(.whenInUse)))
    scenario.handle(.denied(.refused(.denied)))
    #expect(scenario.session.nextWake == nil)
    // Without a callback, a later demand reads the permission again.
    #expect(scenario.advance(by: .seconds(10)) == [])
    #expect(scenario.handle(.demand(SessionScenario.continuous(20))).contains(.readAuthorization))
  }

  @Test func callbackAfterDenialStartsAgain() {
    var scenario = SessionScenario.running()
    scenario.handle(.denied(.allowed(.whenInUse)))
    #expect(scenario.handle(.authorization(.allowed(.whenInUse))).contains(.startUpdates))
  }

  @Test func denialWithServicesOffReportsTheSwitch() {
    var scenario = SessionScenario.running()
    var reading = AuthorizationReading.allowed(.whenInUse)
    reading.servicesAreOn = false
    #expect(
      scenario.signals(after: .denied(reading)) == [
        .authorization(AuthorizationReading.servicesDisabled(on: .iOS, noticesChanges: false))
      ])
    // Without a callback, the next demand finds the switch on again.
    #expect(scenario.handle(.demand(SessionScenario.continuous(20))) == [.readAuthorization])
    #expect(scenario.handle(.authorizationRead(.allowed(.whenInUse))).contains(.startUpdates))
    #expect(scenario.handle(.demand(SessionScenario.continuous(100))).contains(.readAuthorization) == false)
  }

  /// The engine makes the source read the switch again for each request, and waits for the report.
  @Test(arguments: [true, false]) func switchWithoutACallbackIsReadForEachDemand(isAtLaunch: Bool) {
    var off = AuthorizationReading.allowed(.whenInUse)
    off.servicesAreOn = false
    let report = SourceSignal.authorization(
      AuthorizationReading.servicesDisabled(on: .iOS, noticesChanges: false))
    var scenario = isAtLaunch ? SessionScenario() : SessionScenario.running()
    #expect(scenario.signals(after: isAtLaunch ? .authorization(off) : .denied(off)) == [report])
    scenario.handle(.demand(.off))
    for _ in 0..<2 {
      #expect(scenario.handle(.demand(SessionScenario.continuous(10))).contains(.readAuthorization))
      #expect(scenario.signals(after: .authorizationRead(off)) == [report])
    }
    let headings = Demand(headings: Demand.Headings(filter: 5))
    #expect(scenario.handle(.demand(headings)).contains(.readAuthorization))
    #expect(scenario.signals(after: .authorizationRead(off)) == [report])
    #expect(scenario.handle(.demand(SessionScenario.continuous(10))).contains(.readAuthorization))
    let effects = scenario.handle(.authorizationRead(.allowed(.whenInUse)))
    #expect(effects.contains(.emit(.authorization(Authorization(.whenInUse)))))
    #expect(effects.contains(.startUpdates))
  }

  /// A subscription from before makes no new demand.
  @Test func switchWithoutACallbackIsReadWhileFixesAreDemanded() {
    var off = AuthorizationReading.allowed(.whenInUse)
    off.servicesAreOn = false
    var scenario = SessionScenario.running()
    scenario.handle(.denied(off))
    #expect(scenario.advance(by: .seconds(29)) == [])
    #expect(scenario.advance(by: .seconds(1)) == [.readAuthorization])
    scenario.handle(.authorizationRead(off))
    #expect(scenario.advance(by: .seconds(30)) == [.readAuthorization])
    #expect(scenario.handle(.authorizationRead(.allowed(.whenInUse))).contains(.startUpdates))
    scenario.handle(.locations([place(0)]))
    #expect(scenario.session.nextWake == nil)
    scenario.handle(.denied(off))
    scenario.handle(.demand(.off))
    #expect(scenario.session.nextWake == nil)
  }

  /// Under a refusal the engine demands nothing for fences.
  @Test func switchWithoutACallbackIsReadForFences() {
    var off = AuthorizationReading.allowed(.always)
    off.servicesAreOn = false
    var scenario = SessionScenario()
    scenario.handle(.authorization(.allowed(.always)))
    scenario.handle(.region(.read([])))
    var demand = SessionScenario.continuous(5)
    demand.wakeRegions = FenceFailureTests.regions(3)
    scenario.handle(.demand(demand))
    scenario.handle(.denied(off))
    scenario.handle(.demand(.off))
    #expect(scenario.advance(by: .seconds(30)) == [.readAuthorization])
    let signals = scenario.signals(after: .authorizationRead(.allowed(.always)))
    #expect(signals.contains(.authorization(Authorization(.always))))
    #expect(scenario.session.nextWake == nil)
  }

  @Test(
    arguments: [
      (.iOS, .always, [.whenInUse, .always]), (.iOS, .whenInUse, [.whenInUse]),
      (.tvOS, .always, [.whenInUse]),
      (.visionOS, .always, [.whenInUse]), (.macOS, .always, [.whenInUse, .always]),
      (.watchOS, .always, [.whenInUse, .always]),
    ] as [(CoreLocationPlatform, Authorization.Level, Set<Authorization.Level>)])
  func requestableLevelsFollowPlatformAndSettings(
    platform: CoreLocationPlatform, highest: Authorization.Level, levels: Set<Authorization.Level>
  ) {
    #expect(SessionScenario.allDeclarations.requestableLevels(upTo: highest, on: platform) == levels)
    #expect(CoreLocationDeclarations().requestableLevels(upTo: highest, on: platform).isEmpty)
  }

  @Test func whenInUseIsTheHighestLevelUnlessSet() {
    #expect(CoreLocationSettings().highestLevel == .whenInUse)
    #expect(CoreLocationSettings(firstFixTimeout: .zero).firstFixTimeout == .seconds(30))
  }

  @Test func setupProblemsNameEachMissingKey() {
    func keys(
      _ declarations: CoreLocationDeclarations, _ highest: Authorization.Level, background: Bool,
      on platform: CoreLocationPlatform = .iOS
    ) -> [String] {
      declarations.problems(highest: highest, allowsBackgroundUpdates: background, on: platform)
        .compactMap(\.remedy)
        .flatMap { remedy in
          ["WhenInUseUsage", "AlwaysAndWhenInUseUsage", "NSLocationUsage", "UIBackgroundModes"].filter {
            remedy.contains($0 == "WhenInUseUsage" ? "NSLocationWhenInUseUsage" : $0)
          }
        }
    }
    #expect(keys(CoreLocationDeclarations(), .whenInUse, background: false) == ["WhenInUseUsage"])
    #expect(
      keys(CoreLocationDeclarations(), .always, background: true) == [
        "WhenInUseUsage", "AlwaysAndWhenInUseUsage", "UIBackgroundModes",
      ])
    #expect(keys(CoreLocationDeclarations(), .always, background: true, on: .macOS) == ["NSLocationUsage"])
    #expect(keys(SessionScenario.allDeclarations, .always, background: true).isEmpty)
  }

  /// Core Location declines a request whose purpose is missing with the same error as any other.
  @Test func setupProblemsNameEachMissingPurpose() {
    let purposes = ["Navigation": "To show the turns.", "Search": ""]
    let declarations = CoreLocationDeclarations(
      text: { $0 == "NSLocationWhenInUseUsageDescription" ? "To show the way." : nil }, list: { _ in nil },
      texts: { $0 == "NSLocationTemporaryUsageDescriptionDictionary" ? purposes : nil })
    func problems(_ purposes: [String]) -> [SourceProblem] {
      declarations.problems(
        highest: .whenInUse, allowsBackgroundUpdates: false, purposes: purposes, on: .iOS)
    }
    #expect(problems([]).isEmpty)
    #expect(problems(["Navigation"]).isEmpty)
    #expect(
      problems(["Search", "Navigation", "Delivery"]) == [
        CoreLocationProblems.missingPurpose("Search"), CoreLocationProblems.missingPurpose("Delivery"),
      ])
  }

  @Test func declarationsAreReadFromInfoPlist() {
    let texts = ["NSLocationWhenInUseUsageDescription": "To show the way.", "NSLocationUsageDescription": ""]
    let declarations = CoreLocationDeclarations(
      text: { texts[$0] }, list: { $0 == "UIBackgroundModes" ? ["audio", "location"] : nil },
      texts: { _ in nil })
    #expect(
      declarations == CoreLocationDeclarations(hasWhenInUseText: true, hasBackgroundMode: true))
  }
}
