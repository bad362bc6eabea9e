import Testing
import Whereabouts
import WhereaboutsStore
import WhereaboutsTesting

/// Programs with a store in a file that end and start again, as the README's "Durability" documents them.
@Suite(.timeLimit(.minutes(10))) struct RestartTests {
  private let clock = StepClock(wall: t(0))

  private func makeManager(_ source: ScriptedSource, _ store: SQLiteStore) -> LocationManager {
    LocationManager(source: source, clock: clock.managerClock, store: store)
  }

  /// Returns the updates for a consumer so far.
  private func updates(for consumer: String, of manager: LocationManager) async -> [FenceUpdate] {
    let stream = manager.fences.updates(for: consumer)
    await manager.waitUntilProcessed()
    stream.end()
    var updates: [FenceUpdate] = []
    for await update in stream { updates.append(update) }
    return updates
  }

  /// The equator, the prime meridian, both, and the antimeridian.
  @Test(arguments: [(0.0, 20.0), (51.5, 0.0), (0.0, 0.0), (-17.0, 180.0)])
  func lastFixKeepsItsPlaceItsValuesAndItsAge(latitude: Double, longitude: Double) async throws {
    let folder = try TemporaryFolder(), source = ScriptedSource()
    let first = try SQLiteStore.open(at: folder.file), manager = makeManager(source, first)
    var made = Fix.test(
      latitude: latitude, longitude: longitude, accuracy: 6, time: t(0), speed: 12.5, course: 0)
    made.verticalAccuracy = 9
    made.heightAboveGeoid = 440.25
    made.speedAccuracy = 0.5
    made.courseAccuracy = 3
    await source.emit(made)
    first.close()
    await clock.advance(by: .seconds(700))
    let started = ScriptedSource(), next = makeManager(started, try SQLiteStore.open(at: folder.file))
    #expect(await next.lastFix == Answer(fix: made, age: .seconds(700), level: nil))
    #expect(await started.demands == [], "the receiver was started for the last known fix")
    withExtendedLifetime(manager) {}
  }

  @Test func exitsOfAnEndedProgramAreKeptUntilTheyAreAcknowledged() async throws {
    let folder = try TemporaryFolder(), source = ScriptedSource()
    let first = try SQLiteStore.open(at: folder.file), manager = makeManager(source, first)
    let center = try place(), once = FenceTerms(notify: [.exit], once: true)
    for (id, radius) in [("near", 50.0), ("far", 100)] {
      let circle = try Area.Circle(center: center, radius: radius)
      try await manager.fences.add(Fence(id: FenceID(id), area: .circle(circle), terms: once))
    }
    for second in 0...30 {
      await source.emit(
        .test(
          latitude: center.latitude + Double(second) * 10 / 111_200, longitude: center.longitude, accuracy: 4,
          time: t(Int64(second))))
      await clock.advance(by: .seconds(1))
    }
    first.close()
    let second = try SQLiteStore.open(at: folder.file), next = makeManager(ScriptedSource(), second)
    let found = await updates(for: "page", of: next)
    #expect(found.compactMap(\.event).map(\.fence) == ["near", "far"])
    #expect(found.compactMap(\.event).map(\.kind) == [.exit, .exit])
    #expect(await next.fences.count == 0)
    #expect(await updates(for: "page", of: next) == found, "a shown record is gone")
    try await next.fences.acknowledge(through: try #require(found.last?.number), by: "page")
    second.close()
    let last = makeManager(ScriptedSource(), try SQLiteStore.open(at: folder.file))
    #expect(await updates(for: "page", of: last) == [])
    #expect(await updates(for: "notifier", of: last) == found)
    withExtendedLifetime((manager, next)) {}
  }
}
