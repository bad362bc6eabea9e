import Testing
import Whereabouts
import WhereaboutsTesting

/// The code of "Measure how far".
@Suite struct TrackExamples {
  private let clock = StepClock()
  private let source = ScriptedSource()
  private let screen = Screen()

  private func makeManager() -> LocationManager {
    LocationManager(source: source, clock: clock.managerClock)
  }

  func showHowFar(_ manager: LocationManager, on screen: Screen) async throws {
    let tracker = manager.tracker(.run)
    try await tracker.start()
    for await update in tracker.updates {
      await screen.say("\(Int(update.liveDistance)) m ± \(Int(update.totals.uncertainty)) m")
    }
  }

  @Test func liveDistance() async throws {
    let manager = makeManager()
    async let showing: Void = showHowFar(manager, on: screen)
    // A prepared tracker shows 0 m. Only distance shows that it has started.
    var second = 0
    while await screen.greatestDistance < 600 {
      await source.drive(second...second)
      second += 1
    }
    source.end()
    try await showing
    #expect(await screen.greatestDistance < Double(second) * 10 + 10)
  }

  @Test func startFailure() async {
    let tracker = makeManager().tracker()
    await source.emit(Authorization(.denied))

    do {
      try await tracker.start()
    } catch {
      await screen.say("\(error)")
    }

    #expect(await screen.messages == ["location is not allowed: denied"])
  }

  @Test func finalTotals() async throws {
    let tracker = makeManager().tracker()
    try await tracker.start()
    await source.drive(0...60)

    let whole = await tracker.stop()
    await screen.say("\(Int(whole.totals.distance)) m in \(Int(whole.totals.moving)) s")

    #expect(await screen.messages.last?.hasPrefix("60") == true)
  }

  func drawIt(_ manager: LocationManager, on screen: Screen) async throws {
    let tracker = manager.tracker(TrackTerms(activity: .bike, reportsPoints: true))
    try await tracker.start()
    for await point in tracker.points {
      await screen.showPin(at: point.coordinate, radius: nil)
    }
  }

  @Test func everyPointIsShown() async throws {
    let manager = makeManager()
    async let drawing: Void = drawIt(manager, on: screen)
    // A prepared tracker demands fixes too. Only points show that it has started.
    var second = 0
    while await screen.pins == 0 {
      await source.drive(second...second)
      second += 1
    }
    source.end()
    try await drawing
  }
}

extension Screen {
  /// The greatest distance shown, in metres.
  fileprivate var greatestDistance: Double {
    messages.compactMap { $0.split(separator: " ").first.flatMap { Double($0) } }.max() ?? 0
  }
}
