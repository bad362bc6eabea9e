import Testing
import Whereabouts
import WhereaboutsTesting

@Suite struct SubscriptionStreamTests {
  let clock = StepClock()
  let source = ScriptedSource()

  private func collect(_ stream: EventStream<LocationUpdate>) async -> [LocationUpdate] {
    var updates: [LocationUpdate] = []
    for await update in stream { updates.append(update) }
    return updates
  }

  @Test func allFixesArriveInOrderBeforeTheEnd() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house, keeping: .all(upTo: 10))
    let fixes = (1...5).map { fix(5, at: Double($0)) }
    for fix in fixes { await source.emit(fix) }
    source.end()
    #expect(await collect(stream) == fixes.map { .fix($0, droppedBefore: 0) })
  }

  @Test func newestFixIsRetainedAndDropsAreCounted() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house, keeping: .newest(1))
    for second in 1...5 { await source.emit(fix(5, at: Double(second))) }
    source.end()
    #expect(await collect(stream) == [.fix(fix(5, at: 5), droppedBefore: 4)])
  }

  @Test func firstFixesAreRetainedAndDropsAreCountedLater() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.fixes(.house, keeping: .all(upTo: 2))
    var taken = stream.makeAsyncIterator()
    for second in 1...5 { await source.emit(fix(5, at: Double(second))) }
    #expect(await taken.next() == fix(5, at: 1))
    #expect(await taken.next() == fix(5, at: 2))
    await source.emit(fix(5, at: 6))
    #expect(await taken.next() == fix(5, at: 6))
    #expect(taken.dropped == 3)
  }

  @Test func sourceWaitsForAWaitingSubscriber() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house, keeping: .waiting(upTo: 4))
    let count = 1000
    async let saying: Void = {
      for second in 1...count { await source.emit(fix(5, at: Double(second))) }
      source.end()
    }()
    let updates = await collect(stream)
    await saying
    #expect(updates == (1...count).map { .fix(fix(5, at: Double($0)), droppedBefore: 0) })
  }

  @Test func sourceWaitsOnlyWhileTheSubscriberIsBehind() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house, keeping: .waiting(upTo: 2))
    let saying = Task { for second in 1...10 { await source.emit(fix(5, at: Double(second))) } }
    while await manager.fixCounts().accepted < 2 { await Task.yield() }
    // Enough time for the source to continue, if it did not wait.
    for _ in 1...50 { await manager.waitUntilProcessed() }
    #expect(await manager.fixCounts().accepted == 2)
    var taken = stream.makeAsyncIterator()
    for _ in 1...10 { _ = await taken.next() }
    await saying.value
    #expect(await manager.fixCounts().accepted == 10)
  }

  /// The loop waits for the request, the request for the source, and the source would wait for the loop.
  @Test(arguments: [1, 2, 16]) func requestAwaitedInTheLoopDoesNotDeadlock(window: Int) async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let early = manager.request(.room, timeout: nil)
    let stream = manager.fixes(.house, keeping: .waiting(upTo: window))
    let saying = Task {
      for second in 1...100 { await source.emit(fix(second == 60 ? 2 : 12, at: Double(second))) }
      source.end()
    }
    var taken = 0
    for await _ in stream {
      taken += 1
      if taken == 1 {
        let request = manager.request(.room, timeout: nil)
        #expect(await request.answer?.fix == fix(2, at: 60))
        #expect(await early.answer?.fix == fix(2, at: 60))
      }
    }
    await saying.value
    #expect(taken == 100)
  }

  @Test func problemIsAStreamElementAndTheStreamContinues() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house, keeping: .all(upTo: 10))
    let problem = SourceProblem(.unreachable, message: "reach the receiver")
    await source.emit(.failed(problem))
    await source.emit(fix(5, at: 1))
    source.end()
    #expect(await collect(stream) == [.problem(problem), .fix(fix(5, at: 1), droppedBefore: 0)])
  }

  @Test func onlyFixesAreDroppedAndProblemsRetainTheirOrder() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house, keeping: .newest(1))
    let problems = (1...3).map { SourceProblem(.noPosition, message: "see the sky, try \($0)") }
    await source.emit(fix(5, at: 1))
    await source.emit(fix(5, at: 2))
    await source.emit(.unavailable(problems[0]))
    await source.emit(fix(5, at: 3))
    await source.emit(.unavailable(problems[1]))
    await source.emit(.unavailable(problems[2]))
    source.end()
    #expect(
      await collect(stream) == [
        .problem(problems[0]), .fix(fix(5, at: 3), droppedBefore: 2), .problem(problems[1]),
        .problem(problems[2]),
      ])
    #expect(await stream.dropped == 2)
  }

  @Test func problemIsNotDroppedWhenTheFirstFixesAreRetained() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house, keeping: .all(upTo: 1))
    let problem = SourceProblem(.noPosition, message: "see the sky")
    for second in 1...3 { await source.emit(fix(5, at: Double(second))) }
    await source.emit(.unavailable(problem))
    source.end()
    #expect(await collect(stream) == [.fix(fix(5, at: 1), droppedBefore: 0), .problem(problem)])
    #expect(await stream.dropped == 2)
  }

  @Test func leavingTheLoopEndsTheDemand() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.fixes(.house)
    _ = await source.demand { $0 != .off }
    await source.emit(fix(5, at: 1))
    for await _ in stream { break }
    #expect(await source.demand { $0 == .off } == .off)
  }

  @Test func releasedUniteratedStreamEndsTheDemand() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    do { _ = manager.fixes(.house) }
    #expect(await source.demand { $0 == .off } == .off)
  }

  @Test func releasedIteratorEndsTheDemand() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house)
    do {
      let iterator = stream.makeAsyncIterator()
      _ = await source.demand { $0 != .off }
      withExtendedLifetime(iterator) {}
    }
    #expect(await source.demand { $0 == .off } == .off)
    withExtendedLifetime(stream) {}
  }

  @Test func endedStreamDeliversBufferedElementsFirst() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house, keeping: .all(upTo: 10))
    await source.emit(fix(5, at: 1))
    stream.end()
    stream.end()
    await source.emit(fix(5, at: 2))
    #expect(await collect(stream) == [.fix(fix(5, at: 1), droppedBefore: 0)])
    #expect(await source.demand { $0 == .off } == .off)
  }

  #if os(Linux) || os(macOS)  // where a test may start a process
    @Test func secondIteratorTrapsWithAMessage() async throws {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let manager = LocationManager(source: ScriptedSource(), clock: StepClock().managerClock)
        let stream = manager.fixes(.house)
        let first = stream.makeAsyncIterator()
        let second = stream.makeAsyncIterator()
        withExtendedLifetime((first, second)) {}
      }
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("a stream of a location manager has one consumer"))
    }
  #endif

  @Test func cancelledConsumerReceivesNoBufferedElements() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.fixes(.house, keeping: .all(upTo: 10))
    for second in 1...3 { await source.emit(fix(5, at: Double(second))) }
    let consumer = Task {
      var taken: [Fix] = []
      for await fix in stream {
        taken.append(fix)
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return taken
    }
    #expect(await consumer.value == [fix(5, at: 1)])
    #expect(await source.demand { $0 == .off } == .off)
  }

  @Test func cancellingAWaitingConsumerEndsIterationAndDemand() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.fixes(.house, keeping: .all(upTo: 10))
    let (taken, taking) = AsyncStream.makeStream(of: Fix.self)
    let consumer = Task {
      var iterator = stream.makeAsyncIterator()
      while let fix = await iterator.next() { taking.yield(fix) }
      // The iterator still exists.
      _ = await source.demand { $0 == .off }
      return await iterator.next() == nil
    }
    let expected = fix(5, at: 1)
    await source.emit(expected)
    for await fix in taken {
      #expect(fix == expected)
      break
    }
    consumer.cancel()
    #expect(await consumer.value)
    #expect(await source.demand { $0 == .off } == .off)
    withExtendedLifetime(stream) {}
  }

  @Test func cancellationBeforeTheFirstFixEndsAtOnce() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.fixes(.house, keeping: .all(upTo: 10))
    await source.emit(fix(5, at: 1))
    let consumer = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      for await _ in stream { return false }
      return true
    }
    #expect(await consumer.value)
    #expect(await source.demand { $0 == .off } == .off)
    withExtendedLifetime(stream) {}
  }
}
