import EngineTestSupport
import Testing
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsEngine

/// Fences of an engine whose permission ends while it runs.
@Suite struct EngineFencePermissionTests {
  /// An engine whose device is inside of two fences and has left a third one. Each has an event that is due without a
  /// fix after a minute.
  private static func engineInside() -> Engine {
    var engine = Engine()
    let fences = [
      fence("dwell", FenceTerms(dwell: .seconds(60))),
      fence("enter", FenceTerms(enterDwell: .seconds(60))),
      fence("exit", north: -250, radius: 60, FenceTerms(exitDwell: .seconds(60))),
    ]
    _ = engine.handle(.fences(.add(fences)), at: t(0))
    _ = EngineFenceTests.drive(&engine, 1...30)
    return engine
  }

  /// Sends wakes, and fixes in the middle of the fences where the device rests.
  private static func rest(
    _ engine: inout Engine, _ seconds: ClosedRange<Int>, hasFixes: Bool = false
  ) -> [FenceEvent] {
    EngineFenceTests.events(
      seconds.flatMap { second in
        engine.handle(hasFixes ? live(fix(4, at: Double(second))) : .wake, at: t(Double(second)))
      })
  }

  private static let refusals: [Authorization.Status] = [
    .denied, .restricted, .servicesDisabled, .notDetermined,
  ]

  @Test func staysAreReportedWithPermission() {
    var engine = Self.engineInside()
    let events = Self.rest(&engine, 31...120)
    #expect(events.map(\.fence).sorted() == ["dwell", "enter", "exit"])
  }

  @Test(arguments: refusals) func noStayIsReportedAfterARefusal(status: Authorization.Status) {
    var engine = Self.engineInside()
    #expect(engine.fenceState(of: "dwell")?.side == .inside)
    let refusal = engine.handle(.signal(.authorization(Authorization(status))), at: t(31))
    #expect(EngineFenceTests.events(refusal) == [])
    #expect(Self.rest(&engine, 32...200) == [])
    for id in ["dwell", "enter", "exit"] {
      #expect(engine.fenceState(of: FenceID(id)) == FenceState(side: .unknown))
    }
    #expect(engine.containingFences == [] && engine.fenceCount == 3)
    let isPending = engine.hasPendingResult()
    #expect(!isPending)
  }

  /// The device may have left and come back while fixes were refused.
  @Test(arguments: refusals, [true, false])
  func staysBeginAgainAfterTheGrant(status: Authorization.Status, isRestarted: Bool) throws {
    var engine = Self.engineInside()
    _ = engine.handle(.signal(.authorization(Authorization(status))), at: t(31))
    if isRestarted {
      let left = Restoration(fences: engine.fenceSnapshot)
      engine = Engine()
      _ = engine.handle(.restore(left), at: t(150))
      _ = engine.handle(.signal(.authorization(Authorization(status))), at: t(150))
    }
    _ = engine.handle(.signal(.authorization(Authorization(.always))), at: t(200))
    // The side is the one that was stored, and nobody knows for how long.
    let state = try #require(engine.fenceState(of: "dwell"))
    #expect(state.side == .inside && state.since == nil)
    #expect(Self.rest(&engine, 201...300) == [])
    #expect(Self.rest(&engine, 301...340, hasFixes: true) == [])
    #expect(engine.fenceState(of: "dwell")?.since == utc(301))
    let events = Self.rest(&engine, 341...370)
    #expect(events.map(\.fence).sorted() == ["dwell", "enter", "exit"])
    #expect(events.allSatisfy { $0.decided == utc(361) && $0.firstAfter >= utc(301) })
    #expect(events.first { $0.kind == .dwell }?.time == utc(361))
  }

  @Test func deviceThatLeftDuringARefusalHasNoStay() {
    var engine = Self.engineInside()
    _ = engine.handle(.signal(.authorization(Authorization(.denied))), at: t(31))
    _ = engine.handle(.signal(.authorization(Authorization(.always))), at: t(1_000))
    let events = EngineFenceTests.events(
      (1_001...1_020).flatMap {
        engine.handle(live(fix(4, at: Double($0), north: 5_000 + Double($0))), at: t(Double($0)))
      })
    // The device had entered "enter" too shortly, and left "exit" for an unknown time.
    #expect(events.filter { $0.kind != .exit } == [])
    #expect(events.contains { $0.fence == "dwell" && $0.manner == .unseen })
  }

  @Test func fenceExpiresDuringARefusal() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("brief", FenceTerms(expiry: utc(60)))])), at: t(0))
    _ = EngineFenceTests.drive(&engine, 1...30)
    _ = engine.handle(.signal(.authorization(Authorization(.denied))), at: t(31))
    #expect(engine.nextWake == t(60).instant)
    let effects = engine.handle(.wake, at: t(60))
    #expect(effects.contains(.fence(.removed("brief", because: .expired))) && engine.fenceCount == 0)
  }
}
