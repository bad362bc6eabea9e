import Testing
import Whereabouts
import WhereaboutsTesting

/// The distance from the best of a few fixes, as "Distance" and `CandidateSettings` document it.
@Suite(.timeLimit(.minutes(10))) struct DocumentedCandidateTests {
  private let clock = StepClock(wall: startOfTest)
  private let source = ScriptedSource()
  private let terms = TrackTerms(method: .candidates(CandidateSettings()), reportsPoints: true)

  private func makeTracker() -> Tracker {
    LocationManager(source: source, clock: clock.managerClock).tracker(terms)
  }

  /// Emits a fix once the clock has reached its second.
  private func emit(_ accuracy: Double, at seconds: Double, north: Double, course: Double? = nil) async {
    let wait = Duration.seconds(seconds) - clock.now.offset
    if wait > .zero { await clock.advance(by: wait) }
    var next = fix(accuracy, at: seconds, north: north)
    if let course {
      next.course = course
      next.speed = 10
    }
    await source.emit(next)
  }

  /// Emits a fix each second, 10 m farther north each time.
  private func drive(_ seconds: ClosedRange<Int>, accuracy: Double = 4) async {
    for second in seconds { await emit(accuracy, at: Double(second), north: Double(second) * 10) }
  }

  /// Returns the points so far with their times in tenths of a second, and ends the tracker.
  private func points(of tracker: Tracker) async -> [(tenths: Int, point: TrackPoint)] {
    tracker.end()
    return await allElements(of: tracker.points).map { point in
      (tenths: Int((point.time.seconds(since: startOfTest) * 10).rounded()), point: point)
    }
  }

  @Test func sourceFiltersByTenMetres() async throws {
    let tracker = makeTracker()
    try await tracker.prepare()
    #expect(await source.demands == [.continuous(Demand.Continuous(accuracy: 5, distanceFilter: 10))])
  }

  @Test func noDistanceIsCountedBeforeTheThirdGoodFix() async throws {
    let tracker = makeTracker()
    try await tracker.start()
    await emit(4, at: 1, north: 0)
    await emit(4, at: 5, north: 100)
    #expect(await tracker.totals.distance == 0)
    await emit(4, at: 9, north: 200)
    #expect(abs(await tracker.totals.distance - 100) < 2)
  }

  @Test func calculationsAreThreeSecondsApartUnlessTheDeviceTurns() async throws {
    let tracker = makeTracker()
    try await tracker.start()
    for second in 1...9 {
      await emit(4, at: Double(second), north: Double(second) * 10, course: second < 5 ? 350 : 20)
    }
    #expect(await points(of: tracker).map { $0.tenths } == [10, 40, 50, 80])
  }

  @Test func bestOfTheLastFiveFixesOfThreeSecondsCounts() async throws {
    let tracker = makeTracker()
    try await tracker.start()
    // Ten fixes a second; the best comes at 3 s, and five others after it.
    for tenths in 10...40 {
      await emit(tenths == 30 ? 3 : 12, at: Double(tenths) / 10, north: Double(tenths))
    }
    await emit(3, at: 4.5, north: 45)
    await emit(12, at: 8, north: 80)
    await emit(3, at: 9.5, north: 95)
    await emit(12, at: 11, north: 110)
    // The best was not among the last five at 4 s, was 3.5 s old at 8 s, and counts at 11 s.
    #expect(await points(of: tracker).map { $0.tenths } == [10, 40, 80, 95])
  }

  @Test func limitIsSeventyMetresWhileTheSignalIsConsistentlyWeak() async throws {
    let tracker = makeTracker()
    try await tracker.start()
    await drive(1...14, accuracy: 50)
    #expect(await tracker.totals.distance == 0)
    await drive(15...75, accuracy: 70)
    let allowed = await tracker.totals.distance
    #expect(allowed > 400)
    await drive(76...80, accuracy: 20)
    let strong = await tracker.totals.distance
    await drive(81...90, accuracy: 50)
    #expect(await tracker.totals.distance == strong, "the limit stayed at 70 m after a strong signal")
  }

  @Test func poorerFixThanSeventyMetresIsNeverCounted() async throws {
    let tracker = makeTracker()
    try await tracker.start()
    await drive(1...100, accuracy: 70.001)
    #expect(await tracker.totals.distance == 0)
    #expect(await tracker.state.signal == .consistentlyWeak)
  }

  @Test func gapIsCountedByTheGeodesicAndReported() async throws {
    let tracker = makeTracker()
    try await tracker.start()
    await drive(1...60)
    await drive(121...180)
    let totals = await tracker.stop().totals
    #expect(totals.gaps == 1 && abs(totals.bridged - 610) < 40, "\(totals.bridged) m")
    var bridges = 0
    for found in await points(of: tracker) {
      if case .bridges = found.point.link { bridges += 1 }
    }
    #expect(bridges == 1)
  }

  @Test func standingDeviceAddsNoDistance() async throws {
    let tracker = makeTracker()
    try await tracker.start()
    for second in 1...900 {
      let wander = [0.0, 3, -2, 4, -4, 1, -3, 2][second / 5 % 8]
      await emit(6, at: Double(second), north: wander)
    }
    #expect(await tracker.stop().totals.distance == 0)
  }

  @Test func nothingFromBeforeTheStartIsCounted() async throws {
    let tracker = makeTracker()
    await drive(1...60)
    try await tracker.start()
    // From the source's memory, and late.
    await source.emit(fix(3, at: 30, north: -9000), age: .sinceFixTime)
    await drive(61...120)
    #expect(abs(await tracker.stop().totals.distance - 590) < 40)
    let found = await points(of: tracker)
    #expect(found.allSatisfy { $0.tenths >= 600 })
    #expect(found.first?.point.link == .begins)
  }
}
