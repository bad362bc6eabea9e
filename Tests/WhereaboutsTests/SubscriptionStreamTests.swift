import Testing
import Whereabouts
import WhereaboutsTesting

@Suite struct SubscriptionStreamTests {
  let clock = StepClock()
  let source = ScriptedSource()

  private func collect(_ stream: UpdateStream) async -> [LocationUpdate] {
    var updates: [LocationUpdate] = []
    for await update in stream { updates.append(update) }
    return updates
  }

  @Test func allFixesComeInOrderAndTheEndAfterThem() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house, keeping: .all(upTo: 10))
    let fixes = (1...5).map { fix(5, at: Double($0)) }
    for fix in fixes { await source.say(fix) }
    source.end()
    #expect(await collect(stream) == fixes.map { .fix($0, droppedBefore: 0) })
  }

  @Test func theNewestIsKeptAndTheLossIsCounted() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house, keeping: .newest(1))
    for second in 1...5 { await source.say(fix(5, at: Double(second))) }
    source.end()
    #expect(await collect(stream) == [.fix(fix(5, at: 5), droppedBefore: 4)])
  }

  @Test func theFirstAreKeptAndTheLossIsCountedOnceThereIsRoom() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.fixes(.house, keeping: .all(upTo: 2))
    var taken = stream.makeAsyncIterator()
    for second in 1...5 { await source.say(fix(5, at: Double(second))) }
    #expect(await taken.next() == fix(5, at: 1))
    #expect(await taken.next() == fix(5, at: 2))
    await source.say(fix(5, at: 6))
    #expect(await taken.next() == fix(5, at: 6))
    #expect(taken.dropped == 3)
  }

  @Test func aSourceWaitsForASubscriberWhoAskedForIt() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house, keeping: .waiting(upTo: 4))
    let count = 1000
    async let saying: Void = {
      for second in 1...count { await source.say(fix(5, at: Double(second))) }
      source.end()
    }()
    let updates = await collect(stream)
    await saying
    #expect(updates == (1...count).map { .fix(fix(5, at: Double($0)), droppedBefore: 0) })
  }

  @Test func itWaitsOnlyAsLongAsTheSubscriberIsBehind() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house, keeping: .waiting(upTo: 2))
    let saying = Task { for second in 1...10 { await source.say(fix(5, at: Double(second))) } }
    while await manager.tally().accepted < 2 { await Task.yield() }
    // Room enough for the source to go on, if it did not wait.
    for _ in 1...50 { await manager.settled() }
    #expect(await manager.tally().accepted == 2)
    var taken = stream.makeAsyncIterator()
    for _ in 1...10 { _ = await taken.next() }
    await saying.value
    #expect(await manager.tally().accepted == 10)
  }

  @Test func troubleReachesSubscribersAsAValueAndTheStreamLivesOn() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house, keeping: .all(upTo: 10))
    let trouble = SourceTrouble(.unreachable, message: "reach the receiver")
    await source.say(.failed(trouble))
    await source.say(fix(5, at: 1))
    source.end()
    #expect(await collect(stream) == [.trouble(trouble), .fix(fix(5, at: 1), droppedBefore: 0)])
  }

  @Test func whatWasDroppedBeforeATroubleIsCountedWithTheNextFix() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house, keeping: .newest(1))
    var taken = stream.makeAsyncIterator()
    let trouble = SourceTrouble(.noPosition, message: "see the sky")
    await source.say(fix(5, at: 1))
    await source.say(fix(5, at: 2))
    await source.say(.unavailable(trouble))
    #expect(await taken.next() == .trouble(trouble))
    await source.say(fix(5, at: 3))
    #expect(await taken.next() == .fix(fix(5, at: 3), droppedBefore: 2))
  }

  @Test func leavingTheLoopGivesTheDemandBack() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.fixes(.house)
    _ = await source.demand { $0 != .off }
    await source.say(fix(5, at: 1))
    for await _ in stream { break }
    #expect(await source.demand { $0 == .off } == .off)
  }

  @Test func aStreamThatIsNeverIteratedGivesTheDemandBack() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    do { _ = manager.fixes(.house) }
    #expect(await source.demand { $0 == .off } == .off)
  }

  @Test func cancellingTheConsumerEndsTheIterationAndGivesTheDemandBack() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let consumer = Task {
      var count = 0
      for await _ in manager.fixes(.house, keeping: .all(upTo: 10)) { count += 1 }
      return count
    }
    _ = await source.demand { $0 != .off }
    await source.say(fix(5, at: 1))
    consumer.cancel()
    #expect(await consumer.value <= 1)
    #expect(await source.demand { $0 == .off } == .off)
  }

  @Test func cancellationBeforeTheFirstFixEndsAtOnce() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let consumer = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      for await _ in manager.fixes(.house) { return false }
      return true
    }
    #expect(await consumer.value)
  }
}
