import Testing
import WhereaboutsEngine
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

/// The regions of a demand, and the platform's wakes.
@Suite struct EngineWakeTests {
  /// Makes an engine that rests far from a fence, with a source that watches regions.
  private static func resting() -> Engine {
    var engine = Engine()
    _ = engine.handle(.signal(.wakeCapacity(20)), at: t(0))
    _ = engine.handle(.fences(.add([fence("far", north: 10_000)])), at: t(0))
    for second in 0...1 { _ = engine.handle(live(fix(4, at: Double(second))), at: t(Double(second))) }
    return engine
  }

  @Test func sourceWithoutCapacityReceivesNoRegions() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("far", north: 10_000)])), at: t(0))
    let effects = (0...1).flatMap { engine.handle(live(fix(4, at: Double($0))), at: t(Double($0))) }
    #expect(engine.demand == .off)
    #expect(!effects.contains { if case .decided(.wakeRegionsChanged) = $0 { true } else { false } })
  }

  @Test func regionsAreWatchedWhileTheReceiverRests() throws {
    var engine = Self.resting()
    let demand = engine.demand
    #expect(demand.fixes == .off && demand.headings == nil)
    #expect(demand.wakeRegions.map(\.crossing) == [.exit, .enter])
    #expect(engine.receiverUsage(at: t(2)) == nil)
    let effects = engine.handle(.fences(.remove(["far"])), at: t(2))
    #expect(effects.contains(.demand(.off)))
    #expect(effects.contains(.decided(.wakeRegionsChanged(count: 0, isCrowded: false))))
  }

  @Test func lostCapacityEndsTheRegions() {
    var engine = Self.resting()
    #expect(engine.handle(.signal(.wakeCapacity(0)), at: t(2)).contains(.demand(.off)))
    _ = engine.handle(.signal(.wakeCapacity(1)), at: t(3))
    #expect(engine.demand.wakeRegions.map(\.crossing) == [.exit])
  }

  @Test func statedRadiusOfThePlatformLimitsTheRegions() {
    var engine = Self.resting()
    #expect(engine.demand.wakeRegions.contains { $0.circle.radius > 5000 })
    _ = engine.handle(.signal(.wakeCapacity(20, greatestRadius: 5000)), at: t(2))
    let radii = engine.demand.wakeRegions.map(\.circle.radius)
    #expect(radii.count == 2 && radii.allSatisfy { $0 <= 5000 })
  }

  @Test func wakeAsksForAFixOfThenOrLater() {
    var engine = Self.resting()
    let regions = engine.demand.wakeRegions
    let woken = engine.handle(.signal(.woke(.left)), at: t(100))
    #expect(engine.fencePower?.reason == .lookAgain)
    #expect(woken.contains { if case .demand(let demand) = $0 { demand.fixes != .off } else { false } })
    #expect(engine.demand.wakeRegions == regions)
    _ = engine.handle(
      .signal(.fix(fix(4, at: 90), age: .sinceFixTime)), at: Moment(instant: t(101).instant, wall: utc(101)))
    #expect(engine.demand.fixes != .off, "the fix is from before the wake")
    _ = engine.handle(
      .signal(.fix(fix(4, at: 102), age: .sinceFixTime)), at: Moment(instant: t(102).instant, wall: utc(102)))
    #expect(engine.demand.fixes == .off)
  }

  @Test func sourceThatWakesInVainLearnsIt() {
    var engine = Engine()
    #expect(engine.handle(.signal(.woke(.entered)), at: t(0)) == [.demand(.off)])
    #expect(engine.handle(.signal(.woke(.visit)), at: t(1)) == [.demand(.off)])
  }

  /// The last fix is as new as the wake.
  @Test func sourceThatWakesInVainLearnsItBesideRegions() {
    var engine = Self.resting()
    let demand = engine.demand
    #expect(engine.handle(.signal(.woke(.left)), at: t(1)).contains(.demand(demand)))
    #expect(engine.demand == demand && demand.fixes == .off && !demand.wakeRegions.isEmpty)
  }

  @Test func regionsAreStoredBeforeThePlatformKnowsThem() throws {
    var engine = Engine()
    _ = engine.handle(.signal(.wakeCapacity(20)), at: t(0))
    _ = engine.handle(.fences(.add([fence("far", north: 10_000)])), at: t(0))
    _ = engine.drainPendingPersistence()
    let effects = engine.handle(live(fix(4, at: 1)), at: t(1))
    #expect(
      effects.contains { if case .demand(let demand) = $0 { !demand.wakeRegions.isEmpty } else { false } })
    #expect(engine.drainPendingPersistence().isSnapshotStale)
    _ = engine.handle(live(fix(4, at: 2)), at: t(2))
    #expect(!engine.drainPendingPersistence().isSnapshotStale, "the regions stay")
  }

  @Test func anotherProcessHasTheRegionsAtOnce() {
    let before = Self.resting()
    var engine = Engine(settings: EngineSettings(authorization: .needed(asking: nil)))
    let effects = engine.handle(.restore(Restoration(fences: before.fenceSnapshot)), at: t(0))
    #expect(engine.demand.wakeRegions == before.demand.wakeRegions && !engine.demand.wakeRegions.isEmpty)
    #expect(!effects.contains { if case .decided(.wakeRegionsChanged) = $0 { true } else { false } })
  }

  /// A launch begins with the last fix from the platform's cache and a new segment, which changes the estimate of the
  /// old place: the regions stay until there is a newer fix.
  @Test(arguments: stride(from: 440, through: 540, by: 4).map(Double.init))
  func regionsStayWithoutANewerFix(north: Double) {
    var engine = Engine()
    _ = engine.handle(.signal(.wakeCapacity(20)), at: t(0))
    _ = engine.handle(.fences(.add([fence("near", north: north)])), at: t(0))
    func walk(_ second: Int) -> Fix {
      fix(8, at: Double(second), north: 12 * Double(second) + (second.isMultiple(of: 2) ? 6 : -6))
    }
    for second in 0...30 { _ = engine.handle(live(walk(second)), at: t(Double(second))) }
    let regions = engine.demand.wakeRegions
    #expect(!regions.isEmpty)
    var next = Engine(settings: EngineSettings(authorization: .needed(asking: nil)))
    _ = next.handle(.restore(Restoration(fences: engine.fenceSnapshot)), at: t(200))
    _ = next.handle(.signal(.authorization(Authorization(.always))), at: t(200))
    _ = next.handle(.signal(.woke(.left)), at: t(200))
    _ = next.handle(.signal(.segmentBegan), at: t(200))
    _ = next.handle(.signal(.fix(walk(30), age: .sinceFixTime)), at: t(200))
    #expect(next.demand.wakeRegions == regions)
    _ = next.handle(.signal(.fix(fix(8, at: 203, north: 30_000), age: .sinceFixTime)), at: t(203))
    #expect(next.demand.wakeRegions != regions)
  }
}
