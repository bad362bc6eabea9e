import DequeModule

/// The buffer of one consumer at a time, in order, with a limit for droppable entries.
///
/// Notices are bounded too. Equal notices that dropping brings together count as one, and beyond ``maximumNotices``
/// the oldest is dropped and counted. Essential entries are never dropped.
actor Mailbox<Content: Sendable & Equatable> {
  /// The way an entry may be dropped.
  enum Kind: Sendable {
    /// Dropped by the policy.
    case droppable
    /// A problem or change of permission: the oldest is dropped beyond ``maximumNotices``.
    case notice
    /// Never dropped.
    case essential
  }

  /// The maximum number of unconsumed notices.
  static var maximumNotices: Int { 100 }

  enum BufferingPolicy: Sendable {
    /// Keeps this many of the newest; older ones are dropped.
    case newest(Int)
    /// Keeps this many of the first; newer ones are dropped.
    case first(Int)
    case unbounded
  }

  struct Delivery: Sendable {
    let content: Content
    /// The number of entries dropped since the last droppable delivery; 0 for an essential entry or a notice.
    let droppedBefore: Int
  }

  enum Receipt: Sendable {
    case accepted
    /// The entry has replaced an older notice.
    case replaced
    /// The entry was dropped: the buffer is full, or the entry repeats the last one.
    case dropped
    /// The mailbox has no consumer any more.
    case finished
  }

  enum Next: Sendable {
    case delivery(Delivery)
    /// Nothing for now; dequeue again after the next wake.
    case empty
    /// No more entries follow. Holds the number of entries dropped after the last delivery.
    case finished(dropped: Int)
  }

  private struct Entry {
    let content: Content
    /// The number among the droppable entries, from 0.
    let number: Int?
    let isNotice: Bool
  }

  /// The wakes of the first consumer, which end with the mailbox. A wake is a hint: the mailbox may be empty.
  nonisolated let wakes: AsyncStream<Void>

  private var waker: AsyncStream<Void>.Continuation
  /// The number of the consumer that is woken, from 1.
  private var consumer = 1
  private let policy: BufferingPolicy
  private var entries: Deque<Entry> = []
  private var droppableCount = 0
  private var nextNumber = 0
  private var nextExpectedNumber = 0
  private(set) var isFinished = false
  /// Whether the last entry was dropped.
  private var hasDroppedLast = false

  /// The number of entries dropped so far.
  private(set) var dropped = 0

  private var noticeCount = 0
  /// The number of notices dropped so far.
  private(set) var droppedNotices = 0

  init(policy: BufferingPolicy) {
    self.policy = policy
    (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Enqueues an entry. A full mailbox drops the entry or an older one.
  @discardableResult
  func enqueue(_ content: Content, as kind: Kind) -> Receipt {
    guard !isFinished else { return .finished }
    var number: Int?
    if kind == .droppable {
      number = nextNumber
      nextNumber += 1
      guard makeRoom() else { return .dropped }
      droppableCount += 1
    } else if hasDroppedLast, let last = entries.last, last.number == nil, last.content == content {
      return .dropped
    }
    hasDroppedLast = false
    let replaces = kind == .notice && dropOldestNotice()
    if kind == .notice { noticeCount += 1 }
    entries.append(Entry(content: content, number: number, isNotice: kind == .notice))
    waker.yield()
    return replaces ? .replaced : .accepted
  }

  /// Makes room for one more notice.
  ///
  /// - Returns: whether an older notice was dropped.
  private func dropOldestNotice() -> Bool {
    guard noticeCount >= Self.maximumNotices, let oldest = entries.firstIndex(where: \.isNotice) else {
      return false
    }
    entries.remove(at: oldest)
    noticeCount -= 1
    droppedNotices += 1
    return true
  }

  /// Makes room for one more droppable entry.
  ///
  /// - Returns: false if the new entry must be dropped.
  private func makeRoom() -> Bool {
    switch policy {
    case .newest(let count) where droppableCount >= count:
      dropped += 1
      dropOldest()
      return true
    case .first(let count) where droppableCount >= count:
      dropped += 1
      hasDroppedLast = true
      return false
    case .newest, .first, .unbounded:
      return true
    }
  }

  private func dropOldest() {
    // Essential entries may stand before the oldest droppable one.
    guard let oldest = entries.firstIndex(where: { $0.number != nil }) else { return }
    entries.remove(at: oldest)
    droppableCount -= 1
    if oldest > 0, oldest < entries.count, entries[oldest].number == nil,
      entries[oldest].content == entries[oldest - 1].content
    {
      if entries.remove(at: oldest).isNotice { noticeCount -= 1 }
    }
  }

  /// Removes the oldest entry and returns it.
  func dequeue() -> Next {
    guard let entry = entries.popFirst() else {
      return isFinished ? .finished(dropped: nextNumber - nextExpectedNumber) : .empty
    }
    if entry.isNotice { noticeCount -= 1 }
    guard let number = entry.number else {
      return .delivery(Delivery(content: entry.content, droppedBefore: 0))
    }
    defer { nextExpectedNumber = number + 1 }
    droppableCount -= 1
    return .delivery(Delivery(content: entry.content, droppedBefore: number - nextExpectedNumber))
  }

  /// Returns the wakes of a later consumer, and ends those of the consumer before.
  ///
  /// - Parameter consumer: the number of the consumer, at least 2.
  /// - Returns: the wakes; `nil` if a still later consumer has its own.
  func renewWakes(for consumer: Int) -> AsyncStream<Void>? {
    guard consumer > self.consumer else { return nil }
    self.consumer = consumer
    self.waker.finish()
    let (renewed, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.waker = waker
    if isFinished { waker.finish() }
    return renewed
  }

  /// Refuses further entries; buffered entries can still be consumed.
  func finish() {
    isFinished = true
    waker.finish()
  }
}
