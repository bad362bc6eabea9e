import Testing
import Whereabouts
import WhereaboutsTesting

/// The code of "Migrating from other libraries", but for the source, which StandIns/CoreLocation compiles.
@Suite struct MigratingExamples {
  private let clock = StepClock(wall: .noon)
  private let source = ScriptedSource(authorizationNeeds: .userConsent(requestable: [.whenInUse]))
  private let screen = Screen()

  private func makeManager() -> LocationManager {
    LocationManager(source: source, clock: clock.managerClock)
  }

  func askWithTimeout(_ manager: LocationManager, on screen: Screen) async {
    let request = manager.request(.house, timeout: .seconds(10), timeoutStarts: .whenAuthorized)
    switch await request.outcome {
    case .reached(let answer), .settled(let answer): await screen.showForecast(for: answer.fix.coordinate)
    case .timedOut(let best): await screen.say("best so far: \(best?.age ?? .zero) old")
    case .unauthorized(let authorization): await screen.say(authorization.remedy ?? "not allowed")
    case .sourceFailed(let problem, _): await screen.say(problem.message)
    case .completedEarly, .cancelled, .sourceEnded: break
    }
  }

  @Test func requestAnswersOrSaysWhy() async {
    let manager = makeManager()
    async let first: Void = askWithTimeout(manager, on: screen)
    _ = await source.authorizationRequest()
    await source.emit(Authorization(.whenInUse))
    await source.emit(.marienplatz(accuracy: 12))
    await first
    #expect(await screen.pins == 1)
    await source.emit(Authorization(.denied, remedy: "Allow it in the settings."))
    await askWithTimeout(manager, on: screen)
    #expect(await screen.messages == ["Allow it in the settings."])
  }

  func askOnce(_ manager: LocationManager, on screen: Screen) async {
    do {
      let answer = try await manager.fix(.house, timeout: .seconds(10))
      await screen.showPin(at: answer.fix.coordinate, radius: answer.fix.horizontalAccuracy)
    } catch {
      await screen.say("\(error)")
    }
  }

  @Test func fixIsShownOrItsErrorIs() async {
    let manager = makeManager()
    await source.emit(Authorization(.whenInUse))
    async let asking: Void = askOnce(manager, on: screen)
    _ = await source.demand { $0 != .off }
    await source.emit(.marienplatz(accuracy: 12))
    await asking
    #expect(await screen.pins == 1)
    await source.emit(Authorization(.denied))
    await askOnce(manager, on: screen)
    #expect(await screen.messages.count == 1)
  }

  func follow(_ manager: LocationManager, on screen: Screen) async {
    for await update in manager.updates(.house, distanceFilter: 10, activity: .walk) {
      switch update {
      case .fix(let fix, _): await screen.showPin(at: fix.coordinate, radius: fix.horizontalAccuracy)
      case .problem(let problem): await screen.say(problem.remedy ?? problem.message)
      case .authorization(let authorization): await screen.say(authorization.status.rawValue)
      }
    }
  }

  @Test func updatesCarryFixesAndProblems() async {
    let manager = makeManager()
    await source.emit(Authorization(.whenInUse))
    async let following: Void = follow(manager, on: screen)
    _ = await source.demand { $0 != .off }
    await source.emit(
      .unavailable(SourceProblem(.noPosition, message: "get a position", remedy: "Go outside.")))
    await source.emit(.marienplatz(accuracy: 12))
    source.end()
    await following
    #expect(await screen.messages == ["Go outside."])
    #expect(await screen.pins == 1)
  }

  func point(_ manager: LocationManager, on screen: Screen) async {
    for await update in manager.headings(filter: 5) {
      switch update {
      case .heading(let heading, _): await screen.turnNeedle(to: heading.degrees)
      case .unusable: await screen.say("Move away from iron.")
      case .unavailable(let problem), .problem(let problem): await screen.say(problem.message)
      case .authorization: break
      }
    }
  }

  @Test func headingsTurnTheNeedle() async throws {
    let manager = makeManager()
    async let pointing: Void = point(manager, on: screen)
    _ = await source.demand { $0.headings != nil }
    let heading = try #require(Heading(degrees: 84, reference: .trueNorth))
    await source.emit(.heading(heading))
    source.end()
    await pointing
    #expect(await screen.needle == 84)
  }

  func watch(
    _ center: Coordinate, _ manager: LocationManager, after lastSeen: FenceEvent.ID?, on screen: Screen
  ) async throws {
    let circle = try Area.Circle(center: center, radius: 150)
    try await manager.fences.add(Fence(id: "home", area: .circle(circle)))
    for await event in manager.fences.updates(after: lastSeen).compactMap(\.event) {
      await screen.say("\(event.kind) \(event.fence) at \(event.time) ± \(event.timeUncertainty) s")
    }
  }

  @Test func crossingsAreEvents() async throws {
    let manager = makeManager()
    await source.emit(Authorization(.always))
    let center = try #require(Coordinate(latitude: 48.0045, longitude: 11))
    async let watching: Void = watch(center, manager, after: nil, on: screen)
    _ = await source.demand { $0 != .off }
    await source.drive(0...100)
    source.end()
    try await watching
    #expect(await screen.messages.map { $0.prefix(5) } == ["enter", "exit "])
  }
}
