import Testing
import WhereaboutsEngine
import WhereaboutsModel

/// The permissions, problems, satellites, headings and contradictions that reach the engine.
@Suite struct FailoverReportTests {
  @Test func denialByOneSourceIsNoDenial() throws {
    var scene = FailoverScenario()
    // A source that notices changes does not notice them while it is off.
    let denied = Authorization(.denied, noticesChanges: false, remedy: "Join the group.")
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(
      0, .authorization(Authorization(.denied, noticesChanges: true, remedy: "Join the group.")))
    #expect(scene.startedSources == [1])
    #expect(!scene.effects.contains(.forward(.authorization(denied))))
    scene.sendSignal(1, .unavailable(.unreachable))
    scene.sendSignal(2, .unavailable(.unreachable))
    #expect(scene.effects.contains(.forward(.authorization(denied))), "no other source is left")
    try scene.sendFix(2)
    let order = scene.effects.compactMap { effect -> String? in
      switch effect {
      case .forward(.authorization(let new)): new.isAllowed ? "allowed" : "refused"
      case .forward(.fix): "fix"
      default: nil
      }
    }
    #expect(order == ["allowed", "fix"])
  }

  @Test func healthIsReportedBeforeDenial() {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    for place in 0..<3 {
      scene.sendSignal(
        place, .authorization(Authorization(.denied, noticesChanges: false, remedy: "Join the group.")))
    }
    let order = scene.effects.compactMap { effect -> String? in
      switch effect {
      case .forward(.authorization): "denied"
      case .forward(.sources(let sources)): sources.map(\.state.rawValue).joined(separator: " ")
      default: nil
      }
    }
    #expect(order == ["failed failed failed", "denied"])
  }

  @Test func newDemandAfterDenialIsDeniedAgain() {
    var scene = FailoverScenario()
    let denied = Authorization(.denied, noticesChanges: false, remedy: "Join the group.")
    for turn in 1...3 {
      scene.process(.demand(FailoverScenario.demand))
      #expect(!scene.effects.contains(.forward(.authorization(denied))), "the source checks again first")
      scene.sendSignal(0, .authorization(denied))
      scene.sendSignal(1, .unavailable(.unreachable))
      scene.sendSignal(2, .unavailable(.unreachable))
      #expect(scene.effects.contains(.forward(.authorization(denied))), "turn \(turn)")
      let later = scene.advance(by: 100)
      #expect(later.contains(.demand(0, FailoverScenario.demand)), "the source is retried")
      #expect(!later.contains { if case .forward(.authorization) = $0 { true } else { false } })
      scene.process(.demand(.off))
    }
  }

  /// As of a request beside a subscription of another accuracy: the request waited without a reason.
  @Test func changedDemandAfterDenialIsDeniedAgain() {
    var scene = FailoverScenario()
    let denied = Authorization(.denied, noticesChanges: false, remedy: "Join the group.")
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .authorization(denied))
    scene.sendSignal(1, .unavailable(.unreachable))
    scene.sendSignal(2, .unavailable(.unreachable))
    #expect(scene.effects.contains(.forward(.authorization(denied))))
    for accuracy in [5.0, 100, 5] {
      scene.process(.demand(.continuous(Demand.Continuous(accuracy: accuracy))))
      #expect(scene.startedSources == [0, 1, 2])
      #expect(!scene.effects.contains(.forward(.authorization(denied))), "the source checks again first")
      scene.sendSignal(0, .authorization(denied))
      #expect(scene.effects.contains(.forward(.authorization(denied))), "\(accuracy) m")
    }
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .authorization(Authorization(.always)))
    #expect(scene.effects.contains(.forward(.authorization(Authorization(.always)))))
  }

  /// A first fix does not show the interval of its source.
  @Test func silenceAfterAFirstFixMayBeThatOfASlowSource() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    try scene.sendFix(0)
    func silence(_ effects: [Failover.Effect]) -> String? {
      let health = scene.health(effects)?.first
      return health?.state == .stale ? health?.problem?.message : nil
    }
    #expect(silence(scene.advance(by: 5)) == "hear more from gpsd yet: it gave one fix")
    for _ in 0..<8 {
      try scene.sendFix(0)
      scene.advance(by: 1)
    }
    #expect(silence(scene.advance(by: 5)) == "hear from gpsd: it gave fixes, and gives none any more")
  }

  /// Otherwise a request without a sky ends as "not determined", and a timeout that waits for permission never starts.
  @Test func permissionGrantedSinceADenialIsReportedBeforeTheFirstFix() {
    var scene = FailoverScenario()
    let denied = Authorization(.denied, noticesChanges: false), allowed = Authorization(.always)
    scene.process(.demand(FailoverScenario.demand))
    for place in 0..<3 { scene.sendSignal(place, .authorization(denied)) }
    #expect(scene.effects.contains(.forward(.authorization(denied))))
    scene.process(.demand(.off))
    scene.process(.demand(FailoverScenario.demand))
    #expect(!scene.effects.contains(.forward(.authorization(allowed))))
    scene.sendSignal(0, .unavailable(.noSky))
    #expect(scene.effects.contains(.forward(.authorization(allowed))))
    scene.sendSignal(0, .unavailable(SourceProblem(.silent, message: "hear from the receiver")))
    #expect(!scene.effects.contains(.forward(.authorization(allowed))), "it is reported once")
  }

  /// The old failure ended the request that the demand is for, also where the source delivers by now.
  @Test(arguments: [10.0, 5]) func demandAfterAFailureWaitsForTheNextResult(accuracy: Double) {
    var failover = Failover([Failover.Member(name: "nmea:/tmp")])
    var effects: [Failover.Effect] = []
    let problem = SourceProblem(.unusable, message: "open /tmp: it is a folder")
    failover.handle(.demand(FailoverScenario.demand), at: .start, into: &effects)
    failover.handle(.signal(0, .failed(problem)), at: .start, into: &effects)
    effects.removeAll()
    let next = Demand.continuous(Demand.Continuous(accuracy: accuracy))
    failover.handle(.demand(next), at: .start, into: &effects)
    #expect(effects.contains(.demand(0, next)))
    #expect(!effects.contains(.forward(.failed(problem))))
    failover.handle(.signal(0, .failed(problem)), at: .start, into: &effects)
    #expect(effects.contains(.forward(.failed(problem))))
  }

  @Test func problemsOfAllSourcesAreReportedOnce() {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    for place in 0..<3 {
      scene.sendSignal(
        place, .unavailable(SourceProblem(.unreachable, message: "reach \(place)", remedy: "Start \(place)."))
      )
    }
    let problem = SourceProblem(
      .unreachable, message: "reach 0, nor reach 1, nor reach 2",
      remedy: "Start 0. Or: Start 1. Or: Start 2.")
    #expect(scene.effects.contains(.forward(.unavailable(problem))))
    scene.sendSignal(0, .unavailable(SourceProblem(.unreachable, message: "reach 0", remedy: "Start 0.")))
    #expect(!scene.effects.contains { if case .forward(.unavailable) = $0 { true } else { false } })
  }

  @Test func satellitesOfOneSourcePostponeTheProblemOfAnother() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .unavailable(.unreachable))
    #expect(scene.forwardedProblems == [], "the next source connects")
    scene.sendSignal(1, .satellites(SatellitesInView(satellites: [], time: nil)))
    #expect(scene.forwardedProblems == [], "the next source has a receiver, and its first fix may follow")
    scene.sendSignal(1, .unavailable(.noSky))
    #expect(scene.forwardedProblems == [.noSky])
    try scene.sendFix(1)
    #expect(scene.isFixForwarded)
  }

  @Test func satellitesOfASourceThatReturnsAreForwardedWithItsFirstFix() throws {
    func forwardedSatellites(_ scene: FailoverScenario) -> [Int] {
      scene.effects.compactMap {
        if case .forward(.satellites(let view)) = $0 { view.satellites.count } else { nil }
      }
    }
    func view(_ count: UInt16) -> SourceSignal {
      .satellites(
        SatellitesInView(satellites: (1...count).map { .init(constellation: .gps, number: $0) }, time: nil))
    }
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    try scene.sendFix(0)
    scene.sendSignal(0, view(8))
    #expect(forwardedSatellites(scene) == [8])
    scene.sendSignal(0, .unavailable(SourceProblem(.noReceiver, message: "read it")))
    scene.sendSignal(0, view(7))
    #expect(forwardedSatellites(scene) == [], "the next source connects")
    try scene.sendFix(0)
    #expect(scene.isFixForwarded && forwardedSatellites(scene) == [7], "the source does not send them again")
    try scene.sendFix(0)
    #expect(forwardedSatellites(scene) == [])
    scene.sendSignal(0, view(6))
    #expect(forwardedSatellites(scene) == [6])
    try scene.sendFix(0)
    #expect(forwardedSatellites(scene) == [], "they were forwarded at once")
  }

  @Test func demandForHeadingsHasTheProblemsOfUnreachableSourcesOnly() {
    var scene = FailoverScenario()
    scene.process(.demand(Demand(headings: Demand.Headings(filter: 0))))
    for place in 0..<2 {
      scene.sendSignal(place, .unavailable(.unreachable))
      #expect(scene.forwardedProblems == [], "the next source connects")
    }
    scene.sendSignal(2, .unavailable(.unreachable))
    #expect(scene.forwardedProblems.count == 1)
    scene.sendSignal(1, .unavailable(.noSky))
    #expect(scene.forwardedProblems == [], "a heading needs no position")
    scene.sendSignal(1, .unavailable(.unreachable))
    #expect(scene.forwardedProblems.count == 1, "the source was lost again")
  }

  @Test func nextSourceIsAskedForHeadingsThatTheBetterOneLacks() throws {
    var scene = FailoverScenario()
    scene.process(
      .demand(Demand(fixes: FailoverScenario.demand.fixes, headings: Demand.Headings(filter: 0))))
    try scene.sendFix(0)
    #expect(scene.startedSources == [])
    scene.sendSignal(0, .headingsUnavailable(.noCompass))
    #expect(scene.startedSources == [1])
    #expect(!scene.effects.contains(.forward(.headingsUnavailable(.noCompass))))
    let heading = SourceSignal.heading(try #require(Heading(degrees: 84, reference: .trueNorth)))
    scene.sendSignal(1, heading)
    #expect(scene.effects.contains(.forward(heading)))
    try scene.sendFix(0)
    #expect(scene.isFixForwarded && scene.stoppedSources == [], "its headings are still needed")
    for _ in 0..<10 {
      let effects = scene.advance(by: 1)
      let demands = effects.filter { if case .demand = $0 { true } else { false } }
      #expect(demands.isEmpty, "a source with a compass needs no fix")
      scene.sendSignal(1, heading)
      try scene.sendFix(0)
      #expect(scene.startedSources == [])
    }
    scene.sendSignal(1, .headingsUnavailable(.noCompass))
    #expect(scene.stoppedSources == [1] && scene.startedSources == [2])
    scene.sendSignal(2, .headingsUnavailable(.noCompass))
    #expect(scene.stoppedSources == [2])
    #expect(scene.effects.contains(.forward(.headingsUnavailable(.noCompass))))
    try scene.sendFix(0)
    #expect(!scene.effects.contains(.forward(.headingsUnavailable(.noCompass))), "it was reported")
  }

  @Test func unreachableSourceIsReportedWhereTheOthersHaveNoCompass() throws {
    var scene = FailoverScenario()
    scene.process(.demand(Demand(headings: Demand.Headings(filter: 0))))
    scene.sendSignal(0, .unavailable(.unreachable))
    try scene.sendFix(1)
    scene.sendSignal(1, .headingsUnavailable(.noCompass))
    #expect(scene.startedSources == [2] && scene.forwardedProblems == [], "the last may have a compass")
    scene.sendSignal(2, .headingsUnavailable(.noCompass))
    #expect(scene.forwardedProblems.map(\.message) == ["reach gpsd, nor find a compass"])
    #expect(!scene.effects.contains(.forward(.headingsUnavailable(.noCompass))), "the first may return")
    try scene.sendFix(1)
    #expect(scene.forwardedProblems == [], "it was reported")
  }

  @Test func silentReceiverIsReportedToADemandForHeadings() {
    var scene = FailoverScenario()
    let silent = SourceProblem(.silent, message: "hear anything")
    scene.process(.demand(Demand(headings: Demand.Headings(filter: 0))))
    scene.sendSignal(0, .unavailable(silent))
    #expect(scene.forwardedProblems == [silent])
    scene.sendSignal(0, .unavailable(.noSky))
    #expect(scene.forwardedProblems == [], "a heading needs no position")
    scene.sendSignal(0, .unavailable(silent))
    #expect(scene.forwardedProblems == [silent], "it is silent again")
  }

  @Test func missingCompassIsReportedIfNoOtherSourceMayBeAsked() throws {
    var scene = FailoverScenario(standIns: [.withoutFix, .withoutReceiver, .withoutReceiver])
    scene.process(.demand(Demand(headings: Demand.Headings(filter: 0))))
    try scene.sendFix(0)
    scene.sendSignal(0, .headingsUnavailable(.noCompass))
    #expect(scene.startedSources == [], "they would take the receiver of the first")
    #expect(scene.effects.contains(.forward(.headingsUnavailable(.noCompass))))
  }

  @Test func contradictingSourcesAreReported() throws {
    var scene = FailoverScenario(FailoverSettings(comparesAlways: true))
    scene.process(.demand(FailoverScenario.demand))
    var reported: SourceHealth.Contradiction?
    for second in 0..<30 {
      for place in 0..<2 {
        try scene.sendFix(place, north: place == 0 ? 0 : 300, accuracy: 10)
        guard let found = scene.health(scene.effects)?[0].contradiction else { continue }
        #expect(second >= 10)
        reported = found
      }
      scene.advance(by: 1)
    }
    #expect(reported?.other == "nmea")
    #expect(abs((reported?.distance ?? 0) - 300) < 1)
    scene.advance(by: 1)
    try scene.sendFix(1, north: 5)
    #expect(scene.health(scene.effects)?[0].contradiction == nil)
  }

  @Test func sourcesWithinTheirErrorsAreNotReported() throws {
    var scene = FailoverScenario(FailoverSettings(comparesAlways: true))
    scene.process(.demand(FailoverScenario.demand))
    for _ in 0..<60 {
      try scene.sendFix(0)
      try scene.sendFix(2, north: 900, accuracy: 1_000)
      #expect(scene.health(scene.effects)?.contains { $0.contradiction != nil } != true)
      scene.advance(by: 1)
    }
  }
}
