import EngineTestSupport
import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsTesting

/// Trips of a device whose fixes come from two phones, so that some of them are late.
extension ResumeTests {
  /// Fixes that come half a minute late are stored, and no tracker counts them.
  @Test(arguments: [60, 61, 70, 100]) func killedTripDoesNotCountUntrackedLateFixes(step: Int) async throws {
    let expected = await ResumeTests().uninterruptedWalk()
    let store = MemoryStore(), source = ScriptedSource(), manager = makeManager(source, store)
    let tracker = manager.tracker(Self.walkTerms, startsAtOnce: true)
    await walk(source, 1...60)
    for second in 27...32 {
      let late = fix(5, at: Double(second) + 0.5, north: 1.4 * Double(second) + 30)
      await source.emit(late, age: .sinceTrustedTime)
    }
    if step > 60 { await walk(source, 61...step) }
    let next = ScriptedSource(), other = makeManager(next, await store.copy())
    let again = other.tracker(Self.walkTerms, startsAtOnce: true)
    await walk(next, (step + 1)...200)
    #expect(await again.stop().totals == expected)
    let trip = try #require(await other.trips.first)
    #expect(trip.lateFixes == 0 && trip.duplicates == 0)
    withExtendedLifetime((manager, tracker)) {}
  }

  /// A walk whose fixes are shuffled by some seconds after a minute.
  private func shuffledWalk(isKilled: Bool) async throws -> Trip {
    let store = MemoryStore(), source = ScriptedSource(), manager = makeManager(source, store)
    let tracker = manager.tracker(Self.walkTerms, startsAtOnce: true)
    await walk(source, 1...60, age: .sinceTrustedTime)
    let next = isKilled ? ScriptedSource() : source
    let other = isKilled ? makeManager(next, await store.copy()) : manager
    let again = isKilled ? other.tracker(Self.walkTerms, startsAtOnce: true) : tracker
    for second in [57.5, 58, 58.5] {
      await next.emit(fix(3, at: second, north: second * 1.4 + 2), age: .sinceTrustedTime)
    }
    await walk(next, 61...200, age: .sinceTrustedTime)
    _ = await again.stop()
    let trip = try #require(await other.trips.first)
    withExtendedLifetime((manager, tracker)) {}
    return trip
  }

  /// After a kill, a phone may send a fix that is a little older than the last one of the other phone.
  @Test func killedTripCountsShuffledFixesAsOneRunDoes() async throws {
    let whole = try await ResumeTests().shuffledWalk(isKilled: false)
    let killed = try await ResumeTests().shuffledWalk(isKilled: true)
    #expect(killed == whole && whole.duplicates == 1, "\(killed), \(whole)")
  }
}
