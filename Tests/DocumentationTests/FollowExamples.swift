import Testing
import Whereabouts
import WhereaboutsTesting

/// The code of "Follow the device".
@Suite struct FollowExamples {
  private let clock = StepClock()
  private let source = ScriptedSource()
  private let screen = Screen()

  private func makeManager() -> LocationManager {
    LocationManager(source: source, clock: clock.managerClock)
  }

  // MARK: Fixes

  func showWhereIAm(_ manager: LocationManager, on screen: Screen) async {
    for await fix in manager.fixes(.house, distanceFilter: 10, activity: .walk) {
      await screen.showPin(at: fix.coordinate, radius: fix.horizontalAccuracy)
    }
  }

  @Test func fixStream() async {
    let manager = makeManager()
    async let following: Void = showWhereIAm(manager, on: screen)
    _ = await source.demand { $0 != .off }
    await source.emit(.marienplatz(accuracy: 12))
    source.end()
    await following
    #expect(await screen.pins == 1)
  }

  // A failure would wait forever.
  @Test(.timeLimit(.minutes(10))) func leavingTheLoopStopsTheReceiver() async {
    let manager = makeManager()
    let walking = Task { await showWhereIAm(manager, on: screen) }
    _ = await source.demand { $0 != .off }

    walking.cancel()

    _ = await source.demand { $0 == .off }
  }

  // MARK: Problems

  func showMore(_ manager: LocationManager, on screen: Screen) async {
    for await update in manager.updates(.house, keeping: .all(upTo: 100)) {
      switch update {
      case .fix(let fix, let dropped):
        await screen.showPin(at: fix.coordinate, radius: fix.horizontalAccuracy)
        if dropped > 0 { await screen.say("\(dropped) fixes were missed") }
      case .problem(let problem):
        await screen.say("Could not \(problem.message)")
      case .authorization(let authorization):
        if !authorization.isAllowed { await screen.say(authorization.remedy ?? "Location is off.") }
      }
    }
  }

  @Test func problemsAreStreamElements() async {
    let manager = makeManager()
    async let following: Void = showMore(manager, on: screen)
    _ = await source.demand { $0 != .off }
    await source.emit(.unavailable(SourceProblem(.noPosition, message: "see enough satellites")))
    await source.emit(Authorization(.denied, remedy: "Allow it in the settings."))
    await source.emit(Authorization(.whenInUse))
    await source.emit(.marienplatz(accuracy: 12))
    source.end()
    await following
    #expect(await screen.messages == ["Could not see enough satellites", "Allow it in the settings."])
    #expect(await screen.pins == 1)
  }

  // MARK: Terms that say more

  @Test func detailedTerms() async {
    let manager = makeManager()

    var terms = FixTerms(level: .block, distanceFilter: 30, activity: .car)
    terms.elasticity = 1
    terms.minimumInterval = .seconds(5)
    terms.maximumCount = 500
    terms.duration = .seconds(3600)
    terms.lastFixUpTo = .seconds(60)
    let drive = manager.fixes(terms, keeping: .all(upTo: 500))

    await source.emit(.marienplatz(accuracy: 12))
    await source.emit(.marienplatz(accuracy: 12, second: 4))
    drive.end()
    var count = 0
    for await _ in drive { count += 1 }
    #expect(count == 1)
    #expect(await drive.dropped == 0)
  }

  // MARK: Large moves and visits

  func keepTheForecastLocal(_ manager: LocationManager, on screen: Screen) async {
    for await update in manager.significantChanges() {
      guard case .fix(let fix, droppedBefore: _) = update else { continue }
      await screen.showForecast(for: fix.coordinate)
    }
  }

  @Test func significantChanges() async {
    let manager = makeManager()
    async let following: Void = keepTheForecastLocal(manager, on: screen)
    #expect(await source.demand { $0 != .off } == .significantChanges)
    await source.emit(.marienplatz(accuracy: 200))
    source.end()
    await following
    #expect(await screen.pins == 1)
  }

  func keepALog(_ manager: LocationManager, on screen: Screen) async {
    for await accepted in manager.acceptedFixes(.walking) {
      await screen.showPin(at: accepted.fix.coordinate, radius: accepted.fix.horizontalAccuracy)
      if case .best(let count, _) = accepted.because { await screen.say("the best of \(count)") }
    }
  }

  @Test func acceptedFixes() async {
    let manager = makeManager()
    async let following: Void = keepALog(manager, on: screen)
    _ = await source.demand { $0 != .off }
    await source.emit(.marienplatz(accuracy: 30))
    await source.emit(.marienplatz(accuracy: 20, second: 4))
    source.end()
    await following
    #expect(await screen.pins == 1)
    #expect(await screen.messages == ["the best of 2"])
  }

  func countTheSteps(_ manager: LocationManager, on screen: Screen) async {
    for await change in manager.motions() {
      switch change.to {
      case .still: await screen.say("Resting since \(change.since.iso8601)")
      case .walking, .running: await screen.say("On foot")
      default: await screen.say("\(change.to)")
      }
    }
  }

  @Test func motionChanges() async {
    var track = TrackBuilder(from: Fix.marienplatz(accuracy: 0).coordinate, at: .noon)
    track.rest(for: .seconds(60))
    track.move(azimuth: 90, distance: 200, speed: 1.4)
    let manager = makeManager()
    async let following: Void = countTheSteps(manager, on: screen)
    _ = await source.demand { $0 != .off }
    for fix in track.fixes(every: .seconds(1), noise: .goodReceiver, seed: 1) { await source.emit(fix) }
    source.end()
    await following
    #expect(await screen.messages.contains("On foot"))
  }

  func keepADiary(_ manager: LocationManager, on screen: Screen) async {
    for await visit in manager.visits(VisitTerms(radius: 80, minimumStay: .seconds(600))) {
      if let departure = visit.departure {
        await screen.say("Left after \(departure.since(visit.arrival))")
      } else {
        await screen.say("Arrived, to within \(visit.accuracy.rounded()) m")
      }
    }
  }

  @Test func visitsHaveArrivalAndDeparture() async {
    var track = TrackBuilder(from: Fix.marienplatz(accuracy: 0).coordinate, at: .noon)
    track.rest(for: .seconds(1200))
    track.move(azimuth: 90, distance: 1000, speed: 1.4)
    let manager = makeManager()
    async let following: Void = keepADiary(manager, on: screen)
    _ = await source.demand { $0 != .off }
    for fix in track.fixes(every: .seconds(10), noise: .none, seed: 1) { await source.emit(fix) }
    source.end()
    await following
    #expect(await screen.messages.count == 2)
    #expect(await screen.messages.last?.hasPrefix("Left after 12") == true)
  }

  // MARK: Headings

  func turnTheCompass(_ manager: LocationManager, on screen: Screen) async {
    for await update in manager.headings(filter: 5, reference: .trueNorth) {
      switch update {
      case .heading(let heading, droppedBefore: _): await screen.turnNeedle(to: heading.degrees)
      case .unusable: await screen.say("Move away from iron and turn the device about")
      case .unavailable: await screen.say("This device has no compass")
      case .problem, .authorization: break
      }
    }
  }

  @Test func missingCompassIsReportedOnce() async throws {
    let manager = makeManager()
    async let following: Void = turnTheCompass(manager, on: screen)
    let demand = await source.demand { $0 != .off }
    #expect(demand == Demand(headings: Demand.Headings(filter: 5)))
    await source.emit(.heading(try #require(Heading(degrees: 0, reference: .trueNorth, accuracy: 4))))
    await source.emit(.headingsUnavailable(SourceProblem(.noCompass, message: "find a compass")))
    await following
    #expect(await screen.needle == 0)
    #expect(await screen.messages == ["This device has no compass"])
  }
}

/// The display of an app.
actor Screen {
  private(set) var pins = 0
  private(set) var messages: [String] = []
  private(set) var needle: Double?
  private var waiting: [(message: String, continuation: CheckedContinuation<Void, Never>)] = []

  func showPin(at place: Coordinate, radius: Double?) { pins += 1 }
  func showForecast(for place: Coordinate) { pins += 1 }
  func say(_ message: String) {
    messages.append(message)
    for waiter in waiting where waiter.message == message { waiter.continuation.resume() }
    waiting.removeAll { $0.message == message }
  }
  func turnNeedle(to degrees: Double) { needle = degrees }

  /// Waits until it shows this; it may have before.
  func waitForMessage(_ message: String) async {
    guard !messages.contains(message) else { return }
    await withCheckedContinuation { waiting.append((message, $0)) }
  }
}
