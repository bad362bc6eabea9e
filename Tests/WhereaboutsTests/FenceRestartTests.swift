import EngineTestSupport
import Testing
import Whereabouts
import WhereaboutsTesting

/// Stays of fences over a restart of the manager.
@Suite struct FenceRestartTests {
  private let clock = StepClock(wall: utc(0))

  /// Makes a store of a manager that ended with the device in a fence, a stay of ten minutes before it is long enough.
  private func storeOfAStay() async throws -> MemoryStore {
    let store = MemoryStore(), source = ScriptedSource()
    let manager = LocationManager(source: source, clock: clock.managerClock, store: store)
    try await manager.fences.add(fence("home", FenceTerms(dwell: .seconds(600))))
    for second in 1...30 {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(4, at: Double(second), north: -300 + Double(second) * 10))
    }
    #expect(await manager.save() == .working)
    return await store.copy()
  }

  private func kinds(_ store: MemoryStore) async throws -> [FenceEvent.Kind] {
    try await store.fenceRecords(of: .this, after: 0, limit: 100).compactMap { numbered in
      if case .event(let event) = numbered.record { event.kind } else { nil }
    }
  }

  @Test func stayWaitsForAFixAfterARestart() async throws {
    let store = try await storeOfAStay(), source = ScriptedSource()
    await clock.advance(by: .seconds(36_000))
    let manager = LocationManager(source: source, clock: clock.managerClock, store: store)
    await manager.waitUntilProcessed()
    await clock.advance(by: .seconds(100))
    await manager.waitUntilProcessed()
    #expect(try await kinds(store) == [.enter])
    await source.emit(fix(4, at: 36_130, north: 0))
    await manager.waitUntilProcessed()
    #expect(try await kinds(store) == [.enter, .dwell])
  }

  @Test func stayOfAPhoneOfAServerNeedsNoFixAfterARestart() async throws {
    let store = try await storeOfAStay()
    var settings = ManagerSettings()
    settings.storesStateWithFixes = true
    await clock.advance(by: .seconds(36_000))
    let manager = LocationManager(
      source: ScriptedSource(), clock: clock.managerClock, settings: settings, store: store)
    await manager.waitUntilProcessed()
    #expect(try await kinds(store) == [.enter, .dwell])
    withExtendedLifetime(manager) {}
  }
}
