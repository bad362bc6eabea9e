import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine

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
    let changed = FenceRegistry(
      [fence("work", north: 5_000), fence("home")], serials: [serial + 1, serial], lastSerial: 9)
    _ = engine.handle(.fences(.share(changed)), at: t(30))
    #expect(engine.fenceState(of: "home")?.side == .inside && engine.fenceCount == 2)
    #expect(Self.events(Self.drive(&engine, 31...60)).map(\.kind) == [.exit])
  }

  /// Each device of a server has an engine with the same fences. A copy for each device would fill the memory. Only
  /// optimized code could copy them.
  @Test func sharedRegistryIsNotCopied() throws {
    func address(_ registry: FenceRegistry) -> UnsafeRawPointer? {
      registry.entries.withUnsafeBytes { $0.baseAddress }
    }
    var owner = FenceRegistry()
    try owner.add(fence("home"))
    var engine = Engine()
    _ = engine.handle(.fences(.share(owner)), at: t(0))
    #expect(address(engine.fenceRegistry) == address(owner))
    #expect(Self.events(Self.drive(&engine, 1...60)).map(\.kind) == [.enter, .exit])
    #expect(address(engine.fenceRegistry) == address(owner))
  }

  @Test func fenceThatEndedHereIsNotSharedAgain() throws {
    var owner = FenceRegistry()
    var once = fence("home")
    once.terms.once = true
    try owner.add(once)
    var engine = Engine()
    _ = engine.handle(.fences(.share(owner)), at: t(0))
    var events: [FenceEvent] = [], ended: [Fence] = []
    for second in 1...40 {
      events += Self.events(Self.drive(&engine, second...second))
      ended += engine.drainPendingPersistence().endedFences.map(\.fence)
    }
    #expect(events.count == 1 && ended == [once] && engine.fenceCount == 0)
    _ = engine.handle(.fences(.share(owner)), at: t(40))
    #expect(engine.fenceCount == 0 && owner.count == 1)
    // A fence added later with the same id is a different fence.
    owner.remove("home")
    try owner.add(fence("home"))
    _ = engine.handle(.fences(.share(owner)), at: t(41))
    #expect(engine.fenceCount == 1)
  }

  /// Otherwise an engine with fences of its own would need more memory with each fence that ends.
  @Test(arguments: [true, false]) func engineForgetsItsEndedFencesWithTheNextOne(isAdded: Bool) throws {
    var once = fence("home")
    once.terms.once = true
    var engine = Engine()
    _ = engine.handle(.fences(.add([once])), at: t(0))
    let events = Self.events(Self.drive(&engine, 1...30))
    try #require(events.map(\.kind) == [.enter] && engine.fenceCount == 0)
    let next = [fence("work", north: 5_000)]
    _ = engine.handle(.fences(isAdded ? .add(next) : .update(next)), at: t(30))
    // The same id and serial in a registry of others.
    var owner = FenceRegistry()
    try owner.add(fence("home"))
    _ = engine.handle(.fences(.share(owner)), at: t(31))
    #expect(engine.fence("home") == fence("home"))
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

  @Test func coarseFixDoesNotExtendTheRest() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("far", north: 10_000)])), at: t(0))
    for second in [0.0, 1] { _ = engine.handle(live(fix(4, at: second)), at: t(second)) }
    // Of a cell tower, requested by others. The device may have come nearer.
    _ = engine.handle(live(fix(6_000, at: 150)), at: t(150))
    #expect(engine.fencePower?.reason == .far)
    _ = engine.handle(.wake, at: t(190))
    #expect(engine.fencePower?.reason == .lookAgain && engine.demand == engine.fencePower?.need)
    // Another one answers nothing.
    _ = engine.handle(live(fix(6_000, at: 191)), at: t(191))
    #expect(engine.fencePower?.reason == .lookAgain)
    _ = engine.handle(live(fix(4, at: 192)), at: t(192))
    #expect(engine.fencePower?.reason == .far && engine.demand == .off)
  }

  @Test func otherDemandsRemainAndTheirFixesAreUsed() {
    var engine = Engine()
    _ = engine.handle(.subscribe(s, .fixes(FixTerms(level: .house, activity: .car))), at: t(0))
    _ = engine.handle(.fences(.add([fence("home")])), at: t(0))
    #expect(engine.demand == .continuous(Demand.Continuous(accuracy: 5, activity: .car)))
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
    #expect(engine.fenceState(of: "home")?.side == .unknown)
    _ = engine.handle(.signal(.authorization(Authorization(.always))), at: t(100))
    #expect(engine.demand != .off && engine.fenceState(of: "home")?.side == .inside)
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

  // MARK: Changes

  /// The ways to replace a fence by one of the same id elsewhere.
  static let replacements: [[FenceCommand]] = [
    [.update([fence("home", north: 9000)])],
    [.remove(["home"]), .add([fence("home", north: 9000)])],
    [.share(registry(fence("home", north: 9000)))],
  ]

  /// A registry whose fence has another serial than that of an engine with one fence.
  private static func registry(_ fence: Fence) -> FenceRegistry {
    var registry = FenceRegistry()
    registry.add(contentsOf: [WhereaboutsEngineTests.fence("other", north: 90_000)])
    registry.update(fence)
    return registry
  }

  @Test(arguments: replacements) func lateFixWithdrawsNoEventOfAFenceThatHasMoved(commands: [FenceCommand]) {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home")])), at: t(0))
    #expect(Self.events(Self.drive(&engine, 1...25)).map(\.kind) == [.enter])
    for command in commands { _ = engine.handle(.fences(command), at: t(25.2)) }
    let effects = engine.handle(live(fix(4, at: 24.5, north: -55)), at: t(25.5))
    #expect(!effects.contains { if case .fence(.revised) = $0 { true } else { false } })
  }

  @Test func lateFixWithdrawsNoEventOfAFenceThatEndedAndIsAddedAgain() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home", FenceTerms(once: true))])), at: t(0))
    #expect(Self.events(Self.drive(&engine, 1...25)).map(\.kind) == [.enter])
    #expect(engine.fenceCount == 0)
    _ = engine.handle(.fences(.add([fence("home", north: 9000)])), at: t(25.2))
    let effects = engine.handle(live(fix(4, at: 24.5, north: -55)), at: t(25.5))
    #expect(!effects.contains { if case .fence(.revised) = $0 { true } else { false } })
  }

  @Test func crossingThatWaitsIsReportedBeforeItsFenceMoves() {
    var engine = Engine()
    _ = engine.handle(
      .fences(.add([fence("home", FenceTerms(responsiveness: .seconds(10)))])), at: t(0))
    #expect(Self.events(Self.drive(&engine, 1...23)).isEmpty)
    let moved = fence("home", north: 9000, FenceTerms(reportsInitialSide: true, responsiveness: .seconds(10)))
    #expect(Self.events(engine.handle(.fences(.update([moved])), at: t(23.5))).map(\.kind) == [.enter])
    #expect(Self.events(Self.drive(&engine, 24...60)).isEmpty)
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

  @Test func decisionsReportTheCauseOfADemandChange() {
    var engine = Engine(), log = DecisionLog(settings: EngineSettings())
    func decide(_ input: Input, _ now: Moment) -> [Decision] {
      log.decisions(after: input, at: now, effects: engine.handle(input, at: now))
    }
    let added = decide(.fences(.add([fence("far", north: 10_000)])), t(0))
    #expect(
      added.contains(
        .demandChanged(
          from: .off, to: .continuous(Demand.Continuous(accuracy: 5)),
          because: Decision.DemandCause(came: .fences))))
    let rested = (0..<3).flatMap { decide(live(fix(4, at: Double($0))), t(Double($0))) }
    #expect(
      rested.contains {
        if case .demandChanged(_, .off, Decision.DemandCause(came: nil, left: [.fences])) = $0 {
          true
        } else {
          false
        }
      }, "\(rested)")
  }
}
