import EngineBench
import Testing
import Whereabouts
import WhereaboutsTesting

/// What a program sees of its fences.
@Suite(.timeLimit(.minutes(1))) struct FenceTests {
  private let clock = StepClock(wall: utc(0))
  private let source = ScriptedSource()

  private func makeManager(
    _ record: FenceRecord? = nil, store: (any FenceStore)? = nil
  ) -> LocationManager {
    LocationManager(source: source, clock: clock.managerClock, fences: record, fenceStore: store)
  }

  /// A fix each second, 10 m farther north each time; the place is passed between the 20th and the 40th second.
  private func drive(_ seconds: ClosedRange<Int>) async {
    for second in seconds {
      await clock.advance(by: .seconds(1))
      await source.say(fix(4, at: Double(second), north: -300 + Double(second) * 10))
    }
  }

  private func take(_ count: Int, of stream: FenceEventStream) async -> [FenceEvent] {
    var events: [FenceEvent] = []
    guard count > 0 else { return [] }
    for await event in stream {
      events.append(event)
      if events.count == count { break }
    }
    return events
  }

  @Test func everyListenerGetsEveryEvent() async throws {
    let fences = makeManager().fences
    try await fences.add(fence("home"))
    let early = fences.events(), other = fences.events()
    await drive(1...60)
    let events = await take(2, of: early)
    #expect(events.map(\.kind) == [.enter, .exit])
    #expect(await take(2, of: other) == events)
    // Who comes later gets what is remembered, all of it or what comes after the last that it knows.
    #expect(await take(2, of: fences.events()) == events)
    #expect(await take(1, of: fences.events(after: events[0].id)) == [events[1]])
    #expect(await fences.state(of: "home")?.side == .outside)
  }

  @Test func manyAreAddedEachByItself() async throws {
    let fences = makeManager().fences
    try await fences.add(fence("a"))
    let refused = try await fences.add(contentsOf: [fence("a", north: 5), fence("b"), fence("c")])
    #expect(refused == ["a": .duplicate("a")])
    #expect(await fences.all == [fence("a"), fence("b"), fence("c")])
    await #expect(throws: FenceFailure.refused(.duplicate("b"))) { try await fences.add(fence("b")) }
    try await fences.update(fence("b", radius: 20))
    try await fences.remove("a", "unknown")
    #expect(await fences.all == [fence("b", radius: 20), fence("c")])
    #expect(await fences.fence("c") == fence("c"))
    #expect(await fences.state(of: "a") == nil)
    try await fences.removeAll()
    #expect(await fences.count == 0)
    #expect(await source.demands.last == .off)
  }

  // MARK: Fence here

  @Test func aFenceHereIsAroundTheBestCurrentFix() async throws {
    let manager = makeManager()
    await source.say(fix(4, at: 0, north: 700))
    let made = try await manager.fences.addHere("parking", terms: FenceTerms(once: true))
    #expect(made == fence("parking", north: 700, radius: 50, FenceTerms(once: true)))
    #expect(await manager.fences.all == [made])
  }

  @Test(arguments: [nil, 60.0]) func withoutAGoodFixThereIsNoFenceHere(accuracy: Double?) async {
    let manager = makeManager()
    if let accuracy { await source.say(fix(accuracy, at: 0)) }
    do {
      try await manager.fences.addHere("parking")
      Issue.record("a fence was made")
    } catch {
      guard case .noFix(let failure) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(failure.best?.fix.horizontalAccuracy == accuracy)
    }
    #expect(await manager.fences.count == 0)
    // A fix that is too old is none either.
    await source.say(fix(4, at: 0))
    await clock.advance(by: .seconds(60))
    await #expect(throws: FenceHereFailure.self) { try await manager.fences.addHere("parking") }
    // Who has time may wait for one.
    let waiting = Task { try? await manager.fences.addHere("parking", timeout: .seconds(10)) }
    _ = await source.demand { $0 != .off }
    await source.say(fix(4, at: 61))
    #expect(await waiting.value?.id == "parking")
  }

  @Test(arguments: [0, -50, .nan, 1e9]) func anAbsurdRadiusIsNoFence(radius: Double) async {
    let manager = makeManager()
    await source.say(fix(4, at: 0))
    await #expect(throws: FenceHereFailure.self) {
      try await manager.fences.addHere("parking", radius: radius)
    }
    #expect(await manager.fences.count == 0)
  }

  // MARK: Trouble

  @Test func whatKeepsFencesFromBeingWatchedIsTold() async throws {
    let fences = makeManager().fences
    try await fences.add(fence("home"))
    var updates = fences.updates().makeAsyncIterator()
    let gone = SourceTrouble(.unreachable, message: "reach the receiver")
    await source.say(Authorization(.denied))
    #expect(await updates.next() == .authorization(Authorization(.denied)))
    #expect(await source.demands.last == .off)
    await source.say(Authorization(.always))
    #expect(await updates.next() == .authorization(Authorization(.always)))
    await source.fail(gone)
    #expect(await updates.next() == .trouble(gone))
    source.end()
    #expect(await updates.next() == .trouble(gone))
    #expect(await updates.next() == nil)
  }

  @Test func eventsEndWithTheSource() async throws {
    let fences = makeManager().fences
    try await fences.add(fence("home"))
    let events = fences.events()
    await drive(1...60)
    source.end()
    var kinds: [FenceEvent.Kind] = []
    for await event in events { kinds.append(event.kind) }
    #expect(kinds == [.enter, .exit])
    // Also for who comes afterwards.
    var count = 0
    for await _ in fences.events() { count += 1 }
    #expect(count == 2)
  }

  // MARK: Going on after a kill

  @Test(arguments: 1...59) func aKillAtAnyStepLosesAndRepeatsNothing(step: Int) async throws {
    let store = RecordingStore()
    let source = source
    var manager: LocationManager? = makeManager(store: store)
    try await manager?.fences.add(fence("home"))
    try await manager?.fences.add(fence("work", north: 150, radius: 60))
    await drive(1...step)
    // What the program had dealt with when it was killed.
    let known = try #require(await manager?.fences.record())
    let seen = known.told.compactMap { if case .event(let event) = $0 { event } else { nil } }
    manager = nil
    source.end()
    // The store has at least what was told, and the newest state is the one to go on with.
    let kept = try #require(await store.last)
    #expect(kept.told == known.told)
    let next = ScriptedSource()
    let other = LocationManager(source: next, clock: clock.managerClock, fences: known, fenceStore: store)
    for second in (step + 1)...60 {
      await clock.advance(by: .seconds(1))
      await next.say(fix(4, at: Double(second), north: -300 + Double(second) * 10))
    }
    let all = await take(4, of: other.fences.events())
    #expect(all.map(\.kind) == [.enter, .exit, .enter, .exit] || Set(all.map(\.fence)).count == 2)
    #expect(Array(all.prefix(seen.count)) == seen && Set(all.map(\.id)).count == 4)
    #expect(
      await take(4 - seen.count, of: other.fences.events(after: seen.last?.id))
        == Array(all.dropFirst(seen.count)))
  }

  @Test func nothingIsToldThatCouldNotBeWritten() async throws {
    let store = RecordingStore()
    let fences = makeManager(store: store).fences
    try await fences.add(fence("home"))
    var updates = fences.updates().makeAsyncIterator()
    await drive(1...15)
    await store.setFull(true)
    await drive(16...30)
    #expect(await updates.next() == .notKept(RecordingStore.full))
    #expect(await fences.record().told.count == 1)
    #expect(await store.last?.told.count == 0)
    await #expect(throws: FenceFailure.notKept(RecordingStore.full)) { try await fences.add(fence("work")) }
    // Once it can be written it is told, and nothing is lost.
    await store.setFull(false)
    await drive(31...31)
    guard case .event(let event)? = await updates.next() else {
      Issue.record("no event")
      return
    }
    #expect(event.kind == .enter)
    let kept = try #require(await store.last)
    #expect(kept.told == [.event(event)] && kept.snapshot.fences.map(\.id) == ["home", "work"])
  }
}

/// Keeps what it is given, unless it is full.
private struct RecordingStore: FenceStore {
  static let full = SourceTrouble(.unwritable, message: "write: no space left")

  private let state = State()

  private actor State {
    var isFull = false
    var last: FenceRecord?
    func setFull(_ isFull: Bool) { self.isFull = isFull }
    func keep(_ record: FenceRecord) -> Bool {
      if !isFull { last = record }
      return !isFull
    }
  }

  var last: FenceRecord? { get async { await state.last } }
  func setFull(_ isFull: Bool) async { await state.setFull(isFull) }

  mutating func write(_ commit: FenceCommit) async throws(SourceTrouble) {
    guard await state.keep(commit.record) else { throw Self.full }
  }
}
