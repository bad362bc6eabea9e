import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Fences of an engine that resumes the state of another process.
@Suite struct EngineFenceResumingTests {
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
      expected += EngineFenceTests.events(EngineFenceTests.drive(&calm, second...second))
      found += EngineFenceTests.events(EngineFenceTests.drive(&killed, second...second))
    }
    #expect(found == expected && expected.count == 4)
  }

  /// Late fixes begin with a state of earlier fixes, which has the fences from before the change.
  @Test(arguments: 0...5) func changeOfFencesLeavesTheStateOfEarlierFixes(change: Int) {
    var engine = Engine()
    let brief = fence("brief", FenceTerms(expiry: utc(62)))
    _ = engine.handle(.fences(.add([fence("home"), brief])), at: t(0))
    for second in stride(from: 1.0, through: 30, by: 1) {
      _ = engine.handle(live(fix(4, at: second, north: second)), at: t(second))
    }
    let before = engine.fenceWatch
    var shared = engine.fenceRegistry
    shared.update(fence("other"))
    let input: Input =
      [
        .fences(.add([fence("new")])), .fences(.update([fence("home", radius: 50)])),
        .fences(.remove(["home"])), .fences(.removeAll), .fences(.share(shared)), .wake,
      ][change]
    // The last fix is too old for the side of a new fence. The fence with an expiry ends with the wake alone.
    _ = engine.handle(input, at: t(input == .wake ? 63 : 61))
    #expect(engine.fenceWatch == before)
    #expect(engine.fenceRegistry.count != 2 || change == 1)
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
    var events = EngineFenceTests.events(
      (101...110).flatMap { engine.handle(live(fix(4, at: Double($0))), at: t(Double($0))) })
    #expect(events.map(\.kind) == [.enter])
    #expect(engine.fixCounts.accepted == 10 && engine.fixCounts.timelineRestarts == 1)
    events = EngineFenceTests.events(
      (111...140).flatMap {
        engine.handle(live(fix(4, at: Double($0), north: Double($0 - 110) * 10)), at: t(Double($0)))
      })
    #expect(events.map(\.kind) == [.exit])
  }

  /// A crossing while the receiver's date was ahead left the time; fixes with the right date have followed.
  @Test func timeOfAnEarlierRunAheadOfTheClockEndsNoFence() {
    var before = Engine()
    _ = before.handle(.fences(.add([fence("home", FenceTerms(expiry: utc(3_000)))])), at: t(0))
    _ = EngineFenceTests.drive(&before, 1...10)
    let left = Restoration(fences: before.fenceSnapshot, passed: utc(300_000))
    var engine = Engine()
    _ = engine.handle(.restore(left), at: t(20))
    #expect(engine.fenceCount == 1)
    #expect(EngineFenceTests.events(EngineFenceTests.drive(&engine, 21...60)).map(\.kind) == [.enter, .exit])
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
      events += EngineFenceTests.events(EngineFenceTests.drive(&before, second...second))
      if let fix = before.drainPendingPersistence().fix { logged.append(fix) }
    }
    events += EngineFenceTests.events(before.handle(.wake, at: t(700)))
    #expect(events.map(\.kind) == [.enter, .dwell])
    let left = Restoration(fences: snapshot, since: logged, passed: utc(700), lastEvent: events.last?.id)
    var engine = Engine()
    #expect(EngineFenceTests.events(engine.handle(.restore(left), at: t(1000, wallOff: -700))) == [])
    #expect(EngineFenceTests.events(engine.handle(.wake, at: t(1500, wallOff: -700))) == [])
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
    #expect(engine.fixCounts.timelineRestarts == 0 && EngineFenceTests.events(effects) == [])
  }

  /// The replay finds an event that was not reported, such as after an upgrade.
  @Test func fenceForOneEventEndsWithAnEventOfTheReplay() throws {
    var before = Engine(), logged: [LoggedFix] = [], events: [FenceEvent] = []
    _ = before.handle(.fences(.add([fence("home", FenceTerms(once: true))])), at: t(0))
    let snapshot = before.fenceSnapshot
    for second in 1...30 {
      events += EngineFenceTests.events(EngineFenceTests.drive(&before, second...second))
      if let fix = before.drainPendingPersistence().fix { logged.append(fix) }
    }
    try #require(events.map(\.kind) == [.enter])
    var engine = Engine()
    let effects = engine.handle(.restore(Restoration(fences: snapshot, since: logged)), at: t(31))
    #expect(EngineFenceTests.events(effects).map(\.kind) == [.enter] && engine.fenceCount == 0)
    #expect(effects.contains(.fence(.removed("home", because: .once))))
    let pending = engine.drainPendingPersistence()
    #expect(pending.endedFences.map(\.fence.id) == ["home"] && pending.isSnapshotStale)
  }

  /// Fences that devices share may be stored before the state of a device that watches them.
  @Test func storedFixesCrossNoFenceThatWasAddedAfterThem() throws {
    var owner = FenceRegistry()
    try owner.add(fence("work", north: 5_000))
    var before = Engine(), logged: [LoggedFix] = []
    _ = before.handle(.fences(.share(owner)), at: t(0))
    let snapshot = before.snapshot
    for second in 1...60 {
      _ = EngineFenceTests.drive(&before, second...second)
      if let fix = before.drainPendingPersistence().fix { logged.append(fix) }
    }
    try owner.add(fence("home"))
    let fences = FenceSnapshot(
      owner, try #require(snapshot.watch), knownSerial: snapshot.fenceSerial, wakePlanner: nil)
    var engine = Engine()
    let restored = engine.handle(
      .restore(Restoration(fences: fences, since: logged, lastFix: logged.last?.fix)), at: t(61))
    #expect(EngineFenceTests.events(restored) == [] && logged.count > 50)
    #expect(engine.allFences.map(\.id) == ["home", "work"])
    // The state that knows the fence is stored at once.
    let pending = engine.drainPendingPersistence()
    #expect(pending.isSnapshotStale && engine.snapshot.fenceSerial == owner.newestSerial)
    let back = (62...92).flatMap {
      engine.handle(live(fix(4, at: Double($0), north: Double(92 - $0) * 10)), at: t(Double($0)))
    }
    #expect(EngineFenceTests.events(back).map(\.kind) == [.enter])
  }

  /// The owner of shared fences may store another area before a device stores the event.
  @Test(arguments: [true, false])
  func crossingThatWaitsIsReportedAfterARestartAlthoughItsFenceHasMoved(hasFixesSince: Bool) throws {
    let terms = FenceTerms(responsiveness: .seconds(10))
    var owner = FenceRegistry()
    try owner.add(fence("home", terms))
    var before = Engine(), snapshot = EngineSnapshot(), logged: [LoggedFix] = []
    _ = before.handle(.fences(.share(owner)), at: t(0))
    for second in 1...24 {
      #expect(EngineFenceTests.events(EngineFenceTests.drive(&before, second...second)).isEmpty)
      let pending = before.drainPendingPersistence()
      if let fix = pending.fix { logged.append(fix) }
      if pending.isSnapshotStale { (snapshot, logged) = (before.snapshot, []) }
    }
    // The snapshot is of the fix that decided the crossing.
    #expect((1...4).contains(logged.count))
    if !hasFixesSince { (snapshot, logged) = (before.snapshot, []) }
    owner.update(fence("home", north: 9000, terms))
    let events = EngineFenceTests.events(before.handle(.fences(.share(owner)), at: t(24.5)))
    try #require(events.map(\.kind) == [.enter])
    let fences = FenceSnapshot(
      owner, try #require(snapshot.watch), knownSerial: snapshot.fenceSerial,
      waitingFences: snapshot.waitingFences, wakePlanner: nil)
    var left = Restoration(fences: fences, since: logged), engine = Engine()
    #expect(EngineFenceTests.events(engine.handle(.restore(left), at: t(24.5))) == events)
    #expect(engine.fenceRegistry == owner)
    #expect(EngineFenceTests.events(EngineFenceTests.drive(&engine, 25...60)).isEmpty)
    #expect(engine.snapshot.waitingFences == nil)
    // The event is stored.
    left.lastEvent = events[0].id
    engine = Engine()
    #expect(EngineFenceTests.events(engine.handle(.restore(left), at: t(24.5))).isEmpty)
  }

  /// A crossing waits at the earlier area, which expires in the replay. The area that the fence has now does not expire.
  @Test func endOfAnEarlierAreaInAReplayIsNoEndOfItsFence() throws {
    let moved = fence("home", north: 9000)
    var owner = FenceRegistry(), before = Engine(), engine = Engine()
    try owner.add(fence("home", FenceTerms(expiry: utc(30), responsiveness: .seconds(5))))
    _ = before.handle(.fences(.share(owner)), at: t(0))
    _ = EngineFenceTests.drive(&before, 1...23)
    let snapshot = before.snapshot
    try #require(snapshot.waitingFences == owner)
    owner.update(moved)
    let fences = FenceSnapshot(
      owner, try #require(snapshot.watch), knownSerial: snapshot.fenceSerial,
      waitingFences: snapshot.waitingFences, wakePlanner: nil)
    let later = (24...35).map { LoggedFix(fix(4, at: Double($0), north: -300 + Double($0) * 10)) }
    let left = Restoration(fences: fences, since: later, passed: utc(35))
    let effects = engine.handle(.restore(left), at: t(60))
    #expect(EngineFenceTests.events(effects).map(\.kind) == [.enter])
    #expect(!effects.contains(.fence(.removed("home", because: .expired))))
    #expect(engine.allFences == [moved] && engine.drainPendingPersistence().endedFences.isEmpty)
  }

  /// The owner of shared fences may store another term before a device stores its state. The term that the fence has
  /// when an event is reported counts.
  @Test(arguments: [true, false], [15, 23, 25, 27, 30, 43, 45, 50, 64])
  func changeOfTheTermForOneEventLosesAndRepeatsNoEvent(isOnceBefore: Bool, edit: Int) throws {
    /// The events of a drive through the fence and back, and the seconds at which they are reported.
    func drive(once: [Bool], killedAt kill: Int? = nil) throws -> [(second: Int, event: FenceEvent)] {
      let stages = once.map { fence("home", FenceTerms(once: $0, responsiveness: .seconds(5))) }
      var owner = FenceRegistry(), engine = Engine(), logged: [LoggedFix] = []
      var reported: [(second: Int, event: FenceEvent)] = []
      try owner.add(stages[0])
      _ = engine.handle(.fences(.share(owner)), at: t(0))
      let snapshot = engine.snapshot
      for second in 1...95 {
        var effects: [Effect] = []
        if second == edit, owner.fence("home") != nil {
          owner.update(stages[1])
          effects += engine.handle(.fences(.share(owner)), at: t(Double(second) - 0.7))
        }
        if second == kill {
          let fences = FenceSnapshot(
            owner, try #require(snapshot.watch), knownSerial: snapshot.fenceSerial, wakePlanner: nil)
          let left = Restoration(
            fences: fences, since: logged, lastEvent: reported.last?.event.id, lastFix: logged.last?.fix)
          engine = Engine()
          effects += engine.handle(.restore(left), at: t(Double(second) - 0.5))
        }
        let north = Double(second <= 50 ? second * 10 - 300 : 700 - second * 10)
        effects += engine.handle(live(fix(4, at: Double(second), north: north)), at: t(Double(second)))
        reported += EngineFenceTests.events(effects).map { (second: second, event: $0) }
        let pending = engine.drainPendingPersistence()
        if let fix = pending.fix { logged.append(fix) }
        for ended in pending.endedFences { owner.remove(ended.fence.id) }
      }
      return reported
    }
    let all = try drive(once: [false, false])
    try #require(all.map(\.event.kind) == [.enter, .exit, .enter, .exit])
    let last = all.firstIndex { ($0.second < edit) == isOnceBefore } ?? all.count - 1
    let expected = all[...last].map(\.event)
    let terms = [isOnceBefore, !isOnceBefore]
    #expect(try drive(once: terms).map(\.event) == expected)
    for kill in stride(from: edit, through: edit + 20, by: 2) {
      #expect(try drive(once: terms, killedAt: kill).map(\.event) == expected, "killed at \(kill)")
    }
  }

  /// Another process derives a stay from no fix. The enter before it may still wait.
  @Test func stayThatBeginsToWaitIsStoredAtOnce() {
    var engine = Engine(), isUrgent = false
    let home = fence("home", FenceTerms(dwell: .seconds(4), responsiveness: .seconds(5)))
    _ = engine.handle(.fences(.add([home])), at: t(0))
    for second in 1...23 {
      _ = EngineFenceTests.drive(&engine, second...second)
      isUrgent = engine.drainPendingPersistence().isSnapshotUrgent || isUrgent
    }
    #expect(isUrgent, "the enter waits")
    #expect(EngineFenceTests.events(engine.handle(.wake, at: t(24.9))).isEmpty)
    #expect(engine.drainPendingPersistence().isSnapshotUrgent)
    let events = EngineFenceTests.events(engine.handle(.wake, at: t(40)))
    #expect(events.map(\.kind) == [.enter, .dwell])
  }

  /// A fence that devices share may move while no engine of the device runs. States of earlier versions do not have the
  /// fences of the events that wait.
  @Test func crossingThatWaitsIsNoneOfTheFenceThatHasMovedSince() throws {
    let terms = FenceTerms(responsiveness: .seconds(10))
    var owner = FenceRegistry()
    try owner.add(fence("home", terms))
    var before = Engine()
    _ = before.handle(.fences(.share(owner)), at: t(0))
    #expect(EngineFenceTests.events(EngineFenceTests.drive(&before, 1...23)).isEmpty)
    let snapshot = before.snapshot
    owner.update(fence("home", north: 9000, terms))
    let fences = FenceSnapshot(
      owner, try #require(snapshot.watch), knownSerial: snapshot.fenceSerial, wakePlanner: nil)
    var engine = Engine()
    let restored = engine.handle(.restore(Restoration(fences: fences)), at: t(23.5))
    #expect(EngineFenceTests.events(restored + EngineFenceTests.drive(&engine, 24...40)).isEmpty)
    // The crossing comes where the fence stays.
    #expect(EngineFenceTests.events(EngineFenceTests.drive(&before, 24...30)).map(\.kind) == [.enter])
  }

  /// The owner of shared fences may pass them on, with another one, before it knows that one has ended.
  @Test func fenceThatEndedAfterARestartIsNotSharedAgain() throws {
    var owner = FenceRegistry()
    try owner.add(fence("home", FenceTerms(once: true)))
    var before = Engine()
    _ = before.handle(.fences(.share(owner)), at: t(0))
    let snapshot = before.snapshot
    let fences = FenceSnapshot(
      owner, try #require(snapshot.watch), knownSerial: snapshot.fenceSerial, wakePlanner: nil)
    var engine = Engine()
    _ = engine.handle(.restore(Restoration(fences: fences)), at: t(0))
    let events = EngineFenceTests.events(EngineFenceTests.drive(&engine, 1...30))
    try #require(events.map(\.kind) == [.enter] && engine.fenceCount == 0)
    try owner.add(fence("work", north: 5_000))
    _ = engine.handle(.fences(.share(owner)), at: t(31))
    #expect(engine.allFences.map(\.id) == ["work"])
    #expect(EngineFenceTests.events(EngineFenceTests.drive(&engine, 32...60)) == [])
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
        events += EngineFenceTests.events(engine.handle(input, at: t(moment)))
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
    #expect(EngineFenceTests.events(restarted.handle(.restore(left), at: t(3601))) == [])
    #expect(EngineFenceTests.events(restarted.handle(.wake, at: t(3602))) == [])
    #expect(send(&restarted, 70..<200, at: 3603).0.map(\.kind) == [.exit])
  }
}
