import Testing
import WhereaboutsTesting
@testable import Whereabouts

@Suite struct MailboxTests {
  /// Enqueues letters: capitals are never dropped, small letters may be dropped.
  private func enqueue(_ text: String, into mailbox: Mailbox<Character>) async {
    for character in text {
      await mailbox.enqueue(character, as: character.isUppercase ? .essential : .droppable)
    }
  }

  /// Returns all deliveries, each preceded by the number of drops before it: `T2bc` is T, b after two drops, and c.
  private func drain(_ mailbox: Mailbox<Character>) async -> String {
    var text = ""
    while case .delivery(let delivery) = await mailbox.dequeue() {
      if delivery.droppedBefore > 0 { text += "\(delivery.droppedBefore)" }
      text.append(delivery.content)
    }
    return text
  }

  @Test(arguments: [
    // (buffering policy, enqueued, delivered)
    (Mailbox<Character>.BufferingPolicy.newest(1), "abc", "2c"),
    (.newest(2), "abcd", "2cd"),
    (.newest(1), "Ta", "Ta"),
    (.newest(1), "aTbUc", "TU2c"),
    (.newest(2), "aTbUcVd", "TU2cVd"),
    (.newest(2), "aTbcUd", "T2cUd"),
    (.newest(1), "aTUb", "TU1b"),
    (.first(1), "abc", "a"),
    (.first(2), "aTbcUd", "aTbU"),
    (.unbounded, "aTTbc", "aTTbc"),
    // Equal elements that become neighbours by drops are delivered once; original neighbours are all delivered.
    (.newest(1), "aTbTc", "T2c"),
    (.newest(1), "aTTb", "TT1b"),
    (.newest(1), "aTbTcUdTe", "TUT4e"),
    (.newest(2), "aTbTcTd", "T2cTd"),
    (.first(1), "aTbTcT", "aT"),
    (.first(1), "aTbUcT", "aTUT"),
    (.first(1), "aTT", "aTT"),
  ]) func onlyDroppableElementsAreDropped(
    keeping: Mailbox<Character>.BufferingPolicy, put: String, found: String
  ) async {
    let mailbox = Mailbox<Character>(policy: keeping)
    await self.enqueue(put, into: mailbox)
    #expect(await drain(mailbox) == found)
  }

  @Test func dropsAfterTheLastDeliveryAreCountedAtTheEnd() async {
    let mailbox = Mailbox<Character>(policy: .first(1))
    await enqueue("abc", into: mailbox)
    #expect(await drain(mailbox) == "a")
    await enqueue("def", into: mailbox)
    #expect(await drain(mailbox) == "2d")
    await mailbox.finish()
    guard case .finished(let dropped) = await mailbox.dequeue() else {
      Issue.record("the mailbox is not finished")
      return
    }
    #expect(dropped == 2)
    #expect(await mailbox.dropped == 4)
    #expect(await mailbox.enqueue("g", as: .droppable) == .finished)
  }

  /// Compares a mailbox with a plain list that is reduced after each step.
  @Test(arguments: 1...200) func mailboxEqualsAReferenceList(seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...4, using: &random)
    let keepsNewest = Bool.random(using: &random)
    let mailbox = Mailbox<Int>(policy: keepsNewest ? .newest(count) : .first(count))
    var list: [(content: Int, mayBeDropped: Bool)] = []
    var delivered = 0
    var dropped = 0
    for step in 0..<200 {
      if Int.random(in: 0..<3, using: &random) > 0 {
        let mayBeDropped = Bool.random(using: &random)
        await mailbox.enqueue(step, as: mayBeDropped ? .droppable : .essential)
        list.append((step, mayBeDropped))
        let droppable = list.indices.filter { list[$0].mayBeDropped }
        if droppable.count > count {
          dropped += 1
          list.remove(at: keepsNewest ? droppable[0] : droppable[count])
        }
      } else if case .delivery(let delivery) = await mailbox.dequeue() {
        let expected = list.removeFirst()
        #expect(delivery.content == expected.content, "seed \(seed)")
        delivered += delivery.droppedBefore
      } else {
        #expect(list.isEmpty, "seed \(seed)")
      }
    }
    while case .delivery(let delivery) = await mailbox.dequeue() { delivered += delivery.droppedBefore }
    await mailbox.finish()
    if case .finished(let last) = await mailbox.dequeue() { delivered += last }
    #expect(delivered == dropped, "seed \(seed)")
    #expect(await mailbox.dropped == dropped, "seed \(seed)")
  }

  // MARK: Consumers

  @Test func laterConsumerIsWokenAfterACancelledOne() async {
    let mailbox = Mailbox<Character>(policy: .unbounded)
    let cancelled = Task { for await _ in mailbox.wakes {} }
    cancelled.cancel()
    await cancelled.value
    let wakes = await mailbox.renewWakes(for: 2)
    await enqueue("a", into: mailbox)
    var iterator = wakes?.makeAsyncIterator()
    let isWoken = await iterator?.next() != nil
    #expect(isWoken)
    let hasOthers = await mailbox.renewWakes(for: 2) != nil
    #expect(!hasOthers, "a consumer of the same number has begun")
    await mailbox.finish()
    let hasEnded = await iterator?.next() == nil
    #expect(hasEnded)
  }

  @Test func sourceWaitsForAPresentConsumerOnly() async {
    let mailbox = Mailbox<Fix>(policy: .unbounded)
    var channel = UpdateChannel(.waiting(upTo: 1), mailbox)
    await channel.send(.fix(fix(5, at: 0)))
    #expect(channel.isBehind, "the first consumer may come yet")
    channel.process(.began(1))
    #expect(channel.isBehind)
    channel.process(.left(1))
    #expect(!channel.isBehind)
    channel.process(.began(2))
    #expect(channel.isBehind)
    channel.process(.left(1))
    #expect(channel.isBehind, "an earlier consumer has left")
    channel.markConsumed(1)
    #expect(!channel.isBehind)
  }

  /// Elements that a consumer leaves unreported are reported with those of the next one.
  @Test func consumptionIsReportedInBatches() async {
    let (reports, continuation) = AsyncStream.makeStream(of: Int.self)
    let consumption = ConsumptionReport(batch: 3) { continuation.yield($0) }
    for _ in 1...7 { consumption.count() }
    continuation.finish()
    var found: [Int] = []
    for await report in reports { found.append(report) }
    #expect(found == [3, 3])
  }
}
