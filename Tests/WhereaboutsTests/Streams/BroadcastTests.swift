import Testing
@testable import Whereabouts

@Suite struct BroadcastTests {
  private func collect<Value>(_ stream: EventStream<Value>) async -> [Value] {
    var values: [Value] = []
    for await value in stream { values.append(value) }
    return values
  }

  /// Sends until the end of the last listener's mailbox, which another task brings.
  private func sendUntilNobodyListens(_ broadcast: inout EventBroadcast<Int>) async {
    while !broadcast.hasNoListeners {
      // A call of a mailbox may keep the thread, and the other task needs one.
      await Task.yield()
      await broadcast.send(2)
    }
  }

  @Test func listenerReceivesEveryEventSinceItAttached() async {
    var broadcast = EventBroadcast<Int>()
    #expect(broadcast.hasNoListeners)
    let early = EventStream<Int>(keeping: .all(upTo: 10)) { broadcast.attach($0) }
    #expect(!broadcast.hasNoListeners)
    await broadcast.send(1)
    let late = EventStream<Int>(keeping: .all(upTo: 10)) { broadcast.attach($0) }
    await broadcast.send(2)
    await broadcast.send(2)
    await broadcast.finish()
    #expect(await collect(early) == [1, 2, 2])
    #expect(await collect(late) == [2, 2])
  }

  @Test func droppedEventsAreCounted() async {
    var broadcast = EventBroadcast<Int>()
    let newest = EventStream<Int>(keeping: .newest(2)) { broadcast.attach($0) }
    let first = EventStream<Int>(keeping: .all(upTo: 2)) { broadcast.attach($0) }
    for event in 1...5 { await broadcast.send(event) }
    await broadcast.finish()
    #expect(await newest.dropped == 3)
    #expect(await collect(newest) == [4, 5])
    var iterator = first.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    #expect(await iterator.next() == 2)
    #expect(iterator.dropped == 0)
    #expect(await iterator.next() == nil)
    #expect(iterator.dropped == 3)
  }

  @Test func endedStreamStillDeliversBufferedEvents() async {
    var broadcast = EventBroadcast<Int>()
    let stream = EventStream<Int>(keeping: .all(upTo: 1)) { broadcast.attach($0) }
    await broadcast.send(1)
    stream.end()
    await sendUntilNobodyListens(&broadcast)
    #expect(await collect(stream) == [1])
  }

  @Test func releasedListenerIsRemoved() async {
    var broadcast = EventBroadcast<Int>()
    weak var gone: Mailbox<Int>?
    do {
      _ = EventStream<Int>(keeping: .newest(1)) {
        gone = $0
        broadcast.attach($0)
      }
    }
    #expect(gone == nil)
    await broadcast.send(1)
    #expect(broadcast.hasNoListeners)
  }

  @Test func listenerThatLeftItsLoopIsRemovedWhileItsStreamIsHeld() async {
    var broadcast = EventBroadcast<Int>()
    let stream = EventStream<Int>(keeping: .newest(1)) { broadcast.attach($0) }
    await broadcast.send(1)
    for await _ in stream { break }
    await sendUntilNobodyListens(&broadcast)
    withExtendedLifetime(stream) {}
  }

  @Test func cancelledListenerIsRemoved() async {
    var broadcast = EventBroadcast<Int>()
    let stream = EventStream<Int>(keeping: .newest(1)) { broadcast.attach($0) }
    await broadcast.send(1)
    let listener = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      for await _ in stream { return false }
      return true
    }
    #expect(await listener.value)
    await broadcast.send(2)
    #expect(broadcast.hasNoListeners)
  }

  @Test func cancellingAWaitingListenerEndsItsIteration() async {
    var broadcast = EventBroadcast<Int>()
    let stream = EventStream<Int>(keeping: .newest(1)) { broadcast.attach($0) }
    let (received, receivedContinuation) = AsyncStream.makeStream(of: Int.self)
    let listener = Task { for await event in stream { receivedContinuation.yield(event) } }
    await broadcast.send(1)
    for await _ in received { break }
    listener.cancel()
    await listener.value
  }

  @Test func stateStreamStartsWithTheCurrentStateAndSkipsOldOnes() async {
    var broadcast = StateBroadcast("calm")
    let first = Mailbox<String>(policy: .newest(1))
    await broadcast.attach(first)
    let watched = StateStream<String> { _ in false }
    var nothing = watched.makeAsyncIterator()
    #expect(await nothing.next() == nil, "the sender was released")
    var states = EventStream(mailbox: first).makeAsyncIterator()
    #expect(await states.next() == "calm")
    await broadcast.send("wind")
    await broadcast.send("storm")
    #expect(await states.next() == "storm")
    await broadcast.send("storm")
    await broadcast.finish()
    #expect(await states.next() == nil, "an unchanged state is not repeated")
  }

  @Test func stateStreamSupportsManyIterators() async {
    let (mailboxes, bringing) = AsyncStream.makeStream(of: Mailbox<Int>.self)
    let stream = StateStream<Int> {
      if case .terminated = bringing.yield($0) { false } else { true }
    }
    var iterators = [stream.makeAsyncIterator(), stream.makeAsyncIterator()]
    var broadcast = StateBroadcast(7)
    var attached = 0
    for await mailbox in mailboxes {
      await broadcast.attach(mailbox)
      attached += 1
      if attached == 2 { break }
    }
    for index in iterators.indices { #expect(await iterators[index].next() == 7) }
    await broadcast.send(8)
    await broadcast.finish()
    for index in iterators.indices {
      #expect(await iterators[index].next() == 8)
      #expect(await iterators[index].next() == nil)
    }
  }
}
