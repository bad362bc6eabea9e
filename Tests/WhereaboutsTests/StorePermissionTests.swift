import EngineTestSupport
import Testing
import Whereabouts
import WhereaboutsTesting

/// Restarts before the user has answered the permission prompt.
@Suite struct StorePermissionTests {
  private let clock = StepClock(wall: utc(0))

  /// Makes a store of a manager whose device is inside a fence.
  private func storeAfterRun() async throws -> MemoryStore {
    let store = MemoryStore(), source = ScriptedSource()
    let manager = LocationManager(source: source, clock: clock.managerClock, store: store)
    try await manager.fences.add(fence("home"))
    for second in 1...20 {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(4, at: Double(second)))
    }
    #expect(await manager.fences.state(of: "home")?.side == .inside)
    #expect(await manager.save() == .working)
    return await store.copy()
  }

  private func restartedManager(_ source: ScriptedSource) async throws -> LocationManager {
    LocationManager(source: source, clock: clock.managerClock, store: try await storeAfterRun())
  }

  @Test func storedStateIsWithheldBeforeAuthorization() async throws {
    let source = ScriptedSource(authorizationNeeds: .userConsent(requestable: [.whenInUse]))
    let manager = try await restartedManager(source)
    #expect(await manager.lastFix == nil)
    #expect(await manager.fences.state(of: "home") == FenceState(side: .unknown))
    #expect(
      await manager.request(.city, timeout: .zero).outcome == .unauthorized(Authorization(.notDetermined)))
    let updates = manager.updates(FixTerms(level: .city, lastFixUpTo: .seconds(60)))
    await manager.waitUntilProcessed()
    await source.emit(Authorization(.denied))
    #expect(await manager.lastFix == nil)
    #expect(await manager.fences.state(of: "home") == FenceState(side: .unknown))
    source.end()
    for await update in updates {
      if case .fix = update { Issue.record("a fix was delivered without permission") }
    }
  }

  @Test func authorizationReleasesTheStoredFixToWaitingRequests() async throws {
    let source = ScriptedSource(authorizationNeeds: .userConsent(requestable: [.whenInUse]))
    let manager = try await restartedManager(source)
    let request = manager.request(.city, timeout: nil)
    let updates = manager.updates(FixTerms(level: .city, lastFixUpTo: .seconds(60)))
    await source.emit(Authorization(.whenInUse))
    #expect(await request.answer?.fix == fix(4, at: 20))
    #expect(await manager.lastFix?.fix == fix(4, at: 20))
    #expect(await manager.fences.state(of: "home")?.side == .inside)
    source.end()
    var fixes: [Fix] = []
    for await case .fix(let fix, droppedBefore: _) in updates { fixes.append(fix) }
    #expect(fixes == [fix(4, at: 20)])
  }

  @Test func reducedAccuracyReleasesNoAccurateFix() async throws {
    let source = ScriptedSource(authorizationNeeds: .userConsent(requestable: [.whenInUse]))
    let manager = try await restartedManager(source)
    await source.emit(Authorization(.whenInUse, accuracy: .reduced))
    #expect(await manager.lastFix == nil)
  }

  @Test func storedFixIsAvailableAtOnceWithoutAuthorizationNeeds() async throws {
    let manager = try await restartedManager(ScriptedSource())
    #expect(await manager.lastFix?.fix == fix(4, at: 20))
  }
}
