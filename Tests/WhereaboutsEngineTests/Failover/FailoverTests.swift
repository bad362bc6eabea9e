import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsTesting

@Suite struct FailoverTests {
  @Test func onlyTheFirstSourceIsStarted() {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    #expect(scene.startedSources == [0])
    scene.process(.demand(.off))
    #expect(scene.stoppedSources == [0])
    #expect(scene.wake == nil, "no wake without a demand")
  }

  @Test func unreachableSourceStartsTheNextAtOnce() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .unavailable(.unreachable))
    #expect(scene.startedSources == [1])
    #expect(scene.stoppedSources == [], "the source itself reports its return")
    try scene.sendFix(1)
    #expect(scene.isFixForwarded)
    #expect(scene.failover.used == 1)
  }

  @Test func searchingSourceHasItsPatienceTime() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .unavailable(.noSky))
    #expect(scene.startedSources == [])
    let late = scene.advance(by: 5)
    #expect(late.contains(.demand(1, FailoverScenario.demand)))
    #expect(!late.contains(.demand(2, FailoverScenario.demand)), "the second source has its own timeout")
    #expect(scene.advance(by: 5).contains(.demand(2, FailoverScenario.demand)))
  }

  @Test func preferredSourceReplacesOthersAtItsFirstFix() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    scene.advance(by: 5)
    try scene.sendFix(1)
    #expect(scene.isFixForwarded)
    try scene.sendFix(0)
    #expect(scene.isFixForwarded)
    #expect(scene.failover.used == 0)
    #expect(scene.stoppedSources == [1])
    try scene.sendFix(1)
    #expect(!scene.isFixForwarded, "a fix of a stopped source is not forwarded")
  }

  @Test func silentSourceIsReplacedAndResumedAfterAHold() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    for _ in 0..<5 {
      try scene.sendFix(0)
      scene.advance(by: 1)
    }
    let lost = scene.advance(by: 3)
    #expect(lost.contains(.demand(1, FailoverScenario.demand)))
    #expect(scene.health(lost)?[0].state == .stale)
    try scene.sendFix(1)
    #expect(scene.failover.used == 1)
    var stopped: [Failover.Effect] = []
    for second in 1...10 {
      try scene.sendFix(0)
      #expect(scene.failover.used == 1, "second \(second)")
      try scene.sendFix(1)
      stopped = scene.advance(by: 1)
    }
    #expect(scene.failover.used == 0)
    #expect(stopped.contains(.demand(1, .off)))
  }

  @Test func silenceAfterAnOutageIsDetectedAsSoonAsBefore() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    for _ in 0..<5 {
      try scene.sendFix(0)
      scene.advance(by: 1)
    }
    scene.sendSignal(0, .unavailable(.unreachable))
    scene.advance(by: 60)
    for _ in 0..<2 {
      try scene.sendFix(0)
      scene.advance(by: 1)
    }
    let lost = scene.advance(by: 3)
    #expect(scene.health(lost)?[0].state == .stale)
  }

  @Test func soleSourceIsResumedAtOnce() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    try scene.sendFix(0)
    scene.advance(by: 4)
    #expect(scene.failover.used == nil)
    try scene.sendFix(0)
    #expect(scene.failover.used == 0)
    #expect(scene.isFixForwarded)
  }

  @Test func silentSourceIsRestartedWithBackoff() throws {
    var scene = FailoverScenario(FailoverSettings(patience: .seconds(100_000)))
    scene.process(.demand(FailoverScenario.demand))
    try scene.sendFix(0)
    var restarts: [Double] = []
    for second in 1...1_000 {
      if scene.advance(by: 1).contains(.demand(0, FailoverScenario.demand)) {
        restarts.append(Double(second))
      }
    }
    #expect(restarts == [10, 30, 70, 150, 310, 630, 950], "the allowed silence doubles up to 320 s")
  }

  @Test func sourceWithAReportedProblemIsNotSilent() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .unavailable(.noSky))
    #expect(!scene.advance(by: 100).contains(.demand(0, FailoverScenario.demand)))
  }

  @Test func failedSourceIsRetried() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .failed(.unreachable))
    #expect(scene.advance(by: 10).contains(.demand(0, FailoverScenario.demand)))
  }

  @Test func unsteadySourceIsNotSilent() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .unavailable(.unreachable))
    scene.sendSignal(1, .unavailable(.unreachable))
    #expect(scene.startedSources == [2])
    try scene.sendFix(2)
    let hour = scene.advance(by: 3_600)
    #expect(!hour.contains(.demand(2, FailoverScenario.demand)))
    #expect(scene.failover.used == 2)
  }

  @Test func standInWithoutReceiverWaitsUntilNoReceiver() {
    var scene = FailoverScenario(standIns: [.withoutFix, .withoutReceiver])
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .unavailable(.noSky))
    #expect(!scene.advance(by: 60).contains(.demand(1, FailoverScenario.demand)))
    scene.sendSignal(0, .unavailable(SourceProblem(.noReceiver, message: "find a receiver")))
    #expect(scene.startedSources.contains(1))
  }

  @Test func waitingStandInDoesNotDelayLaterSources() throws {
    var scene = FailoverScenario(standIns: [.withoutFix, .withoutReceiver, .withoutFix])
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .unavailable(.noSky))
    #expect(scene.advance(by: 4.9).isEmpty)
    let late = scene.advance(by: 0.1)
    #expect(late.contains(.demand(2, FailoverScenario.demand)))
    try scene.sendFix(2)
    #expect(scene.isFixForwarded)
    #expect(scene.startedSources == [], "the first source stays in use")
    try scene.sendFix(0)
    #expect(scene.failover.used == 0)
    #expect(scene.stoppedSources == [2])
  }

  @Test func pluggedInReceiverReplacesASilentOne() throws {
    var scene = FailoverScenario(standIns: [.withoutFix, .withoutReceiver])
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .unavailable(SourceProblem(.silent, message: "hear from the receiver")))
    #expect(scene.startedSources == [1])
    try scene.sendFix(1)
    #expect(scene.failover.used == 1)
  }

  @Test func sourceHasTimeToReportItsProblem() {
    var scene = FailoverScenario(FailoverSettings(patience: .seconds(100)))
    scene.process(.demand(FailoverScenario.demand))
    #expect(!scene.advance(by: 14.9).contains(.demand(0, FailoverScenario.demand)))
    #expect(scene.advance(by: 0.1).contains(.demand(0, FailoverScenario.demand)))
  }

  @Test func failoverFailsWhenAllSourcesFail() {
    var failover = Failover([Failover.Member(name: "nmea:/tmp")])
    var effects: [Failover.Effect] = []
    failover.handle(.demand(FailoverScenario.demand), at: .start, into: &effects)
    let problem = SourceProblem(.unusable, message: "open /tmp: it is a folder")
    failover.handle(.signal(0, .failed(problem)), at: .start, into: &effects)
    #expect(effects.contains(.forward(.failed(problem))))
  }

  @Test func sourceInUseCountsAsFailed() {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .unavailable(SourceProblem(.inUse, message: "open it")))
    #expect(scene.health(scene.effects)?[0].state == .failed)
    #expect(scene.startedSources == [1])
  }

  @Test func significantChangesBesideFixesAreNoRepeatedDemand() {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    let both = FailoverScenario.demand.merged(with: .significantChanges)
    scene.process(.demand(both))
    #expect(scene.effects.contains(.demand(0, both)))
    #expect(!scene.effects.contains(.demand(0, FailoverScenario.demand)), "a restart")
  }

  @Test func repeatedDemandRestartsActiveSources() {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    scene.process(.demand(FailoverScenario.demand))
    #expect(scene.startedSources == [0])
  }

  @Test func segmentStartIsForwardedBeforeTheNextFix() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    try scene.sendFix(0)
    scene.sendSignal(0, .segmentBegan)
    #expect(!scene.effects.contains(.forward(.segmentBegan)))
    try scene.sendFix(0)
    #expect(scene.forwardedFixesAndGaps == ["gap", "fix"])
  }

  /// The preferred receiver is unplugged for the time of some fixes of the next source.
  @Test(arguments: [0, 1, 5]) func gapBridgedByAnotherSourceIsNotForwarded(fixesMeanwhile: Int) throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    try scene.sendFix(0)
    scene.sendSignal(0, .unavailable(.unreachable))
    for _ in 0..<fixesMeanwhile {
      scene.advance(by: 1)
      try scene.sendFix(1)
      #expect(scene.forwardedFixesAndGaps == ["fix"])
    }
    scene.sendSignal(0, .segmentBegan)
    var forwarded: [String] = []
    for _ in 0..<60 {
      try scene.sendFix(0)
      forwarded += scene.forwardedFixesAndGaps
      scene.advance(by: 1)
      // The next source ends before the receiver's probation.
      guard scene.failover.used == 1, fixesMeanwhile > 1 else { continue }
      try scene.sendFix(1)
      forwarded += scene.forwardedFixesAndGaps
    }
    #expect(scene.failover.used == 0)
    #expect(forwarded.filter { $0 == "gap" }.count == (fixesMeanwhile == 0 ? 1 : 0), "\(forwarded)")
    // A later gap of the receiver itself is one of the track.
    scene.sendSignal(0, .segmentBegan)
    try scene.sendFix(0)
    #expect(scene.forwardedFixesAndGaps == ["gap", "fix"])
  }

  @Test func gapAfterAPauseIsForwarded() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .unavailable(.unreachable))
    try scene.sendFix(1)
    scene.process(.demand(.off))
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .segmentBegan)
    try scene.sendFix(0)
    #expect(scene.forwardedFixesAndGaps == ["gap", "fix"])
  }

  @Test func failoverEndsWhenAllSourcesEnd() {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    for place in 0..<3 { scene.sendSignal(place, .ended) }
    #expect(scene.effects.contains(.forward(.ended)))
  }

  /// Under random signals at most one source is used, and only its fixes are forwarded. Without a demand all sources
  /// are off, and there is no wake.
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64]) func invariantsHoldForRandomSignals(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    var scene = FailoverScenario()
    var on: Set<Int> = []
    var isNeeded = false
    for step in 0..<4_000 {
      let place = Int.random(in: 0..<3, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        isNeeded.toggle()
        scene.process(.demand(isNeeded ? FailoverScenario.demand : .off))
      case 1: scene.sendSignal(place, .unavailable(.unreachable))
      case 2: scene.sendSignal(place, .unavailable(.noSky))
      case 3: scene.sendSignal(place, .authorization(Authorization(.denied, noticesChanges: false)))
      case 4: scene.sendSignal(place, .failed(.unreachable))
      case 5: scene.sendSignal(place, .segmentBegan)
      case 6...9:
        try scene.sendFix(place)
        #expect(scene.isFixForwarded == (scene.failover.used == place), "step \(step)")
      default:
        for case .demand(let place, let demand) in scene.advance(
          by: Double.random(in: 0..<20, using: &random))
        {
          if demand == .off { on.remove(place) } else { on.insert(place) }
        }
        continue
      }
      on.formUnion(scene.startedSources)
      on.subtract(scene.stoppedSources)
      #expect(on.isEmpty == !isNeeded, "step \(step)")
      if let used = scene.failover.used { #expect(on.contains(used)) }
      if !isNeeded { #expect(scene.wake == nil, "step \(step)") }
    }
  }
}
