import EngineTestSupport
import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Outliers at a fence of 50 m with a device at rest.
@Suite struct FenceOutlierTests {
  /// A fix each minute with speed 0 in the centre, and at some minutes a given distance north.
  private func walkAtRest(_ north: [Int: Double], minutes: Int = 13) -> FenceTestHarness {
    var walk = FenceTestHarness([fence("home", radius: 50)])
    walk.process((0..<minutes).map { fix(4, at: Double($0) * 60, north: north[$0] ?? 0, speed: 0) })
    return walk
  }

  @Test func outlierDoesNotMoveADeviceAtRest() {
    let walk = walkAtRest([10: 120])
    #expect(walk.events.isEmpty && walk.state.side == .inside)
    let doubts = walk.decisions.compactMap {
      if case .doubted(let time, let doubt) = $0 { (time, doubt) } else { nil }
    }
    #expect(doubts.count == 1 && doubts.first?.0 == utc(600))
    // The confidence of one fix is limited by the reliability of receivers.
    #expect(doubts.first.map { $0.1 > 0.01 } ?? false)
  }

  @Test(arguments: [0, 1, 2, 5, 12]) func outlierCausesNoEvent(minute: Int) {
    #expect(walkAtRest([minute: 120], minutes: 16).kinds.isEmpty || minute == 0)
    #expect(walkAtRest([minute: 300], minutes: 16).state.side == .inside)
  }

  @Test func threeAgreeingFixesAreAnExit() {
    let walk = walkAtRest([10: 120, 11: 125, 12: 124])
    #expect(walk.kinds == [.exit] && walk.state.side == .outside)
    #expect(
      walk.events.first.map { (utc(540)...utc(600)).contains($0.time) && $0.decided == utc(720) } ?? false)
  }

  /// Two agreeing outliers in a row: the same reflection, or chance.
  @Test(arguments: [120.0, 124, 130, 150], [10, 12]) func twoAgreeingOutliersCauseNoEvent(
    second: Double, minute: Int
  ) {
    let walk = walkAtRest([minute: 120, minute + 1: second], minutes: 20)
    #expect(walk.events.isEmpty && walk.state.side == .inside)
  }

  @Test func outlierThatCrossesNothingDoesNotBendThePath() {
    // The fix lies within the fence, and the path to the next one would leave it.
    for north in [40.0, 45, 49] {
      let walk = walkAtRest([10: north], minutes: 20)
      #expect(walk.events.isEmpty && walk.state.side == .inside, "\(north) m")
    }
  }

  @Test func continuedWalkIsAnExitAtItsSecondFix() {
    let walk = walkAtRest([20: 70, 21: 154, 22: 238], minutes: 23)
    #expect(walk.kinds == [.exit] && walk.state.side == .outside)
    #expect(walk.events.first.map { $0.decided == utc(21 * 60) } ?? false)
  }

  @Test func outlierRequestsTheNextFixAtOnce() {
    var engine = Engine()
    let patient = FenceTerms(responsiveness: .seconds(300))
    _ = engine.handle(.fences(.add([fence("home", radius: 50, patient)])), at: t(0))
    for minute in 0..<10 {
      _ = engine.handle(live(fix(4, at: Double(minute) * 60, speed: 0)), at: t(Double(minute) * 60))
    }
    #expect(engine.demand != .continuous(Demand.Continuous(accuracy: 5)))
    _ = engine.handle(live(fix(4, at: 600, north: 120, speed: 0)), at: t(600))
    #expect(engine.demand == .continuous(Demand.Continuous(accuracy: 5)))
    #expect(engine.fencePower?.reason == .pending)
    _ = engine.handle(live(fix(4, at: 601, north: 1, speed: 0)), at: t(601))
    #expect(engine.fencePower?.reason != .pending)
  }

  @Test func outlierAsFirstFixIsNoCrossing() {
    var walk = FenceTestHarness([fence("home", radius: 50)])
    walk.process((0..<10).map { fix(4, at: Double($0), north: $0 == 0 ? 120 : 0, speed: 0) })
    #expect(walk.events.isEmpty && walk.state.side == .inside)
  }

  /// A device that was switched off, or whose first fixes had a wrong date: the old place is no evidence any more.
  @Test(arguments: [3_600.0, 86_400.0, 2_592_000.0, 604_800_000.0], [1.0, 60])
  func exitAfterLongSilenceIsDetected(silence: Double, interval: Double) {
    var walk = FenceTestHarness([fence("home", radius: 50)])
    walk.process((0..<5).map { fix(4, at: Double($0) * interval) })
    let start = 5 * interval + silence
    walk.process((0..<20).map { fix(4, at: start + Double($0) * interval) })
    #expect(walk.events.isEmpty && walk.state.side == .inside)
    let metres = 1.4 * interval
    walk.process(
      (20..<140).map { fix(4, at: start + Double($0) * interval, north: Double($0 - 20) * metres) })
    #expect(walk.kinds == [.exit] && walk.state.side == .outside)
  }

  @Test(arguments: [3_600.0, 86_400.0, 2_592_000.0, 604_800_000.0], [1.0, 60])
  func departureDuringLongSilenceIsDetected(silence: Double, interval: Double) {
    var walk = FenceTestHarness([fence("home", radius: 50)])
    walk.process((0..<300).map { fix(4, at: Double($0) * interval) })
    let start = 300 * interval + silence
    walk.process((0..<10).map { fix(4, at: start + Double($0) * interval, north: 300) })
    #expect(walk.kinds == [.exit] && walk.state.side == .outside)
  }

  /// A wake of a suspended app: a network's coarse fix comes first, then the receiver's.
  @Test(arguments: [0.0, 200, 300, 500]) func coarseFixDelaysNoExit(north: Double) {
    var walk = FenceTestHarness([fence("home", radius: 100)])
    walk.process((0..<20).map { fix(5, at: Double($0)) })
    walk.watch.endSegment(in: walk.registry, into: &walk.records)
    walk.process([fix(500, at: 600, north: north)])
    #expect(walk.events.isEmpty && walk.state.side != .outside)
    walk.process((0..<4).map { fix(8, at: 605 + Double($0), north: 300) })
    #expect(walk.kinds == [.exit] && walk.state.side == .outside)
    // The coarse fix does not tell when.
    #expect(walk.events.first?.lastBefore == utc(19), "\(walk.events)")
  }

  /// A phone that gives a fix every ten minutes without a speed, after an hour at home.
  private func sparsePhone(_ north: [Double]) -> FenceTestHarness {
    var walk = FenceTestHarness([fence("home"), fence("shop", north: 3000), fence("work", north: 13_000)])
    let rest = (0..<7).map { Double($0 % 3) * 4 }
    walk.process((rest + north).enumerated().map { fix(15, at: Double($0) * 600, north: $1) })
    return walk
  }

  @Test func confirmedFixLimitsTheTimeOfAnExit() {
    let exit = sparsePhone([5000, 9000, 13_000, 13_004]).events.first
    #expect(exit?.kind == .exit && exit?.fence == "home")
    #expect(exit?.lastBefore == utc(3600) && exit?.firstAfter == utc(4200))
    #expect(exit.map { (utc(3600)...utc(4200)).contains($0.time) } ?? false)
    // The next fix has decided.
    #expect(exit?.decided == utc(4800) && exit?.decidedBy.time == utc(4800))
  }

  @Test func confirmedFixIsAVisit() {
    let walk = sparsePhone([3002, 6000, 13_000, 13_004])
    let events = walk.events.map { "\($0.kind) \($0.fence)" }
    #expect(events == ["exit home", "enter shop", "exit shop", "enter work"], "\(events)")
    #expect(walk.events.dropFirst().first?.firstAfter == utc(4200))
  }

  /// The second fix there shows a stay, since the device may have arrived long before the first one.
  @Test(arguments: [500.0, 1500]) func twoFixesAfterGapsAreAStay(distance: Double) {
    var walk = FenceTestHarness([fence("home"), fence("shop", north: distance)])
    let north = [0.0, 4, 8, 0, 4, 8, 0, distance, distance + 3, 4, 0, 8, 4, 0, 4]
    walk.process(north.enumerated().map { fix(15, at: Double($0) * 600, north: $1) })
    let events = walk.events.map { "\($0.kind) \($0.fence)" }
    #expect(events == ["exit home", "enter shop", "exit shop", "enter home"], "\(events)")
  }

  /// A car or a train arrives between two fixes as well as somebody on foot.
  @Test(
    arguments: [(120, 1500), (600, 40_000), (900, 5000), (1800, 20_000), (3600, 50_000)] as [(Double, Double)]
  )
  func twoFixesAfterAFastWayAreAStay(seconds: Double, distance: Double) {
    let walk = errand(every: seconds, distance: distance)
    #expect(walk.kinds == [.exit, .enter], "\(walk.events)")
  }

  /// A moved router has an old place, which a network reports again and again.
  @Test(arguments: [43_000.0, 150_000]) func twoFixesFartherThanAnyVehicleAreNoStay(distance: Double) {
    let walk = errand(every: 600, distance: distance)
    #expect(walk.events.isEmpty, "\(walk.events)")
  }

  /// Fixes at home, then some elsewhere that agree, then fixes at home.
  private func errand(every seconds: Double, distance: Double) -> FenceTestHarness {
    var walk = FenceTestHarness([fence("home")])
    let stay = [distance, distance + 3]
    let rest = (0..<12).map { Double($0 % 3) * 5 }
    walk.process((rest + stay + rest).enumerated().map { fix(15, at: Double($0) * seconds, north: $1) })
    return walk
  }

  /// The fix before an outlier is the first one of all, and may itself have been the outlier.
  @Test func firstFixThatASecondAndThirdContradictIsNoCrossing() {
    var walk = FenceTestHarness([fence("home")])
    walk.process([0, 300, 302, 301].enumerated().map { fix(15, at: Double($0) * 600, north: $1) })
    #expect(walk.events.isEmpty && walk.state.side == .outside)
  }

  /// A tracker that reports every six hours.
  @Test func departureIsDetectedWithAFixEverySixHours() {
    var walk = FenceTestHarness([fence("home", radius: 50)])
    walk.process((0..<20).map { fix(4, at: Double($0) * 21_600, north: $0 < 10 ? 0 : 300) })
    #expect(walk.kinds == [.exit] && walk.state.side == .outside)
  }

  /// Hours of a phone at rest with one fix in a hundred 120 m off. `FencePower rest` runs a thousand of them.
  @Test(arguments: [5, 15, 30, 60, 300]) func phoneAtRestCrossesNoFence(seconds: Int) {
    var noise = ReceiverNoise.cityPhone
    noise.deviation = 4
    noise.statedAccuracyFactor = 1
    for (seed, speed) in [(UInt64(1), 0.2), (2, nil)] as [(UInt64, Double?)] {
      noise.speedDeviation = speed
      var walk = FenceTestHarness()
      walk.process(
        FenceTestHarness.track(west: 15).addingRest(10 * 3600), every: seconds, noise: noise, seed: seed)
      #expect(walk.events.isEmpty, "seed \(seed), every \(seconds) s")
    }
  }
}
