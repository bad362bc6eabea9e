import EngineTestSupport
import Testing
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsEngine

/// Stays of fences over a time in which no process ran.
@Suite struct EngineFenceOutageTests {
  /// An engine whose device is in the fence since 20 s, and drives on at 10 m/s to its boundary at 40 s.
  private static func engine(_ terms: FenceTerms, until second: Int = 38) -> Engine {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home", terms)])), at: t(0))
    _ = EngineFenceTests.drive(&engine, 1...second)
    return engine
  }

  /// Restores the state of an engine after hours, and sends wakes without fixes.
  private static func restart(
    _ engine: inout Engine, silenceIsRest: Bool? = nil
  ) -> [FenceEvent] {
    var left = Restoration(fences: engine.fenceSnapshot)
    left.silenceIsRest = silenceIsRest
    engine = Engine()
    let effects = engine.handle(.restore(left), at: t(36_000))
    return EngineFenceTests.events(
      effects + engine.handle(.wake, at: t(36_001)) + engine.handle(.wake, at: t(36_600)))
  }

  /// Sends fixes at a place after the restart.
  private static func arrive(_ engine: inout Engine, north: Double) -> [FenceEvent] {
    EngineFenceTests.events(
      (36_601...36_610).flatMap {
        engine.handle(live(fix(4, at: Double($0), north: north)), at: t(Double($0)))
      })
  }

  @Test(arguments: [
    (FenceTerms(dwell: .seconds(600)), [FenceEvent.Kind.exit]), (FenceTerms(enterDwell: .seconds(600)), []),
  ])
  func stayThatTheNextFixContradictsIsNone(terms: FenceTerms, kinds: [FenceEvent.Kind]) {
    var engine = Self.engine(terms)
    let silent = Self.restart(&engine)
    #expect(silent == [])
    let events = Self.arrive(&engine, north: 100_000)
    #expect(events.map(\.kind) == kinds && events.allSatisfy { $0.manner == .unseen })
  }

  @Test(arguments: [
    (FenceTerms(dwell: .seconds(600)), FenceEvent.Kind.dwell, 620.0),
    (FenceTerms(enterDwell: .seconds(600)), .enter, 20),
  ])
  func stayThatTheNextFixConfirmsHasItsTime(
    terms: FenceTerms, kind: FenceEvent.Kind, time: Double
  ) throws {
    var engine = Self.engine(terms)
    let silent = Self.restart(&engine)
    #expect(silent == [])
    let events = Self.arrive(&engine, north: 0)
    try #require(events.map(\.kind) == [kind])
    #expect(abs(events[0].time.seconds(since: utc(time))) < 1 && events[0].decided >= utc(36_601))
  }

  @Test func absenceWaitsForAFixAfterARestart() {
    let terms = FenceTerms(exitDwell: .seconds(600))
    var engine = Self.engine(terms, until: 60)
    let silent = Self.restart(&engine)
    #expect(silent == [])
    #expect(Self.arrive(&engine, north: 5_000).map(\.kind) == [.exit])
  }

  /// A Saturday at 12:00.
  @Test func heldBackEventWaitsForAFixAfterARestart() {
    let hours = ActiveHours([.init(start: 5 * 1440 + 12 * 60 + 10, minutes: 600)])
    var engine = Self.engine(FenceTerms(activeHours: hours), until: 30)
    let silent = Self.restart(&engine)
    #expect(silent == [])
    #expect(Self.arrive(&engine, north: 0).map(\.kind) == [.enter])
  }

  /// Without a restart, a stay goes on through a gap of this length.
  @Test func stayThatIsLongEnoughWithinTheGapIsReportedAtOnce() {
    var engine = Self.engine(FenceTerms(dwell: .seconds(70)))
    let events = Self.restart(&engine)
    #expect(events.map(\.kind) == [.dwell])
  }

  /// The fence expires after the stay, and whether fixes are allowed is not known at the restart.
  @Test func stayBeforeAnExpiryIsReportedAfterTheGrant() {
    var engine = Self.engine(FenceTerms(dwell: .seconds(70), expiry: utc(1_000)))
    let left = Restoration(fences: engine.fenceSnapshot)
    engine = Engine(settings: EngineSettings(authorization: .needed(asking: nil)))
    let silent = EngineFenceTests.events(engine.handle(.restore(left), at: t(36_000)))
    #expect(silent == [] && engine.fenceCount == 1)
    let grant = engine.handle(.signal(.authorization(Authorization(.always))), at: t(36_001))
    #expect(EngineFenceTests.events(grant).map(\.kind) == [.dwell] && engine.fenceCount == 0)
  }

  /// A phone sends nothing to its server while it rests.
  @Test func stayOfAPhoneGoesOnAfterARestart() {
    var engine = Self.engine(FenceTerms(dwell: .seconds(600)), until: 30)
    #expect(Self.restart(&engine, silenceIsRest: true).map(\.kind) == [.dwell])
  }

  @Test func lateFixDoesNotEndTheWait() {
    var engine = Self.engine(FenceTerms(dwell: .seconds(600)))
    let silent = Self.restart(&engine)
    #expect(silent == [])
    let late = Input.signal(.fix(fix(4, at: 37.5, north: 75), age: .sinceTrustedTime))
    #expect(EngineFenceTests.events(engine.handle(late, at: t(36_600.2))) == [])
    #expect(EngineFenceTests.events(engine.handle(.wake, at: t(36_600.4))) == [])
    #expect(Self.arrive(&engine, north: 0).map(\.kind) == [.dwell])
  }

  /// A third process replays the fixes of the second one.
  @Test func replayAfterAnOutageReportsTheSameEvents() {
    var engine = Self.engine(FenceTerms(dwell: .seconds(600)))
    let silent = Self.restart(&engine)
    #expect(silent == [])
    let pending = engine.drainPendingPersistence()
    #expect(pending.isSnapshotStale)
    let snapshot = engine.fenceSnapshot
    var events: [FenceEvent] = [], logged: [LoggedFix] = []
    for second in 36_601...36_610 {
      let far = fix(4, at: Double(second), north: 100_000)
      events += EngineFenceTests.events(engine.handle(live(far), at: t(Double(second))))
      if let fix = engine.drainPendingPersistence().fix { logged.append(fix) }
    }
    #expect(events.map(\.kind) == [.exit] && logged.count == 10)
    var next = Engine()
    let left = Restoration(fences: snapshot, since: logged)
    #expect(EngineFenceTests.events(next.handle(.restore(left), at: t(40_000))) == events)
  }

  @Test func restartWithoutStaysStoresNothing() {
    var engine = Self.engine(FenceTerms())
    let silent = Self.restart(&engine)
    #expect(silent == [])
    let pending = engine.drainPendingPersistence()
    #expect(!pending.isSnapshotStale)
  }
}
