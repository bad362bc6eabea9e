import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Fences of an engine.
@Suite struct EngineFenceTests {
  /// Sends a fix each second, 10 m farther north each time, from a number of metres south of the fence.
  static func drive(
    _ engine: inout Engine, _ seconds: ClosedRange<Int>, from south: Double = -300
  ) -> [Effect] {
    seconds.flatMap {
      engine.handle(live(fix(4, at: Double($0), north: south + Double($0) * 10)), at: t(Double($0)))
    }
  }

  static func events(_ effects: [Effect]) -> [FenceEvent] {
    effects.compactMap { if case .fence(.event(let event)) = $0 { event } else { nil } }
  }

  @Test func drivingThroughEmitsEnterAndExit() throws {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home")])), at: t(0))
    let events = Self.events(Self.drive(&engine, 1...60))
    try #require(events.map(\.kind) == [.enter, .exit] && events.map(\.fence) == ["home", "home"])
    #expect(
      abs(events[0].time.seconds(since: utc(20))) < 1 && abs(events[1].time.seconds(since: utc(40))) < 1)
    #expect(engine.fenceState(of: "home")?.side == .outside && engine.fenceState(of: "none") == nil)
  }

  @Test func engineWithoutFencesHasNoFenceDemand() {
    var engine = Engine()
    #expect(engine.handle(live(fix(4, at: 0)), at: t(0)) == [])
    #expect(engine.fencePower == nil && engine.fenceCount == 0 && engine.demand == .off)
  }

  @Test func fenceEventsFollowSubscriberEventsAndPrecedeTheStatus() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home")])), at: t(0))
    _ = engine.handle(.subscribe(s, .fixes(FixTerms(level: .room))), at: t(0))
    var inOrder = 0
    for second in 1...60 {
      if second == 30 {
        _ = engine.handle(.signal(.unavailable(SourceProblem(.noPosition, message: ""))), at: t(29.5))
      }
      let effects = engine.handle(
        live(fix(4, at: Double(second), north: -300 + Double(second) * 10)), at: t(Double(second)))
      guard let fence = effects.firstIndex(where: { if case .fence = $0 { true } else { false } }) else {
        continue
      }
      inOrder += 1
      #expect(effects.firstIndex { if case .notify = $0 { true } else { false } } ?? .max < fence)
      let later = effects.firstIndex {
        switch $0 {
        case .status, .demand, .wake: true
        default: false
        }
      }
      #expect(later ?? .max > fence)
    }
    #expect(inOrder == 2)
  }

  @Test func onlyTheFenceWithADuplicateIDIsRefused() {
    var engine = Engine()
    let effects = engine.handle(.fences(.add([fence("a"), fence("a", north: 9), fence("b")])), at: t(0))
    #expect(effects.contains(.decided(.fenceRefused("a", .duplicate("a")))))
    #expect(engine.allFences.map(\.id) == ["a", "b"] && engine.fence("a") == fence("a"))
  }

  @Test func sharedRegistryRetainsTheStateOfItsFences() throws {
    var owner = FenceRegistry()
    try owner.add(fence("home"))
    var engine = Engine()
    _ = engine.handle(.fences(.share(owner)), at: t(0))
    let inside = Self.events(Self.drive(&engine, 1...30))
    #expect(inside.map(\.kind) == [.enter])
    // The fence has a new key and the same serial.
    let serial = try #require(owner.fenceWithSerial("home")?.serial)
    let entries: [(Fence, serial: UInt64)] = [
      (fence("work", north: 5_000), serial + 1), (fence("home"), serial),
    ]
    let changed = FenceRegistry(entries, lastSerial: 9)
    _ = engine.handle(.fences(.share(changed)), at: t(30))
    #expect(engine.fenceState(of: "home")?.side == .inside && engine.fenceCount == 2)
    #expect(Self.events(Self.drive(&engine, 31...60)).map(\.kind) == [.exit])
  }

  @Test func fenceThatEndedHereIsNotSharedAgain() throws {
    var owner = FenceRegistry()
    var once = fence("home")
    once.terms.once = true
    try owner.add(once)
    var engine = Engine()
    _ = engine.handle(.fences(.share(owner)), at: t(0))
    #expect(Self.events(Self.drive(&engine, 1...40)).count == 1 && engine.fenceCount == 0)
    _ = engine.handle(.fences(.share(owner)), at: t(40))
    #expect(engine.fenceCount == 0 && owner.count == 1)
    // A fence added later with the same id is a different fence.
    owner.remove("home")
    try owner.add(fence("home"))
    _ = engine.handle(.fences(.share(owner)), at: t(41))
    #expect(engine.fenceCount == 1)
  }

  @Test func demandStartsAndEndsWithTheFences() {
    var engine = Engine()
    let effects = engine.handle(.fences(.add([fence("home")])), at: t(0))
    #expect(effects.contains(demandEffect(5)) && engine.fencePower?.reason == .placeUnknown)
    #expect(engine.handle(.fences(.remove(["home"])), at: t(1)).contains(.demand(.off)))
    _ = engine.handle(.fences(.add([fence("home"), fence("work")])), at: t(2))
    #expect(engine.handle(.fences(.removeAll), at: t(3)).contains(.demand(.off)))
  }

  @Test func sourceRestsWhileTheFenceIsFar() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("far", north: 10_000)])), at: t(0))
    _ = engine.handle(live(fix(4, at: 0)), at: t(0))
    let effects = engine.handle(live(fix(4, at: 1)), at: t(1))
    #expect(engine.demand == .off && engine.fencePower?.reason == .far, "\(effects)")
    let rest = engine.fencePower?.rest ?? .zero
    #expect(rest > .seconds(150) && rest < .seconds(180))
    // A wake may be slightly early, because of the previous fix.
    var woken: [Effect] = []
    for _ in 0..<2 where engine.demand == .off {
      woken = engine.handle(.wake, at: Moment(instant: engine.nextWake ?? .start, wall: nil))
    }
    #expect(woken.contains(demandEffect(100)) && engine.fencePower?.reason == .lookAgain)
  }

  @Test func otherDemandsRemainAndTheirFixesAreUsed() {
    var engine = Engine()
    _ = engine.handle(.subscribe(s, .fixes(FixTerms(level: .house, activity: .car))), at: t(0))
    _ = engine.handle(.fences(.add([fence("home")])), at: t(0))
    #expect(engine.demand == .continuous(ContinuousDemand(accuracy: 5, activity: .car)))
    let events = Self.events(Self.drive(&engine, 1...60))
    #expect(events.count == 2)
    _ = engine.handle(.unsubscribe(s), at: t(61))
    #expect(engine.demand == engine.fencePower?.need)
    _ = engine.handle(.fences(.removeAll), at: t(62))
    #expect(engine.demand == .off)
  }

  // MARK: Permission and problem

  @Test func deniedAuthorizationEndsDemandAndRetainsSides() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home")])), at: t(0))
    _ = Self.drive(&engine, 1...30)
    #expect(engine.fenceState(of: "home")?.side == .inside)
    _ = engine.handle(.signal(.authorization(Authorization(.denied))), at: t(31))
    #expect(engine.demand == .off && engine.fencePower?.reason == .unneeded)
    #expect(engine.fenceState(of: "home")?.side == .inside)
    _ = engine.handle(.signal(.authorization(Authorization(.always))), at: t(100))
    #expect(engine.demand != .off)
    let events = Self.events(Self.drive(&engine, 101...110, from: 4000))
    #expect(events.map(\.kind) == [.exit] && events.first?.manner == .unseen)
  }

  @Test func addingAFenceRequestsAuthorization() {
    var engine = Engine(settings: EngineSettings(authorization: .needed(asking: .always)))
    let effects = engine.handle(.fences(.add([fence("home")])), at: t(0))
    #expect(effects.contains(.askAuthorization(.always)))
  }

  @Test func endedSourceGetsNoDemand() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home")])), at: t(0))
    #expect(engine.handle(.signal(.ended), at: t(1)).contains(.demand(.off)))
    #expect(engine.handle(.fences(.add([fence("work")])), at: t(2)).contains(.demand(.off)) == false)
    #expect(engine.demand == .off)
  }

  @Test func newFenceRetriesAFailedSource() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home")])), at: t(0))
    _ = engine.handle(.signal(.failed(SourceProblem(.unreachable, message: "reach it"))), at: t(1))
    #expect(engine.handle(.fences(.add([fence("work")])), at: t(2)).contains(demandEffect(5)))
  }

  // MARK: Time

  @Test func fenceExpiresWithoutAnyFix() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("brief", FenceTerms(expiry: utc(60)))])), at: t(0))
    #expect(engine.nextWake == t(60).instant)
    let effects = engine.handle(.wake, at: t(60))
    #expect(effects.contains(.fence(.removed("brief", because: .expired))))
    #expect(effects.contains(.demand(.off)) && engine.fenceCount == 0)
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
    #expect(Self.events(Self.drive(&before, 1...30)).map(\.kind) == [.enter])
    let off = -1_717_243_200.0
    var engine = Engine()
    _ = engine.handle(.restore(Restoration(fences: before.fenceSnapshot)), at: t(100, wallOff: off))
    _ = engine.handle(live(fix(4, at: nil)), at: t(101, wallOff: off))
    let events = Self.events(
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
        return Self.events(engine.handle(live(moved), at: t(Double(second), wallOff: wallOff))).map(\.kind)
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
    let events = Self.events(
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
      return Self.events(
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

  @Test func restartedTimelineRetainsTheSide() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home")])), at: t(0))
    _ = Self.drive(&engine, 1...30)
    // The recording starts over.
    let again = (0..<10).flatMap {
      engine.handle(
        live(fix(4, at: Double($0) - 10_000, north: -2000 + Double($0) * 10)), at: t(31 + Double($0)))
    }
    #expect(again.contains { if case .decided(.timelineRestarted) = $0 { true } else { false } })
    #expect(Self.events(again).map(\.kind) == [.exit])
  }

  @Test func segmentBeginningElsewhereIsAnUnseenExit() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home")])), at: t(0))
    _ = Self.drive(&engine, 1...30)
    _ = engine.handle(.signal(.segmentBegan), at: t(31))
    let events = Self.events(Self.drive(&engine, 600...610, from: 1000))
    #expect(events.map(\.kind) == [.exit] && events.first?.manner == .unseen)
  }

  // MARK: Initial sides

  @Test(arguments: [[], ["far"]]) func fenceAddedAtTheDeviceIsInsideAtOnce(others: [String]) {
    var engine = Engine()
    _ = engine.handle(.fences(.add(others.map { fence($0, north: 9000) })), at: t(0))
    for second in 0...5 { _ = engine.handle(live(fix(4, at: Double(second))), at: t(Double(second))) }
    _ = engine.handle(.fences(.add([fence("here"), fence("near", north: 300)])), at: t(7))
    #expect(engine.fenceState(of: "here")?.side == .inside)
    #expect(engine.fenceState(of: "near")?.side == .outside)
    _ = engine.handle(.fences(.update([fence("there", north: 20)])), at: t(8))
    #expect(engine.fenceState(of: "there")?.side == .inside)
  }

  @Test func oldFixDoesNotDetermineANewFence() {
    var engine = Engine()
    _ = engine.handle(live(fix(4, at: 0)), at: t(0))
    _ = engine.handle(.fences(.add([fence("here")])), at: t(31))
    #expect(engine.fenceState(of: "here")?.side == .unknown)
  }

  @Test func exitOfAFenceHereIsDetectedAfterRestart() throws {
    var engine = Engine()
    _ = engine.handle(live(fix(4, at: 0)), at: t(0))
    _ = engine.handle(.fences(.add([fence("parking", radius: 50, FenceTerms(once: true))])), at: t(1))
    // The process is killed before the next fix. Another process gets a fix an hour later.
    var next = Engine()
    _ = next.handle(.restore(Restoration(fences: engine.fenceSnapshot)), at: t(3600))
    let effects = (0...3).flatMap {
      next.handle(live(fix(4, at: 3601 + Double($0), north: 5000)), at: t(3601 + Double($0)))
    }
    #expect(Self.events(effects).map(\.kind) == [.exit])
    #expect(effects.contains(.fence(.removed("parking", because: .once))) && next.fenceCount == 0)
  }

  @Test(arguments: [false, true]) func exitSoonAfterARestartIsDetected(hasOtherFence: Bool) {
    var engine = Engine()
    if hasOtherFence { _ = engine.handle(.fences(.add([fence("far", north: 90_000)])), at: t(0)) }
    _ = engine.handle(live(fix(4, at: 0)), at: t(0))
    _ = engine.handle(.fences(.add([fence("parking", radius: 50, FenceTerms(once: true))])), at: t(1))
    // A minute later the device is 300 m away: unlikely for a fix alone, but a person has set the fence here.
    var next = Engine()
    _ = next.handle(.restore(Restoration(fences: engine.fenceSnapshot)), at: t(59))
    let events = (60...70).flatMap { second -> [FenceEvent] in
      let moved = fix(4, at: Double(second), north: 216 + 1.4 * Double(second))
      return Self.events(next.handle(live(moved), at: t(Double(second))))
    }
    #expect(events.map(\.kind) == [.exit])
  }

  @Test(arguments: [1.4, 5, 10, 20, 30], [true, false])
  func drivingAwayFromAFenceHereIsAnExit(speed: Double, isStated: Bool) {
    var engine = Engine()
    _ = engine.handle(live(fix(4, at: 0, speed: isStated ? 0 : nil)), at: t(0))
    _ = engine.handle(.fences(.add([fence("parking", radius: 50, FenceTerms(once: true))])), at: t(1))
    var events: [FenceEvent] = []
    for step in 1...30 {
      let seconds = Double(step) * 5
      var moved = fix(4, at: seconds, north: speed * seconds, speed: isStated ? speed : nil)
      if isStated { moved.course = 0 }
      events += Self.events(engine.handle(live(moved), at: t(seconds)))
    }
    #expect(events.map(\.kind) == [.exit])
    #expect(events.first.map { $0.decided.seconds(since: utc(50 / speed)) <= 20 } ?? false)
  }

  @Test func containingFencesAreThoseWhoseStateIsInside() {
    var engine = Engine(), found: Set<[FenceID]> = []
    func check() {
      let inside = engine.allFences.filter { engine.fenceState(of: $0.id)?.side == .inside }
      #expect(engine.containingFences == inside)
      found.insert(inside.map(\.id))
    }
    let fences = [fence("z"), fence("far", north: 9000), fence("a", north: 50), fence("gone", north: 100)]
    _ = engine.handle(.fences(.add(fences)), at: t(0))
    check()
    for second in 1...60 {
      _ = Self.drive(&engine, second...second)
      if second == 38 { _ = engine.handle(.fences(.remove(["gone"])), at: t(38.5)) }
      check()
    }
    #expect(found.isSuperset(of: [[], ["z"], ["a", "z"], ["a", "gone", "z"], ["a"]]), "\(found)")
  }

  // MARK: Resuming

  @Test(arguments: 1...59) func restoringASnapshotAtAnyStepChangesNoEvents(step: Int) {
    var calm = Engine(), killed = Engine()
    let fences = [fence("home"), fence("gone"), fence("work", north: 150, radius: 60)]
    for command in [FenceCommand.add(fences), .remove(["gone"])] {
      _ = calm.handle(.fences(command), at: t(0))
      _ = killed.handle(.fences(command), at: t(0))
    }
    var expected: [FenceEvent] = [], found: [FenceEvent] = []
    for second in 1...60 {
      if second == step {
        let snapshot = killed.fenceSnapshot
        killed = Engine()
        _ = killed.handle(.restore(Restoration(fences: snapshot)), at: t(Double(second) - 0.5))
        #expect(killed.allFences == calm.allFences)
      }
      expected += Self.events(Self.drive(&calm, second...second))
      found += Self.events(Self.drive(&killed, second...second))
    }
    #expect(found == expected && expected.count == 4)
  }

  /// An engine that has left a fence while the receiver's date was days ahead.
  private static func engineAheadOfTheClock() -> Engine {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home")])), at: t(0))
    for second in stride(from: 0.0, through: 30, by: 1) {
      _ = engine.handle(live(fix(4, at: 300_000 + second, north: 10 * second)), at: t(second))
    }
    return engine
  }

  @Test func earlierRunAheadOfTheClockStopsNoFences() {
    let before = Self.engineAheadOfTheClock()
    #expect(before.fenceState(of: "home")?.side == .outside)
    var engine = Engine()
    _ = engine.handle(.restore(Restoration(fences: before.fenceSnapshot)), at: t(100))
    var events = Self.events(
      (101...110).flatMap { engine.handle(live(fix(4, at: Double($0))), at: t(Double($0))) })
    #expect(events.map(\.kind) == [.enter])
    #expect(engine.fixCounts.accepted == 10 && engine.fixCounts.timelineRestarts == 1)
    events = Self.events(
      (111...140).flatMap {
        engine.handle(live(fix(4, at: Double($0), north: Double($0 - 110) * 10)), at: t(Double($0)))
      })
    #expect(events.map(\.kind) == [.exit])
  }

  /// A crossing while the receiver's date was ahead left the time; fixes with the right date have followed.
  @Test func timeOfAnEarlierRunAheadOfTheClockEndsNoFence() {
    var before = Engine()
    _ = before.handle(.fences(.add([fence("home", FenceTerms(expiry: utc(3_000)))])), at: t(0))
    _ = Self.drive(&before, 1...10)
    let left = Restoration(fences: before.fenceSnapshot, passed: utc(300_000))
    var engine = Engine()
    _ = engine.handle(.restore(left), at: t(20))
    #expect(engine.fenceCount == 1)
    #expect(Self.events(Self.drive(&engine, 21...60)).map(\.kind) == [.enter, .exit])
    // The host's clock is not set.
    engine = Engine()
    _ = engine.handle(.restore(left), at: t(20, wallOff: -1_717_243_200))
    #expect(engine.fenceCount == 0)
  }

  /// A host without a clock battery may be some minutes behind after a boot.
  @Test func stayIsNotRepeatedAfterAStartWithAClockThatIsBehind() {
    var before = Engine(), events: [FenceEvent] = [], logged: [LoggedFix] = []
    _ = before.handle(.fences(.add([fence("home", FenceTerms(dwell: .seconds(600)))])), at: t(0))
    let snapshot = before.fenceSnapshot
    for second in 1...30 {
      events += Self.events(Self.drive(&before, second...second))
      if let fix = before.drainPendingPersistence().fix { logged.append(fix) }
    }
    events += Self.events(before.handle(.wake, at: t(700)))
    #expect(events.map(\.kind) == [.enter, .dwell])
    let left = Restoration(fences: snapshot, since: logged, passed: utc(700), lastEvent: events.last?.id)
    var engine = Engine()
    #expect(Self.events(engine.handle(.restore(left), at: t(1000, wallOff: -700))) == [])
    #expect(Self.events(engine.handle(.wake, at: t(1500, wallOff: -700))) == [])
  }

  @Test func fewEarlierFixesAfterRestartBeginNoTimeline() {
    let before = Self.engineAheadOfTheClock()
    var engine = Engine()
    _ = engine.handle(.restore(Restoration(fences: before.fenceSnapshot)), at: t(100))
    // The receiver's date is wrong again from the third fix on.
    let times: [Double] = [101, 102, 300_103, 300_104, 300_105]
    let effects = times.flatMap { time in
      engine.handle(live(fix(4, at: time, north: 310)), at: t(time < 1000 ? time : time - 300_000))
    }
    #expect(engine.fixCounts.timelineRestarts == 0 && Self.events(effects) == [])
  }

  @Test func decisionsReportTheCauseOfADemandChange() {
    var engine = Engine(), log = DecisionLog(settings: EngineSettings())
    func decide(_ input: Input, _ now: Moment) -> [Decision] {
      log.decisions(after: input, at: now, effects: engine.handle(input, at: now))
    }
    let added = decide(.fences(.add([fence("far", north: 10_000)])), t(0))
    #expect(
      added.contains(
        .demandChanged(
          from: .off, to: .continuous(ContinuousDemand(accuracy: 5)), because: DemandCause(came: .fences))))
    let rested = (0..<3).flatMap { decide(live(fix(4, at: Double($0))), t(Double($0))) }
    #expect(
      rested.contains {
        if case .demandChanged(_, .off, DemandCause(came: nil, left: [.fences])) = $0 { true } else { false }
      }, "\(rested)")
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
      let found = Self.events(effects).map(\.kind)
      if delay == 0 { events = found }
      #expect(found == events, "\(delay) s late")
    }
    #expect(events == kinds)
  }

  /// A process that ends between two parts of a batch changes nothing, whether the fixes are in the snapshot or stored
  /// after it.
  @Test(arguments: [true, false]) func restartBetweenPartsOfABatchChangesNoEvents(hasSnapshot: Bool) {
    func send(_ engine: inout Engine, _ seconds: Range<Int>, at moment: Double) -> ([FenceEvent], [LoggedFix])
    {
      var events: [FenceEvent] = [], logged: [LoggedFix] = []
      for second in seconds {
        let north = (40..<75).contains(second) ? 0.0 : -500
        let input = Input.signal(
          .fix(fix(4, at: Double(second), north: north), age: .sinceTrustedTime))
        events += Self.events(engine.handle(input, at: t(moment)))
        if let fix = engine.drainPendingPersistence().fix { logged.append(fix) }
      }
      return (events, logged)
    }
    let terms = FenceTerms(dwell: .seconds(60))
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home", terms)])), at: t(0))
    let before = engine.fenceSnapshot
    let (first, logged) = send(&engine, 0..<70, at: 3600)
    #expect(first.map(\.kind) == [.enter] && logged.count == 70)
    let left =
      hasSnapshot
      ? Restoration(fences: engine.fenceSnapshot, lastEvent: first.last?.id)
      : Restoration(fences: before, since: logged, lastEvent: first.last?.id)
    var restarted = Engine()
    #expect(Self.events(restarted.handle(.restore(left), at: t(3601))) == [])
    #expect(Self.events(restarted.handle(.wake, at: t(3602))) == [])
    #expect(send(&restarted, 70..<200, at: 3603).0.map(\.kind) == [.exit])
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
    #expect(Self.events(engine.handle(.wake, at: t(3620))) == [])
    #expect(Self.events(engine.handle(.wake, at: t(3680))).map(\.kind) == [.dwell])
  }
}
