import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Fences of an engine: expiry, stays, late fixes and clocks that are set.
@Suite struct EngineFenceTimeTests {
  @Test func fenceExpiresWithoutAnyFix() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("brief", FenceTerms(expiry: utc(60)))])), at: t(0))
    #expect(engine.nextWake == t(60).instant)
    let effects = engine.handle(.wake, at: t(60))
    #expect(effects.contains(.fence(.removed("brief", because: .expired))))
    #expect(effects.contains(.demand(.off)) && engine.fenceCount == 0)
  }

  /// The server puts a device to rest that has no pending result.
  @Test func expiryIsAPendingResultInsideTheFence() {
    var engine = Engine(), isPending: [Bool] = []
    _ = engine.handle(.fences(.add([fence("brief", FenceTerms(expiry: utc(3_000)))])), at: t(0))
    #expect(engine.nextWake == t(3_000).instant)
    isPending.append(engine.hasPendingResult())
    _ = EngineFenceTests.drive(&engine, 1...5)
    #expect(engine.nextWake != nil)
    isPending.append(engine.hasPendingResult())
    _ = EngineFenceTests.drive(&engine, 6...30)
    #expect(engine.fenceState(of: "brief")?.side == .inside)
    isPending.append(engine.hasPendingResult())
    #expect(isPending == [false, false, true])
  }

  @Test func stayIsAPendingResult() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home", FenceTerms(dwell: .seconds(600)))])), at: t(0))
    _ = EngineFenceTests.drive(&engine, 1...30)
    let before = engine.hasPendingResult()
    _ = engine.handle(.wake, at: t(700))
    let after = engine.hasPendingResult()
    #expect(before && !after)
  }

  @Test func changedDwellTimeIsDueAfterAnotherEventWithoutAFix() {
    var engine = Engine()
    let fences = [
      fence("home"), fence("brief", FenceTerms(expiry: utc(300))),
      fence("next", FenceTerms(expiry: utc(500))),
    ]
    _ = engine.handle(.fences(.add(fences)), at: t(0))
    _ = EngineFenceTests.drive(&engine, 1...30)
    _ = engine.handle(.wake, at: t(300))
    #expect(engine.fenceCount == 2)
    // The device has been inside since about 20 s.
    let change = Input.fences(.update([fence("home", FenceTerms(dwell: .seconds(60)))]))
    #expect(EngineFenceTests.events(engine.handle(change, at: t(400))).map(\.kind) == [.dwell])
    _ = engine.handle(.wake, at: t(500))
    #expect(engine.fenceCount == 1)
  }

  @Test func expiryFollowsFixTimesWhenTheHostClockIsNotSet() {
    var engine = Engine()
    // The wall clock of a host without a clock battery begins in 1970.
    let off = -1_717_243_200.0
    _ = engine.handle(.fences(.add([fence("brief", FenceTerms(expiry: utc(60)))])), at: t(0, wallOff: off))
    _ = engine.handle(live(fix(4, at: 10)), at: t(10, wallOff: off))
    #expect(engine.nextWake == t(60).instant)
  }

  /// The receiver has a wrong date, or the host. Nothing tells which, and the fence reports nothing meanwhile.
  @Test func timeFarAheadOfTheClockRemovesNoFence() {
    let ahead = 31_536_000.0, terms = FenceTerms(expiry: utc(3_000))
    var engine = Engine(), logged: [LoggedFix] = []
    _ = engine.handle(.fences(.add([fence("home", terms)])), at: t(0))
    let snapshot = engine.fenceSnapshot
    for second in [1.0, 2, 3] {
      _ = engine.handle(live(fix(4, at: ahead + second, north: -300)), at: t(second))
      if let fix = engine.drainPendingPersistence().fix { logged.append(fix) }
    }
    #expect(engine.fenceCount == 1 && engine.nextWake.map { $0 > t(3).instant } ?? true)
    // Also not where the next process replays the fixes.
    var next = Engine()
    _ = next.handle(.restore(Restoration(fences: snapshot, since: logged)), at: t(20))
    #expect(next.fenceCount == 1)
    // A fence that has expired since is removed after the replay, with a record.
    next = Engine()
    let removal = next.handle(.restore(Restoration(fences: snapshot, since: logged)), at: t(4_000))
    #expect(removal.contains(.fence(.removed("home", because: .expired))) && next.fenceCount == 0)
    _ = engine.handle(.wake, at: t(2_999))
    #expect(engine.fenceCount == 1)
    #expect(engine.nextWake.map { $0 <= t(3_000).instant } == true)
    let effects = engine.handle(.wake, at: t(3_000))
    #expect(effects.contains(.fence(.removed("home", because: .expired))) && engine.fenceCount == 0)
  }

  /// A host without a clock battery starts in 1970, and the network sets the clock later.
  @Test func expiryWithoutAnyFixFollowsAClockThatIsSet() {
    for off in [-1_717_243_200.0, 31_536_000] {
      var engine = Engine()
      _ = engine.handle(.fences(.add([fence("brief", FenceTerms(expiry: utc(1e8)))])), at: t(0, wallOff: off))
      _ = engine.handle(.wake, at: t(10))
      #expect(engine.nextWake == t(1e8).instant && engine.fenceCount == 1)
      _ = engine.handle(.wake, at: t(1e8))
      #expect(engine.fenceCount == 0)
    }
  }

  /// The restored state is of a run with the right date.
  @Test func fixesWithoutTimeAreUsedOnceTheClockIsSet() {
    var before = Engine()
    _ = before.handle(.fences(.add([fence("home")])), at: t(0))
    #expect(EngineFenceTests.events(EngineFenceTests.drive(&before, 1...30)).map(\.kind) == [.enter])
    let off = -1_717_243_200.0
    var engine = Engine()
    _ = engine.handle(.restore(Restoration(fences: before.fenceSnapshot)), at: t(100, wallOff: off))
    _ = engine.handle(live(fix(4, at: nil)), at: t(101, wallOff: off))
    let events = EngineFenceTests.events(
      (102...140).flatMap {
        engine.handle(live(fix(4, at: nil, north: Double($0 - 102) * 10)), at: t(Double($0)))
      })
    #expect(events.map(\.kind) == [.exit])
  }

  @Test func stayIsNotOverBecauseTheClockIsSet() {
    var engine = Engine()
    func send(_ seconds: ClosedRange<Int>, wallOff: Double) -> [FenceEvent.Kind] {
      seconds.flatMap { second in
        // Never twice at one place, as a fix without a time would then be a duplicate.
        let moved = fix(4, at: nil, north: min(0, -300 + Double(second) * 10) + Double(second % 2) / 2)
        return EngineFenceTests.events(engine.handle(live(moved), at: t(Double(second), wallOff: wallOff)))
          .map(\.kind)
      }
    }
    let off = -1_717_243_200.0, terms = FenceTerms(dwell: .seconds(600))
    _ = engine.handle(.fences(.add([fence("home", terms)])), at: t(0, wallOff: off))
    #expect(send(1...60, wallOff: off) == [.enter])
    #expect(send(61...600, wallOff: 0) == [])
    #expect(send(601...800, wallOff: 0) == [.dwell])
  }

  @Test func fixWithoutTimeUsesItsArrivalTime() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home")])), at: t(0))
    let events = EngineFenceTests.events(
      (1...60).flatMap {
        engine.handle(live(fix(4, at: nil, north: -300 + Double($0) * 10)), at: t(Double($0)))
      })
    #expect(events.map(\.kind) == [.enter, .exit])
    var blind = Engine()
    _ = blind.handle(.fences(.add([fence("home")])), at: t(0, wallOff: nil))
    let effects = blind.handle(live(fix(4, at: nil)), at: t(1, wallOff: nil))
    #expect(effects.contains(.decided(.fence(.timeless))))
  }

  @Test func outOfOrderFixesReachTheFences() {
    func run(_ order: [Int]) -> [FenceEvent] {
      var engine = Engine()
      _ = engine.handle(.fences(.add([fence("home")])), at: t(0))
      return EngineFenceTests.events(
        order.enumerated().flatMap { place, second in
          engine.handle(
            live(fix(4, at: Double(second), north: -300 + Double(second) * 10)), at: t(Double(place + 1)))
        })
    }
    let inOrder = run(Array(1...60))
    // Pairs of fixes are swapped.
    let shuffled = run((0..<30).flatMap { [$0 * 2 + 2, $0 * 2 + 1] })
    #expect(inOrder.map(\.kind) == [.enter, .exit] && shuffled.map(\.kind) == [.enter, .exit])
  }

  /// The fence has ended, so an evaluation of the fixes in their order finds no event of it.
  @Test func lateFixDoesNotWithdrawTheEventOfAnEndedFence() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home", FenceTerms(once: true))])), at: t(0))
    var effects = EngineFenceTests.drive(&engine, 1...23)
    effects += engine.handle(live(fix(4, at: 22.5, north: -75)), at: t(23.2))
    effects += EngineFenceTests.drive(&engine, 24...30)
    #expect(EngineFenceTests.events(effects).map(\.kind) == [.enter])
    #expect(!effects.contains { if case .fence(.revised) = $0 { true } else { false } })
  }

  @Test func restartedTimelineRetainsTheSide() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home")])), at: t(0))
    _ = EngineFenceTests.drive(&engine, 1...30)
    // The recording starts over.
    let again = (0..<10).flatMap {
      engine.handle(
        live(fix(4, at: Double($0) - 10_000, north: -2000 + Double($0) * 10)), at: t(31 + Double($0)))
    }
    #expect(again.contains { if case .decided(.timelineRestarted) = $0 { true } else { false } })
    #expect(EngineFenceTests.events(again).map(\.kind) == [.exit])
  }

  @Test func segmentBeginningElsewhereIsAnUnseenExit() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home")])), at: t(0))
    _ = EngineFenceTests.drive(&engine, 1...30)
    _ = engine.handle(.signal(.segmentBegan), at: t(31))
    let events = EngineFenceTests.events(EngineFenceTests.drive(&engine, 600...610, from: 1000))
    #expect(events.map(\.kind) == [.exit] && events.first?.manner == .unseen)
  }

  /// A phone without a network sends an hour's fixes at once: the fixes that follow in the batch say whether a stay went
  /// on, and the time of the arrival does not.
  @Test(arguments: [
    (FenceTerms(enterDwell: .seconds(120)), [FenceEvent.Kind]()),
    (FenceTerms(dwell: .seconds(60)), [.enter, .exit, .enter, .dwell, .exit]),
    (FenceTerms(exitDwell: .seconds(120)), [.enter]),
  ])
  func staysOfABatchAreThoseOfItsFixes(terms: FenceTerms, kinds: [FenceEvent.Kind]) {
    func north(_ second: Double) -> Double {
      switch second {
      case ..<40: -500
      case ..<75: 0
      case ..<135: -500
      case ..<215: 0
      default: -500
      }
    }
    let seconds = stride(from: 0.0, to: 260, by: 1)
    var events: [FenceEvent.Kind] = []
    for delay in [0.0, 3600] {
      var engine = Engine()
      _ = engine.handle(.fences(.add([fence("home", terms)])), at: t(0))
      let effects = seconds.flatMap { second in
        let input = Input.signal(.fix(fix(4, at: second, north: north(second)), age: .sinceTrustedTime))
        return engine.handle(input, at: t(delay == 0 ? second : delay))
      }
      let found = EngineFenceTests.events(effects).map(\.kind)
      if delay == 0 { events = found }
      #expect(found == events, "\(delay) s late")
    }
    #expect(events == kinds)
  }

  /// As before, with hours: the start of a test is a Saturday at 12:00.
  @Test(arguments: [
    // The device leaves before the hours begin.
    (200.0, 5, [FenceEvent.Kind]()),
    // The hours begin, and the stay is long enough, without a fix. The exit is after the hours.
    (3000.0, 2, [.enter, .dwell]),
  ])
  func heldBackEventsOfABatchAreThoseOfItsFixes(exit: Double, opening: Int, kinds: [FenceEvent.Kind]) {
    let noon = 5 * 1440 + 12 * 60
    let hours = ActiveHours([.init(start: noon + opening, minutes: 30)])
    let terms = FenceTerms(dwell: .seconds(300), activeHours: hours)
    let seconds = Array(stride(from: 0.0, to: 100, by: 1)) + Array(stride(from: exit, to: exit + 60, by: 1))
    for delay in [0.0, 7200] {
      var engine = Engine()
      _ = engine.handle(.fences(.add([fence("home", terms)])), at: t(0))
      var events: [FenceEvent.Kind] = []
      for second in seconds {
        let place = fix(4, at: second, north: (40..<exit).contains(second) ? 0 : -500)
        let effects = engine.handle(
          .signal(.fix(place, age: .sinceTrustedTime)), at: t(delay == 0 ? second : delay))
        events += EngineFenceTests.events(effects).map(\.kind)
      }
      #expect(events == kinds, "\(delay) s late")
    }
  }

  @Test func expiryIsByTheClockAlsoAfterALateFix() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home", FenceTerms(expiry: utc(3700)))])), at: t(0))
    _ = engine.handle(.signal(.fix(fix(4, at: 10), age: .sinceTrustedTime)), at: t(3600))
    _ = engine.handle(.wake, at: t(3699))
    #expect(engine.fenceCount == 1)
    _ = engine.handle(.wake, at: t(3701))
    #expect(engine.fenceCount == 0)
  }

  @Test func stayGoesOnFromTheArrivalOfTheLastFix() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home", FenceTerms(dwell: .seconds(60)))])), at: t(0))
    for second in stride(from: 0.0, to: 40, by: 1) {
      let input = Input.signal(
        .fix(fix(4, at: second, north: second < 10 ? -500 : 0), age: .sinceTrustedTime))
      _ = engine.handle(input, at: t(3600))
    }
    #expect(EngineFenceTests.events(engine.handle(.wake, at: t(3620))) == [])
    #expect(EngineFenceTests.events(engine.handle(.wake, at: t(3680))).map(\.kind) == [.dwell])
  }
}
