import Testing
import Whereabouts
import WhereaboutsTesting

/// The records of crossings, and the regions that wake a program, as "Geofences" and "Durability" document them.
@Suite(.timeLimit(.minutes(10))) struct DocumentedCrossingTests {
  private let clock = StepClock(wall: startOfTest)
  private let source = ScriptedSource()

  private func makeManager(_ source: ScriptedSource, _ store: MemoryStore) -> LocationManager {
    LocationManager(source: source, clock: clock.managerClock, store: store)
  }

  /// Drives northward at 10 m/s. A circle of 100 m is entered at 20 s and left at 40 s.
  private func drive(_ seconds: ClosedRange<Int>) async {
    await source.travel(seconds, clock: clock) { -300 + $0 * 10 }
  }

  /// Returns the updates for a consumer so far.
  private func updates(for consumer: String, of manager: LocationManager) async -> [FenceUpdate] {
    let stream = manager.fences.updates(for: consumer)
    await manager.waitUntilProcessed()
    stream.end()
    return await allElements(of: stream)
  }

  @Test func laterCrossingReplacesNoneAndReadingDeletesNone() async throws {
    let store = MemoryStore(), manager = makeManager(source, store)
    let once = FenceTerms(notify: [.exit], once: true)
    for (id, north) in [("first", -100.0), ("second", 0), ("third", 100)] {
      try await manager.fences.add(try circle(FenceID(id), north: north, radius: 50, once))
    }
    await drive(1...60)
    let shown = await updates(for: "page", of: manager)
    #expect(shown.compactMap(\.event).map(\.fence) == ["first", "second", "third"])
    #expect(await updates(for: "page", of: manager) == shown, "a shown record is gone")
    #expect(await manager.fences.count == 0)
    let next = makeManager(ScriptedSource(), await store.copy())
    #expect(await updates(for: "page", of: next) == shown)
    try await next.fences.acknowledge(through: try #require(shown.last?.number), by: "page")
    #expect(await updates(for: "page", of: next) == [])
    #expect(await updates(for: "notifier", of: next) == shown)
  }

  @Test func crossingDuringAFullDiskIsStoredAfterwards() async throws {
    let store = MemoryStore(), manager = makeManager(source, store)
    try await manager.fences.add(try circle("home"))
    await store.fail(.full)
    await drive(1...60)
    await store.recover()
    // More than the longest pause between retries.
    await clock.advance(by: .seconds(60))
    #expect(await manager.save() == .working)
    let next = makeManager(ScriptedSource(), await store.copy())
    let events = await updates(for: "page", of: next).compactMap(\.event)
    #expect(events.map(\.kind) == [.enter, .exit])
    #expect(zip(events, [20.0, 40]).allSatisfy { abs($0.time.seconds(since: startOfTest) - $1) < 2 })
  }

  @Test func fenceHereWithoutAPlaceIsRefusedAndStartsNothing() async throws {
    let manager = makeManager(source, MemoryStore())
    await #expect(throws: Fences.HereError.self) { try await manager.fences.addHere("parking") }
    #expect(await manager.fences.count == 0)
    #expect(await source.demands == [])
    await source.emit(fix(8, at: 0))
    await source.emit(fix(20, at: 1, north: 15))
    let made = try await manager.fences.addHere("parking")
    #expect(made == (try circle("parking", radius: 50)), "the center is not the best fix")
  }

  // MARK: Regions of the platform

  @Test func crossingsOfManyFencesAreReportedWithTwentyRegions() async throws {
    let manager = makeManager(source, MemoryStore())
    await source.emit(.wakeCapacity(20))
    var fences = [try circle("home")]
    for number in 0..<200 {
      fences.append(try circle(FenceID("far \(number)"), north: 5000 + Double(number) * 300))
    }
    let refused = try await manager.fences.add(contentsOf: fences)
    #expect(refused.isEmpty)
    await drive(1...60)
    let events = await updates(for: "page", of: manager).compactMap(\.event)
    #expect(events.map(\.fence) == ["home", "home"] && events.map(\.kind) == [.enter, .exit])
    let regions = await source.demands.map(\.wakeRegions.count)
    #expect(regions.allSatisfy { $0 <= 20 } && (regions.last ?? 0) > 0, "\(regions)")
  }

  @Test func crossedRegionAsksForAFix() async throws {
    let manager = makeManager(source, MemoryStore())
    await source.emit(.wakeCapacity(20))
    try await manager.fences.add(try circle("far", north: 10_000))
    await source.travel(1...2, clock: clock) { _ in 0 }
    let resting = try #require(await source.demands.last)
    #expect(resting.fixes == .off && !resting.wakeRegions.isEmpty)
    await clock.advance(by: .seconds(1))
    #expect(await source.emit(.woke(.left)).demand.fixes != .off)
    #expect(await updates(for: "page", of: manager) == [], "a crossed region is no crossing of a fence")
    await source.travel(4...4, clock: clock) { _ in 0 }
    #expect(await source.demands.last?.fixes == .off)
  }
}
