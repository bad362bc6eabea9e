import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Three sources with their signals, the demands on them, and the forwarded signals.
private struct FailoverScenario {
  var failover: Failover
  private(set) var now = Instant.start
  private(set) var effects: [Failover.Effect] = []
  private(set) var wake: Instant?

  static let names = ["gpsd", "nmea", "geoclue"]
  static let demand = Demand.continuous(Demand.Continuous(accuracy: 10))

  init(_ settings: FailoverSettings = FailoverSettings(), standIns: [FallbackCondition] = []) {
    failover = Failover(
      Self.names.enumerated().map { place, name in
        Failover.Member(
          name: name, isSteady: place < 2,
          fallbackCondition: place < standIns.count ? standIns[place] : .withoutFix)
      }, settings: settings)
  }

  mutating func process(_ input: Failover.Input) {
    effects.removeAll()
    failover.handle(input, at: now, into: &effects)
    for case .wake(let instant) in effects { wake = instant }
  }

  mutating func sendSignal(_ place: Int, _ signal: SourceSignal) { process(.signal(place, signal)) }

  mutating func sendFix(_ place: Int, north: Double = 0, accuracy: Double = 5) throws {
    var fix = Fix(
      coordinate: try #require(Coordinate(latitude: 1 + north / 110_574, longitude: 2)), time: nil,
      source: .scripted)
    fix.horizontalAccuracy = accuracy
    sendSignal(place, .fix(fix, age: .sinceArrival))
  }

  /// Advances the time; each deadline is processed at its own instant.
  ///
  /// - Returns: all effects.
  @discardableResult
  mutating func advance(by seconds: Double) -> [Failover.Effect] {
    let end = now.advanced(by: .seconds(seconds))
    var all: [Failover.Effect] = []
    while let due = wake, due <= end {
      now = max(now, due)
      wake = nil
      process(.wake)
      all += effects
    }
    now = end
    return all
  }

  var startedSources: [Int] {
    effects.compactMap { if case .demand(let place, let demand) = $0, demand != .off { place } else { nil } }
  }
  var stoppedSources: [Int] {
    effects.compactMap { if case .demand(let place, .off) = $0 { place } else { nil } }
  }
  var isFixForwarded: Bool { effects.contains { if case .forward(.fix) = $0 { true } else { false } } }
  var forwardedProblems: [SourceProblem] {
    effects.compactMap { if case .forward(.unavailable(let problem)) = $0 { problem } else { nil } }
  }
  func health(_ effects: [Failover.Effect]) -> [SourceHealth]? {
    effects.reversed().lazy.compactMap {
      if case .forward(.sources(let sources)) = $0 { sources } else { nil }
    }
    .first
  }
}

private let unreachable = SourceProblem(.unreachable, message: "reach gpsd", remedy: "Start gpsd.")
private let noSky = SourceProblem(.noPosition, message: "see enough satellites")
private let noCompass = SourceProblem(.noCompass, message: "find a compass")

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
    scene.sendSignal(0, .unavailable(unreachable))
    #expect(scene.startedSources == [1])
    #expect(scene.stoppedSources == [], "the source itself reports its return")
    try scene.sendFix(1)
    #expect(scene.isFixForwarded)
    #expect(scene.failover.used == 1)
  }

  @Test func searchingSourceHasItsPatienceTime() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .unavailable(noSky))
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
    scene.sendSignal(0, .unavailable(noSky))
    #expect(!scene.advance(by: 100).contains(.demand(0, FailoverScenario.demand)))
  }

  @Test func failedSourceIsRetried() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .failed(unreachable))
    #expect(scene.advance(by: 10).contains(.demand(0, FailoverScenario.demand)))
  }

  @Test func unsteadySourceIsNotSilent() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .unavailable(unreachable))
    scene.sendSignal(1, .unavailable(unreachable))
    #expect(scene.startedSources == [2])
    try scene.sendFix(2)
    let hour = scene.advance(by: 3_600)
    #expect(!hour.contains(.demand(2, FailoverScenario.demand)))
    #expect(scene.failover.used == 2)
  }

  @Test func standInWithoutReceiverWaitsUntilNoReceiver() {
    var scene = FailoverScenario(standIns: [.withoutFix, .withoutReceiver])
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .unavailable(noSky))
    #expect(!scene.advance(by: 60).contains(.demand(1, FailoverScenario.demand)))
    scene.sendSignal(0, .unavailable(SourceProblem(.noReceiver, message: "find a receiver")))
    #expect(scene.startedSources.contains(1))
  }

  @Test func waitingStandInDoesNotDelayLaterSources() throws {
    var scene = FailoverScenario(standIns: [.withoutFix, .withoutReceiver, .withoutFix])
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(0, .unavailable(noSky))
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

  @Test func repeatedDemandRestartsActiveSources() {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    scene.process(.demand(FailoverScenario.demand))
    #expect(scene.startedSources == [0])
  }

  @Test func denialByOneSourceIsNoDenial() throws {
    var scene = FailoverScenario()
    // A source that notices changes does not notice them while it is off.
    let denied = Authorization(.denied, noticesChanges: false, remedy: "Join the group.")
    scene.process(.demand(FailoverScenario.demand))
    scene.sendSignal(
      0, .authorization(Authorization(.denied, noticesChanges: true, remedy: "Join the group.")))
    #expect(scene.startedSources == [1])
    #expect(!scene.effects.contains(.forward(.authorization(denied))))
    scene.sendSignal(1, .unavailable(unreachable))
    scene.sendSignal(2, .unavailable(unreachable))
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
      scene.sendSignal(1, .unavailable(unreachable))
      scene.sendSignal(2, .unavailable(unreachable))
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
    scene.sendSignal(1, .unavailable(unreachable))
    scene.sendSignal(2, .unavailable(unreachable))
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
    scene.sendSignal(0, .unavailable(noSky))
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
    scene.sendSignal(0, .unavailable(unreachable))
    #expect(scene.forwardedProblems == [], "the next source connects")
    scene.sendSignal(1, .satellites(SatellitesInView(satellites: [], time: nil)))
    #expect(scene.forwardedProblems == [], "the next source has a receiver, and its first fix may follow")
    scene.sendSignal(1, .unavailable(noSky))
    #expect(scene.forwardedProblems == [noSky])
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
      scene.sendSignal(place, .unavailable(unreachable))
      #expect(scene.forwardedProblems == [], "the next source connects")
    }
    scene.sendSignal(2, .unavailable(unreachable))
    #expect(scene.forwardedProblems.count == 1)
    scene.sendSignal(1, .unavailable(noSky))
    #expect(scene.forwardedProblems == [], "a heading needs no position")
    scene.sendSignal(1, .unavailable(unreachable))
    #expect(scene.forwardedProblems.count == 1, "the source was lost again")
  }

  @Test func nextSourceIsAskedForHeadingsThatTheBetterOneLacks() throws {
    var scene = FailoverScenario()
    scene.process(
      .demand(Demand(fixes: FailoverScenario.demand.fixes, headings: Demand.Headings(filter: 0))))
    try scene.sendFix(0)
    #expect(scene.startedSources == [])
    scene.sendSignal(0, .headingsUnavailable(noCompass))
    #expect(scene.startedSources == [1])
    #expect(!scene.effects.contains(.forward(.headingsUnavailable(noCompass))))
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
    scene.sendSignal(1, .headingsUnavailable(noCompass))
    #expect(scene.stoppedSources == [1] && scene.startedSources == [2])
    scene.sendSignal(2, .headingsUnavailable(noCompass))
    #expect(scene.stoppedSources == [2])
    #expect(scene.effects.contains(.forward(.headingsUnavailable(noCompass))))
    try scene.sendFix(0)
    #expect(!scene.effects.contains(.forward(.headingsUnavailable(noCompass))), "it was reported")
  }

  @Test func unreachableSourceIsReportedWhereTheOthersHaveNoCompass() throws {
    var scene = FailoverScenario()
    scene.process(.demand(Demand(headings: Demand.Headings(filter: 0))))
    scene.sendSignal(0, .unavailable(unreachable))
    try scene.sendFix(1)
    scene.sendSignal(1, .headingsUnavailable(noCompass))
    #expect(scene.startedSources == [2] && scene.forwardedProblems == [], "the last may have a compass")
    scene.sendSignal(2, .headingsUnavailable(noCompass))
    #expect(scene.forwardedProblems.map(\.message) == ["reach gpsd, nor find a compass"])
    #expect(!scene.effects.contains(.forward(.headingsUnavailable(noCompass))), "the first may return")
    try scene.sendFix(1)
    #expect(scene.forwardedProblems == [], "it was reported")
  }

  @Test func silentReceiverIsReportedToADemandForHeadings() {
    var scene = FailoverScenario()
    let silent = SourceProblem(.silent, message: "hear anything")
    scene.process(.demand(Demand(headings: Demand.Headings(filter: 0))))
    scene.sendSignal(0, .unavailable(silent))
    #expect(scene.forwardedProblems == [silent])
    scene.sendSignal(0, .unavailable(noSky))
    #expect(scene.forwardedProblems == [], "a heading needs no position")
    scene.sendSignal(0, .unavailable(silent))
    #expect(scene.forwardedProblems == [silent], "it is silent again")
  }

  @Test func missingCompassIsReportedIfNoOtherSourceMayBeAsked() throws {
    var scene = FailoverScenario(standIns: [.withoutFix, .withoutReceiver, .withoutReceiver])
    scene.process(.demand(Demand(headings: Demand.Headings(filter: 0))))
    try scene.sendFix(0)
    scene.sendSignal(0, .headingsUnavailable(noCompass))
    #expect(scene.startedSources == [], "they would take the receiver of the first")
    #expect(scene.effects.contains(.forward(.headingsUnavailable(noCompass))))
  }

  @Test func segmentStartIsForwardedBeforeTheNextFix() throws {
    var scene = FailoverScenario()
    scene.process(.demand(FailoverScenario.demand))
    try scene.sendFix(0)
    scene.sendSignal(0, .segmentBegan)
    #expect(!scene.effects.contains(.forward(.segmentBegan)))
    try scene.sendFix(0)
    let passed = scene.effects.compactMap { effect -> String? in
      switch effect {
      case .forward(.segmentBegan): "gap"
      case .forward(.fix): "fix"
      default: nil
      }
    }
    #expect(passed == ["gap", "fix"])
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
      case 1: scene.sendSignal(place, .unavailable(unreachable))
      case 2: scene.sendSignal(place, .unavailable(noSky))
      case 3: scene.sendSignal(place, .authorization(Authorization(.denied, noticesChanges: false)))
      case 4: scene.sendSignal(place, .failed(unreachable))
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
