import EngineTestSupport
import Testing
import Whereabouts
import WhereaboutsTesting

/// Fences of a manager.
@Suite struct FenceTests {
  private let clock = StepClock(wall: utc(0))
  private let source = ScriptedSource()

  private func makeManager() -> LocationManager {
    LocationManager(source: source, clock: clock.managerClock)
  }

  /// Emits a fix each second, 10 m farther north each time. The fence is crossed at 20 s and at 40 s.
  private func drive(_ seconds: ClosedRange<Int>) async {
    for second in seconds {
      await clock.advance(by: .seconds(1))
      await source.emit(fix(4, at: Double(second), north: -300 + Double(second) * 10))
    }
  }

  private func collect(_ count: Int, of stream: EventStream<FenceUpdate>) async -> [FenceEvent] {
    var events: [FenceEvent] = []
    guard count > 0 else { return [] }
    for await event in stream.compactMap(\.event) {
      events.append(event)
      if events.count == count { break }
    }
    return events
  }

  @Test func everyListenerReceivesEveryEvent() async throws {
    let fences = makeManager().fences
    try await fences.add(fence("home"))
    let early = fences.updates(), other = fences.updates()
    await drive(1...60)
    let events = await collect(2, of: early)
    try #require(events.map(\.kind) == [.enter, .exit])
    #expect(await collect(2, of: other) == events)
    // A later listener receives all retained events, or those after an event id.
    #expect(await collect(2, of: fences.updates()) == events)
    #expect(await collect(1, of: fences.updates(after: events[0].id)) == [events[1]])
    #expect(await fences.state(of: "home")?.side == .outside)
  }

  @Test func endedStreamStillDeliversBufferedUpdates() async throws {
    let fences = makeManager().fences
    try await fences.add(fence("home"))
    let ended = fences.updates(), other = fences.updates()
    await drive(1...30)
    ended.end()
    var kinds: [FenceEvent.Kind?] = []
    for await update in ended { kinds.append(update.event?.kind) }
    #expect(kinds == [.enter])
    await drive(31...60)
    #expect(await collect(2, of: other).map(\.kind) == [.enter, .exit])
  }

  @Test func consumerMayAcknowledgeTheGreatestNumber() async throws {
    let fences = makeManager().fences
    try await fences.add(fence("home"))
    await drive(1...60)
    try await fences.acknowledge(through: .max, by: "one")
    let one = fences.updates(for: "one"), other = fences.updates(for: "other")
    source.end()
    for await update in one { Issue.record("an acknowledged update was delivered: \(update)") }
    #expect(await collect(2, of: other).map(\.kind) == [.enter, .exit])
  }

  /// A consumer remembers a number, and the store was replaced by an empty one.
  @Test func acknowledgedNumberThatDoesNotExistYetSkipsNoLaterRecord() async throws {
    let store = MemoryStore()
    let manager = LocationManager(source: source, clock: clock.managerClock, store: store)
    try await manager.fences.acknowledge(through: 5000, by: "one")
    try await manager.fences.add(fence("home"))
    await drive(1...60)
    let ended = ScriptedSource()
    ended.end()
    let next = LocationManager(source: ended, clock: clock.managerClock, store: await store.copy())
    #expect(await collect(2, of: next.fences.updates(for: "one")).map(\.kind) == [.enter, .exit])
    withExtendedLifetime(manager) {}
  }

  @Test func fencesAreAddedIndividually() async throws {
    let fences = makeManager().fences
    try await fences.add(fence("a"))
    let refused = try await fences.add(contentsOf: [fence("a", north: 5), fence("b"), fence("c")])
    #expect(refused == ["a": .duplicate("a")])
    #expect(await fences.all == [fence("a"), fence("b"), fence("c")])
    await #expect(throws: FenceError.refused(.duplicate("b"))) { try await fences.add(fence("b")) }
    try await fences.update(fence("b", radius: 20))
    try await fences.remove("a", "unknown")
    #expect(await fences.all == [fence("b", radius: 20), fence("c")])
    #expect(await fences.fence("c") == fence("c"))
    #expect(await fences.state(of: "a") == nil)
    try await fences.removeAll()
    #expect(await fences.count == 0)
    #expect(await source.demands.last == .off)
  }

  /// Otherwise the fence is watched, and the next process does not know it.
  @Test func fenceAddedTwiceInOneCallIsStored() async throws {
    let store = MemoryStore()
    let manager = LocationManager(source: source, clock: clock.managerClock, store: store)
    let refused = try await manager.fences.add(contentsOf: [fence("a"), fence("a", north: 5), fence("b")])
    #expect(refused == ["a": .duplicate("a")])
    #expect(await manager.fences.all == [fence("a"), fence("b")])
    #expect(try await store.load(.this).fences.map(\.fence) == [fence("a"), fence("b")])
  }

  @Test func fenceAddedAfterARefusedOneOfItsIDIsNotRefused() async throws {
    let fences = makeManager().fences
    let hours = ActiveHours(
      [ActiveHours.Window(start: 480, minutes: 540)], in: TimeZoneRules(unresolved: "Nowhere/Never"))
    let refused = try await fences.add(contentsOf: [
      fence("a", FenceTerms(activeHours: hours)), fence("a"), fence("b", FenceTerms(activeHours: hours)),
    ])
    #expect(refused == ["b": .unknownTimeZone("b", "Nowhere/Never")])
    #expect(await fences.all == [fence("a")])
  }

  // MARK: Fence at the current place

  @Test func fenceHereIsCenteredOnTheBestCurrentFix() async throws {
    let manager = makeManager()
    await source.emit(fix(4, at: 0, north: 700))
    let made = try await manager.fences.addHere("parking", terms: FenceTerms(once: true))
    #expect(made == fence("parking", north: 700, radius: 50, FenceTerms(once: true)))
    #expect(await manager.fences.all == [made])
    // The state is known without another fix.
    #expect(await manager.fences.state(of: "parking")?.side == .inside)
  }

  @Test func fenceHereBeginsInsideAlsoIfTheLastFixIsCoarse() async throws {
    let manager = makeManager()
    await source.emit(fix(8, at: 0))
    await clock.advance(by: .seconds(2))
    await source.emit(fix(60, at: 2, north: 20))
    let made = try await manager.fences.addHere("parking", terms: FenceTerms(notify: [.exit], once: true))
    #expect(made == fence("parking", radius: 50, FenceTerms(notify: [.exit], once: true)))
    #expect(await manager.fences.state(of: "parking")?.side == .inside)
    // The exit is reported, although no fix after the first one was inside.
    await clock.advance(by: .seconds(600))
    for second in 602...606 {
      await source.emit(fix(5, at: Double(second), north: 500 + Double(second)))
      await clock.advance(by: .seconds(1))
    }
    source.end()
    var kinds: [FenceEvent.Kind] = []
    for await event in manager.fences.updates().compactMap(\.event) { kinds.append(event.kind) }
    #expect(kinds == [.exit])
  }

  @Test(arguments: [nil, 60.0]) func fenceHereNeedsAnAccurateFix(accuracy: Double?) async {
    let manager = makeManager()
    if let accuracy { await source.emit(fix(accuracy, at: 0)) }
    do {
      try await manager.fences.addHere("parking")
      Issue.record("a fence was added without an accurate fix")
    } catch {
      guard case .noFix(let failure) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(failure.best?.fix.horizontalAccuracy == accuracy)
    }
    #expect(await manager.fences.count == 0)
    // A fix that is too old is not used either.
    await source.emit(fix(4, at: 0))
    await clock.advance(by: .seconds(60))
    await #expect(throws: Fences.HereError.self) { try await manager.fences.addHere("parking") }
    // With a timeout the call waits for a fix.
    let waiting = Task { try? await manager.fences.addHere("parking", timeout: .seconds(10)) }
    _ = await source.demand { $0 != .off }
    await source.emit(fix(4, at: 61))
    #expect(await waiting.value?.id == "parking")
  }

  @Test(arguments: [0, -50, .nan, 1e9]) func fenceHereWithInvalidRadiusIsRefused(radius: Double) async {
    let manager = makeManager()
    do throws(Fences.HereError) {
      // At once: no fix has come, and the clock stands.
      try await manager.fences.addHere("parking", radius: radius, timeout: .seconds(10))
      Issue.record("a fence was added")
    } catch {
      #expect(error.description == "a circle of that radius is no area")
    }
    #expect(await manager.fences.count == 0)
  }

  @Test(arguments: [0, -50, .nan, .infinity]) func fenceHereNamesAnInvalidAccuracy(accuracy: Double) async {
    let manager = makeManager()
    await source.emit(fix(4, at: 0))
    do throws(Fences.HereError) {
      try await manager.fences.addHere("parking", worstAccuracy: accuracy)
      Issue.record("a fence was added")
    } catch {
      #expect(error.description == "the worst accuracy of the fix is not a positive number of metres")
    }
  }

  @Test func errorOfADuplicateFenceNamesTheFence() async throws {
    let manager = makeManager()
    let home = Fence(id: "home", area: .circle(try Area.Circle(center: fix(4, at: 0).coordinate, radius: 50)))
    try await manager.fences.add(home)
    do throws(FenceError) {
      try await manager.fences.add(home)
      Issue.record("a second fence was added")
    } catch {
      #expect("\(error)" == "there is a fence named home already")
    }
  }

  @Test func fenceHereNamesANegativeAge() async {
    let manager = makeManager()
    await source.emit(fix(4, at: 0))
    await #expect(throws: Fences.HereError.noLevel(worstAccuracy: 25, maxAge: .seconds(-1))) {
      try await manager.fences.addHere("parking", maxAge: .seconds(-1))
    }
  }

  // MARK: Problems

  @Test func problemsThatPreventMonitoringAreReported() async throws {
    let fences = makeManager().fences
    try await fences.add(fence("home"))
    var updates = fences.updates().makeAsyncIterator()
    let gone = SourceProblem(.unreachable, message: "reach the receiver")
    await source.emit(Authorization(.denied))
    #expect(await updates.next() == .authorization(Authorization(.denied)))
    #expect(await source.demands.last == .off)
    await source.emit(Authorization(.always))
    #expect(await updates.next() == .authorization(Authorization(.always)))
    await source.fail(gone)
    #expect(await updates.next() == .problem(gone))
    source.end()
    #expect(await updates.next() == .problem(gone))
    #expect(await updates.next() == nil)
  }

  /// A listener from before the last failure knows the problem already. Each new subscription retries the source.
  @Test func retriesReportTheSameProblemToNewListenersAlone() async throws {
    let manager = makeManager(), fences = manager.fences
    let gone = SourceProblem(.unreachable, message: "reach the receiver")
    try await fences.add(fence("home"))
    func collect(_ stream: EventStream<FenceUpdate>) async -> [FenceUpdate] {
      var updates: [FenceUpdate] = []
      for await update in stream { updates.append(update) }
      return updates
    }
    func failAfterRetry() async {
      let subscription = manager.updates(.block)
      await manager.waitUntilProcessed()
      #expect(await manager.status.source == .working)
      await source.fail(gone)
      subscription.end()
    }
    let first = fences.updates()
    await source.fail(gone)
    await failAfterRetry()
    let later = fences.updates()
    await failAfterRetry()
    await failAfterRetry()
    source.end()
    // With the failure, with that after the new listener, and with the end.
    #expect(await collect(first) == [.problem(gone), .problem(gone), .problem(gone)])
    #expect(await collect(later) == [.problem(gone), .problem(gone)])
  }

  @Test func eventStreamEndsWithTheSource() async throws {
    let fences = makeManager().fences
    try await fences.add(fence("home"))
    let events = fences.updates().compactMap(\.event)
    await drive(1...60)
    source.end()
    var kinds: [FenceEvent.Kind] = []
    for await event in events { kinds.append(event.kind) }
    #expect(kinds == [.enter, .exit])
    // The stream also ends for later listeners.
    var count = 0
    for await _ in fences.updates().compactMap(\.event) { count += 1 }
    #expect(count == 2)
  }
}
