import Testing
import Whereabouts
import WhereaboutsTesting

/// Trackers, as "Distance" documents them.
@Suite struct DocumentedTrackerTests {
  private let clock = StepClock()
  private let source = ScriptedSource()

  private func makeManager() -> LocationManager { LocationManager(source: source, clock: clock.managerClock) }

  /// Emits fixes northward at 10 m/s, without moving the clock.
  private func drive(_ seconds: ClosedRange<Int>) async {
    for second in seconds { await source.emit(fix(4, at: Double(second), north: Double(second) * 10)) }
  }

  // MARK: Commands

  @Test func pathWhileStoppedIsNotCounted() async throws {
    let tracker = makeManager().tracker(.car)
    try await tracker.start()
    await drive(0...60)
    let first = await tracker.stop()
    await drive(61...120)
    #expect(await tracker.totals == first.totals, "totals changed while the tracker was stopped")
    try await tracker.start()
    await drive(121...180)
    let whole = await tracker.stop()
    #expect(abs(whole.totals.distance - first.totals.distance - 590) < 20)
    #expect(whole.totals.segments == 2 && whole.totals.gaps == 0)
  }

  @Test func preparingStopsTheCountingAndKeepsTheSource() async throws {
    let tracker = makeManager().tracker(.car)
    try await tracker.start()
    await drive(0...60)
    try await tracker.prepare()
    await drive(61...120)
    let state = await tracker.state
    #expect(state.phase == .prepared && state.signal == .strong && state.ahead == 0)
    #expect(abs(state.totals.distance - 600) < 20)
    #expect(await source.demands.last != .off)
  }

  @Test func resetWhileCountingContinuesFromZero() async throws {
    let tracker = makeManager().tracker(.car)
    try await tracker.start()
    await drive(0...60)
    await tracker.reset()
    let state = await tracker.state
    #expect(state.phase == .counting && state.totals == TrackTotals() && state.ahead == 0)
    await drive(61...120)
    #expect(abs(await tracker.stop().totals.distance - 590) < 20)
  }

  @Test(arguments: [TrackTerms.Method.estimated(OdometerSettings()), .candidates(CandidateSettings())])
  func fixFromBeforeTheResetIsNotCounted(method: TrackTerms.Method) async throws {
    let tracker = makeManager().tracker(TrackTerms(activity: .car, method: method))
    try await tracker.start()
    await drive(0...60)
    await tracker.reset()
    await source.emit(fix(3, at: 59.5, north: 5000))
    await drive(61...120)
    let totals = await tracker.stop().totals
    #expect(abs(totals.distance - 590) < 40, "\(totals.distance) m")
  }

  @Test func stoppedTrackerStaysStoppedAfterAReset() async throws {
    let tracker = makeManager().tracker(.car)
    #expect(await tracker.stop().totals == TrackTotals())
    #expect(await tracker.stop().phase == .stopped)
    try await tracker.start()
    await drive(0...60)
    await tracker.stop()
    await tracker.reset()
    let state = await tracker.state
    #expect(state.phase == .stopped && state.totals == TrackTotals())
    #expect(await source.demands.last == .off)
  }

  @Test func trackersOfOneManagerCountIndependently() async throws {
    let manager = makeManager()
    let one = manager.tracker(.car), other = manager.tracker(.car)
    try await one.start()
    await drive(0...30)
    try await other.start()
    await drive(31...60)
    let shorter = await other.stop()
    #expect(abs(shorter.totals.distance - 290) < 20)
    #expect(await source.demands.last != .off, "the other tracker still counts")
    await drive(61...90)
    #expect(abs(await one.stop().totals.distance - 900) < 20)
    #expect(await other.state == shorter)
    #expect(await source.demands.last == .off)
    #expect(one.id != other.id)
  }

  @Test func refusalStopsTheTrackerAndKeepsItsTotals() async throws {
    let tracker = makeManager().tracker(.car)
    try await tracker.start()
    await drive(0...60)
    await source.emit(Authorization(.denied))
    let state = await tracker.state
    #expect(state.phase == .stopped && state.fix == nil && abs(state.totals.distance - 600) < 20)
    await source.emit(Authorization(.always))
    try await tracker.start()
    await drive(61...120)
    #expect(abs(await tracker.stop().totals.distance - 1190) < 30)
  }

  // MARK: Distance

  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func uncertaintyIsTheErrorOfTheDistance(seed: UInt64)
    async throws
  {
    var ride = TrackBuilder(from: try placeNear(north: 0), at: startOfTest)
    ride.rest(for: .seconds(20))
    ride.move(azimuth: 90, distance: 1500, speed: 8)
    ride.move(azimuth: 0, distance: 1500, speed: 8)
    ride.rest(for: .seconds(20))
    let tracker = makeManager().tracker(.bike)
    try await tracker.start()
    var settled = 0.0
    for fix in ride.fixes(every: .seconds(1), noise: .goodReceiver, seed: seed) {
      await source.emit(fix)
      let distance = await tracker.totals.distance
      #expect(distance >= settled, "settled distance decreased")
      settled = distance
    }
    let totals = await tracker.stop().totals
    #expect(totals.uncertainty > 0)
    #expect(
      abs(totals.distance - ride.length) < 4 * totals.uncertainty,
      "\(totals.distance) ± \(totals.uncertainty) m for \(ride.length) m")
  }

  @Test(arguments: OdometerSettings.Bridging.allCases) func gapIsCountedAsTheSettingsSay(
    bridging: OdometerSettings.Bridging
  ) async throws {
    let tracker = makeManager().tracker(
      TrackTerms(activity: .car, method: .estimated(OdometerSettings(bridging: bridging))))
    try await tracker.start()
    await drive(0...60)
    await drive(121...180)
    let totals = await tracker.stop().totals
    #expect(totals.gaps == 1)
    switch bridging {
    case .estimated: #expect(totals.bridged > 590 && totals.bridged < 750, "\(totals.bridged) m")
    case .geodesic: #expect(abs(totals.bridged - 610) < 20, "\(totals.bridged) m")
    case .none: #expect(totals.bridged == 0)
    }
    #expect(abs(totals.distance - totals.bridged - 1190) < 30, "\(totals.distance) m")
  }

  // MARK: Terms

  @Test func termsOutOfRangeStopNothing() async throws {
    let manager = makeManager()
    var terms = TrackTerms(
      signal: SignalStrength.Settings(
        requiredAccuracy: .nan, acceptableAccuracy: -1, recheck: .seconds(Int64.max),
        longestSilence: .seconds(-1)),
      method: .candidates(
        CandidateSettings(
          distanceFilter: .nan, kept: .min, minimum: .min, validity: .seconds(-1), leastStep: .nan,
          gap: .seconds(Int64.min))))
    terms.calculationInterval = .seconds(Int64.max)
    terms.turn = .nan
    let tracker = manager.tracker(terms)
    let estimated = manager.tracker(
      TrackTerms(
        method: .estimated(OdometerSettings(lateness: .seconds(Int64.max), gap: .seconds(Int64.min)))))
    try await tracker.start()
    try await estimated.start()
    await drive(0...60)
    #expect(await tracker.stop().totals.distance.isFinite)
    #expect(await estimated.stop().totals.distance.isFinite)
    tracker.end()
    estimated.end()
    await manager.waitUntilProcessed()
    #expect(await source.demands.last == .off)
  }

  /// Also for settings that were changed after their creation.
  @Test(arguments: [-1, -Double.infinity, .nan]) func candidatesCountWithInvalidNumbers(value: Double)
    async throws
  {
    var changed = CandidateSettings(), signal = SignalStrength.Settings()
    changed.distanceFilter = value
    changed.validity = .seconds(-1)
    changed.leastStep = value
    changed.gap = .seconds(-1)
    signal.requiredAccuracy = value
    signal.acceptableAccuracy = value
    signal.recheck = .seconds(-1)
    let made = CandidateSettings(
      distanceFilter: value, validity: .seconds(-1), leastStep: value, gap: .seconds(-1))
    #expect(made == CandidateSettings(validity: .zero, gap: .zero))
    let madeSignal = SignalStrength.Settings(
      requiredAccuracy: value, acceptableAccuracy: value, recheck: .seconds(-1))
    #expect(madeSignal == SignalStrength.Settings(recheck: .zero))
    let manager = makeManager()
    let trackers = [
      manager.tracker(TrackTerms(signal: signal, method: .candidates(changed))),
      manager.tracker(TrackTerms(signal: madeSignal, method: .candidates(made))),
    ]
    for tracker in trackers { try await tracker.start() }
    let demand = Demand.Continuous(accuracy: 5, distanceFilter: 10)
    #expect(await source.demands.last?.fixes == .continuous(demand))
    await drive(0...60)
    for tracker in trackers { #expect(abs(await tracker.stop().totals.distance - 590) < 40) }
  }

  @Test func leastStepWithoutEndIsTheStandardOne() {
    #expect(CandidateSettings(leastStep: .infinity) == CandidateSettings())
  }

  @Test func tripWithAnEmptyNameIsATrip() async throws {
    let manager = makeManager()
    let tracker = manager.tracker(TrackTerms(activity: .car, trip: ""))
    try await tracker.start()
    await drive(0...60)
    manager.endTrip("unknown")
    #expect(await manager.trips.map(\.id) == [""])
    manager.endTrip("")
    #expect(await manager.trips.isEmpty)
    #expect(abs(await tracker.totals.distance - 600) < 20)
    await #expect(throws: TrackError.self) { try await tracker.start() }
  }
}
