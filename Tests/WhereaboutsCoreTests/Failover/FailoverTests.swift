import Testing
import WhereaboutsCore
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Three sources, what happens to them, and what is asked and handed on.
private struct Scene {
  var failover: Failover
  private(set) var now = Instant.start
  private(set) var effects: [Failover.Effect] = []
  private(set) var wake: Instant?

  static let names = ["gpsd", "nmea", "geoclue"]
  static let demand = Demand.continuous(ContinuousDemand(accuracy: 10))

  init(_ settings: FailoverSettings = FailoverSettings(), standIns: [StandIn] = []) {
    failover = Failover(
      Self.names.enumerated().map { place, name in
        Failover.Member(
          name: name, isSteady: place < 2, standIn: place < standIns.count ? standIns[place] : .withoutFix)
      }, settings: settings)
  }

  mutating func take(_ input: Failover.Input) {
    effects.removeAll()
    failover.handle(input, at: now, into: &effects)
    for case .wake(let instant) in effects { wake = instant }
  }

  mutating func say(_ place: Int, _ signal: SourceSignal) { take(.signal(place, signal)) }

  mutating func fix(_ place: Int, north: Double = 0, accuracy: Double = 5) throws {
    var fix = Fix(
      coordinate: try #require(Coordinate(latitude: 1 + north / 110_574, longitude: 2)), time: nil,
      source: .scripted)
    fix.horizontalAccuracy = accuracy
    say(place, .fix(fix, age: .sinceArrival))
  }

  /// Lets time pass; what is due on the way is looked at, each at its own instant.
  ///
  /// - Returns: all effects of that.
  @discardableResult
  mutating func pass(_ seconds: Double) -> [Failover.Effect] {
    let end = now.advanced(by: .seconds(seconds))
    var all: [Failover.Effect] = []
    while let due = wake, due <= end {
      now = max(now, due)
      wake = nil
      take(.wake)
      all += effects
    }
    now = end
    return all
  }

  var asked: [Int] {
    effects.compactMap { if case .ask(let place, let demand) = $0, demand != .off { place } else { nil } }
  }
  var stopped: [Int] { effects.compactMap { if case .ask(let place, .off) = $0 { place } else { nil } } }
  var isFixPassed: Bool { effects.contains { if case .pass(.fix) = $0 { true } else { false } } }
  func health(_ effects: [Failover.Effect]) -> [SourceHealth]? {
    effects.reversed().lazy.compactMap { if case .pass(.sources(let sources)) = $0 { sources } else { nil } }
      .first
  }
}

private let unreachable = SourceTrouble(.unreachable, message: "reach gpsd", remedy: "Start gpsd.")
private let noSky = SourceTrouble(.noPosition, message: "see enough satellites")

@Suite struct FailoverTests {
  @Test func theFirstIsAskedAlone() {
    var scene = Scene()
    scene.take(.demand(Scene.demand))
    #expect(scene.asked == [0])
    scene.take(.demand(.off))
    #expect(scene.stopped == [0])
    #expect(scene.wake == nil, "nothing wakes up where nothing is needed")
  }

  @Test func oneThatCanNotBeReachedLetsTheNextInAtOnce() throws {
    var scene = Scene()
    scene.take(.demand(Scene.demand))
    scene.say(0, .unavailable(unreachable))
    #expect(scene.asked == [1])
    #expect(scene.stopped == [], "it says when it is there again")
    try scene.fix(1)
    #expect(scene.isFixPassed)
    #expect(scene.failover.used == 1)
  }

  @Test func oneThatIsLookingIsWaitedFor() throws {
    var scene = Scene()
    scene.take(.demand(Scene.demand))
    scene.say(0, .unavailable(noSky))
    #expect(scene.asked == [])
    let late = scene.pass(5)
    #expect(late.contains(.ask(1, Scene.demand)))
    #expect(!late.contains(.ask(2, Scene.demand)), "the second has its own time")
    #expect(scene.pass(5).contains(.ask(2, Scene.demand)))
  }

  @Test func theBetterOneTakesOverAtItsFirstFixAndTheOthersGoOff() throws {
    var scene = Scene()
    scene.take(.demand(Scene.demand))
    scene.pass(5)
    try scene.fix(1)
    #expect(scene.isFixPassed)
    try scene.fix(0)
    #expect(scene.isFixPassed)
    #expect(scene.failover.used == 0)
    #expect(scene.stopped == [1])
    try scene.fix(1)
    #expect(!scene.isFixPassed, "what comes too late is not handed on")
  }

  @Test func oneThatFallsSilentIsReplacedAndGoneBackToAfterAHold() throws {
    var scene = Scene()
    scene.take(.demand(Scene.demand))
    for _ in 0..<5 {
      try scene.fix(0)
      scene.pass(1)
    }
    let lost = scene.pass(3)
    #expect(lost.contains(.ask(1, Scene.demand)))
    #expect(scene.health(lost)?[0].state == .stale)
    try scene.fix(1)
    #expect(scene.failover.used == 1)
    var stopped: [Failover.Effect] = []
    for second in 1...10 {
      try scene.fix(0)
      #expect(scene.failover.used == 1, "second \(second)")
      try scene.fix(1)
      stopped = scene.pass(1)
    }
    #expect(scene.failover.used == 0)
    #expect(stopped.contains(.ask(1, .off)))
  }

  @Test func whereNothingElseDeliversItIsUsedAgainAtOnce() throws {
    var scene = Scene()
    scene.take(.demand(Scene.demand))
    try scene.fix(0)
    scene.pass(4)
    #expect(scene.failover.used == nil)
    try scene.fix(0)
    #expect(scene.failover.used == 0)
    #expect(scene.isFixPassed)
  }

  @Test func aSilentOneIsStoppedAndStartedLessAndLessOften() throws {
    var scene = Scene(FailoverSettings(patience: .seconds(100_000)))
    scene.take(.demand(Scene.demand))
    try scene.fix(0)
    var restarts: [Double] = []
    for second in 1...1_000 {
      if scene.pass(1).contains(.ask(0, Scene.demand)) { restarts.append(Double(second)) }
    }
    #expect(restarts == [10, 30, 70, 150, 310, 630, 950], "the silence that is borne doubles up to 320 s")
  }

  @Test func whoHasSaidWhyIsNotSilent() throws {
    var scene = Scene()
    scene.take(.demand(Scene.demand))
    scene.say(0, .unavailable(noSky))
    #expect(!scene.pass(100).contains(.ask(0, Scene.demand)))
  }

  @Test func oneThatHasGivenUpIsAskedAgain() throws {
    var scene = Scene()
    scene.take(.demand(Scene.demand))
    scene.say(0, .failed(unreachable))
    #expect(scene.pass(10).contains(.ask(0, Scene.demand)))
  }

  @Test func aSourceThatTellsOnlyMovesIsNotSilent() throws {
    var scene = Scene()
    scene.take(.demand(Scene.demand))
    scene.say(0, .unavailable(unreachable))
    scene.say(1, .unavailable(unreachable))
    #expect(scene.asked == [2])
    try scene.fix(2)
    let hour = scene.pass(3_600)
    #expect(!hour.contains(.ask(2, Scene.demand)))
    #expect(scene.failover.used == 2)
  }

  @Test func oneThatWouldTakeTheReceiverAwayWaitsUntilThereIsNone() {
    var scene = Scene(standIns: [.withoutFix, .withoutReceiver])
    scene.take(.demand(Scene.demand))
    scene.say(0, .unavailable(noSky))
    #expect(!scene.pass(60).contains(.ask(1, Scene.demand)))
    scene.say(0, .unavailable(SourceTrouble(.noReceiver, message: "find a receiver")))
    #expect(scene.asked.contains(1))
  }

  @Test func oneThatStandsAsideKeepsNoneBehindItWaiting() throws {
    var scene = Scene(standIns: [.withoutFix, .withoutReceiver, .withoutFix])
    scene.take(.demand(Scene.demand))
    scene.say(0, .unavailable(noSky))
    #expect(scene.pass(4.9).isEmpty)
    let late = scene.pass(0.1)
    #expect(late.contains(.ask(2, Scene.demand)))
    try scene.fix(2)
    #expect(scene.isFixPassed)
    #expect(scene.asked == [], "the receiver stays with the first")
    try scene.fix(0)
    #expect(scene.failover.used == 0)
    #expect(scene.stopped == [2])
  }

  @Test func aPluggedInReceiverStepsInForADeadOne() throws {
    var scene = Scene(standIns: [.withoutFix, .withoutReceiver])
    scene.take(.demand(Scene.demand))
    scene.say(0, .unavailable(SourceTrouble(.silent, message: "hear from the receiver")))
    #expect(scene.asked == [1])
    try scene.fix(1)
    #expect(scene.failover.used == 1)
  }

  @Test func aSourceHasTimeToSayWhyNothingComes() {
    var scene = Scene(FailoverSettings(patience: .seconds(100)))
    scene.take(.demand(Scene.demand))
    #expect(!scene.pass(14.9).contains(.ask(0, Scene.demand)))
    #expect(scene.pass(0.1).contains(.ask(0, Scene.demand)))
  }

  @Test func whereAllHaveGivenUpItFails() {
    var failover = Failover([Failover.Member(name: "nmea:/tmp")])
    var effects: [Failover.Effect] = []
    failover.handle(.demand(Scene.demand), at: .start, into: &effects)
    let trouble = SourceTrouble(.unusable, message: "open /tmp: it is a folder")
    failover.handle(.signal(0, .failed(trouble)), at: .start, into: &effects)
    #expect(effects.contains(.pass(.failed(trouble))))
  }

  @Test func aSourceInUseIsNotLooking() {
    var scene = Scene()
    scene.take(.demand(Scene.demand))
    scene.say(0, .unavailable(SourceTrouble(.inUse, message: "open it")))
    #expect(scene.health(scene.effects)?[0].state == .failed)
    #expect(scene.asked == [1])
  }

  @Test func theSameDemandAgainRestartsWhatIsOn() {
    var scene = Scene()
    scene.take(.demand(Scene.demand))
    scene.take(.demand(Scene.demand))
    #expect(scene.asked == [0])
  }

  @Test func beingRefusedByOneIsNoRefusal() throws {
    var scene = Scene()
    // That the source itself would notice helps nobody once it is off.
    let denied = Authorization(.denied, noticesChanges: false, remedy: "Join the group.")
    scene.take(.demand(Scene.demand))
    scene.say(0, .authorization(Authorization(.denied, noticesChanges: true, remedy: "Join the group.")))
    #expect(scene.asked == [1])
    #expect(!scene.effects.contains(.pass(.authorization(denied))))
    scene.say(1, .unavailable(unreachable))
    scene.say(2, .unavailable(unreachable))
    #expect(scene.effects.contains(.pass(.authorization(denied))), "now nothing else could give a fix")
    try scene.fix(2)
    let order = scene.effects.compactMap { effect -> String? in
      switch effect {
      case .pass(.authorization(let new)): new.isAllowed ? "allowed" : "refused"
      case .pass(.fix): "fix"
      default: nil
      }
    }
    #expect(order == ["allowed", "fix"])
  }

  @Test func whoAsksAfterARefusalIsRefusedAgain() {
    var scene = Scene()
    let denied = Authorization(.denied, noticesChanges: false, remedy: "Join the group.")
    for turn in 1...3 {
      scene.take(.demand(Scene.demand))
      #expect(!scene.effects.contains(.pass(.authorization(denied))), "it looks again first")
      scene.say(0, .authorization(denied))
      scene.say(1, .unavailable(unreachable))
      scene.say(2, .unavailable(unreachable))
      #expect(scene.effects.contains(.pass(.authorization(denied))), "turn \(turn)")
      let later = scene.pass(100)
      #expect(later.contains(.ask(0, Scene.demand)), "it is tried again")
      #expect(!later.contains { if case .pass(.authorization) = $0 { true } else { false } })
      scene.take(.demand(.off))
    }
  }

  @Test func whyThereIsNothingIsSaidOnceForAll() {
    var scene = Scene()
    scene.take(.demand(Scene.demand))
    for place in 0..<3 {
      scene.say(
        place, .unavailable(SourceTrouble(.unreachable, message: "reach \(place)", remedy: "Start \(place)."))
      )
    }
    let trouble = SourceTrouble(
      .unreachable, message: "reach 0, nor reach 1, nor reach 2",
      remedy: "Start 0. Or: Start 1. Or: Start 2.")
    #expect(scene.effects.contains(.pass(.unavailable(trouble))))
    scene.say(0, .unavailable(SourceTrouble(.unreachable, message: "reach 0", remedy: "Start 0.")))
    #expect(!scene.effects.contains { if case .pass(.unavailable) = $0 { true } else { false } })
  }

  @Test func aGapIsToldBeforeTheFixThatComesAfterIt() throws {
    var scene = Scene()
    scene.take(.demand(Scene.demand))
    try scene.fix(0)
    scene.say(0, .segmentBegan)
    #expect(!scene.effects.contains(.pass(.segmentBegan)))
    try scene.fix(0)
    let passed = scene.effects.compactMap { effect -> String? in
      switch effect {
      case .pass(.segmentBegan): "gap"
      case .pass(.fix): "fix"
      default: nil
      }
    }
    #expect(passed == ["gap", "fix"])
  }

  @Test func twoThatContradictEachOtherAreReported() throws {
    var scene = Scene(FailoverSettings(comparesAlways: true))
    scene.take(.demand(Scene.demand))
    var told: SourceContradiction?
    for second in 0..<30 {
      for place in 0..<2 {
        try scene.fix(place, north: place == 0 ? 0 : 300, accuracy: 10)
        guard let found = scene.health(scene.effects)?[0].contradiction else { continue }
        #expect(second >= 10)
        told = found
      }
      scene.pass(1)
    }
    #expect(told?.other == "nmea")
    #expect(abs((told?.distance ?? 0) - 300) < 1)
    scene.pass(1)
    try scene.fix(1, north: 5)
    #expect(scene.health(scene.effects)?[0].contradiction == nil)
  }

  @Test func twoWithinTheirErrorsAreNot() throws {
    var scene = Scene(FailoverSettings(comparesAlways: true))
    scene.take(.demand(Scene.demand))
    for _ in 0..<60 {
      try scene.fix(0)
      try scene.fix(2, north: 900, accuracy: 1_000)
      #expect(scene.health(scene.effects)?.contains { $0.contradiction != nil } != true)
      scene.pass(1)
    }
  }

  @Test func whenAllHaveToldAllTheyHadItIsOver() {
    var scene = Scene()
    scene.take(.demand(Scene.demand))
    for place in 0..<3 { scene.say(place, .ended) }
    #expect(scene.effects.contains(.pass(.ended)))
  }

  /// Whatever happens, in any order: one source at most is used and it delivers, only its fixes are handed on, and with no
  /// demand all are off and nothing wakes.
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64]) func whateverHappens(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var scene = Scene()
    var on: Set<Int> = []
    var isNeeded = false
    for step in 0..<4_000 {
      let place = Int.random(in: 0..<3, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        isNeeded.toggle()
        scene.take(.demand(isNeeded ? Scene.demand : .off))
      case 1: scene.say(place, .unavailable(unreachable))
      case 2: scene.say(place, .unavailable(noSky))
      case 3: scene.say(place, .authorization(Authorization(.denied, noticesChanges: false)))
      case 4: scene.say(place, .failed(unreachable))
      case 5: scene.say(place, .segmentBegan)
      case 6...9:
        try scene.fix(place)
        #expect(scene.isFixPassed == (scene.failover.used == place), "step \(step)")
      default:
        for case .ask(let place, let demand) in scene.pass(Double.random(in: 0..<20, using: &random)) {
          if demand == .off { on.remove(place) } else { on.insert(place) }
        }
        continue
      }
      on.formUnion(scene.asked)
      on.subtract(scene.stopped)
      #expect(on.isEmpty == !isNeeded, "step \(step)")
      if let used = scene.failover.used { #expect(on.contains(used)) }
      if !isNeeded { #expect(scene.wake == nil, "step \(step)") }
    }
  }
}
