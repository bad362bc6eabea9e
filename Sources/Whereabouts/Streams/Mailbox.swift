import DequeModule

/// What one consumer has not taken yet: everything in order, but of what may be dropped only so much.
///
/// Notices are bounded too: where dropping brings two equal ones together they count as one, and of more than
/// ``mostNotices`` the oldest is dropped and counted. Whatever is essential is never dropped.
actor Mailbox<Content: Sendable & Equatable> {
  /// How an entry is dropped.
  enum Kind: Sendable {
    /// By the policy asked for.
    case droppable
    /// The oldest, where there are more than ``mostNotices``: troubles and changes of permission.
    case notice
    /// Never.
    case essential
  }

  /// So many notices wait for a consumer.
  static var mostNotices: Int { 100 }

  enum Keeping: Sendable {
    /// The newest so many; older ones are dropped.
    case newest(Int)
    /// The first so many; newer ones are dropped.
    case first(Int)
    case everything
  }

  struct Delivery: Sendable {
    let content: Content
    /// How many were dropped since the last delivery of something that may be dropped; 0 for everything else.
    let droppedBefore: Int
  }

  enum Receipt: Sendable {
    case kept
    /// It has taken the place of an older notice.
    case replaced
    /// There was no room for it, or it says nothing new.
    case notKept
    /// Nobody will take anything any more.
    case over
  }

  enum Next: Sendable {
    case delivery(Delivery)
    /// More may come: look again after the next wake.
    case nothingYet
    /// Nothing will come any more; so many were dropped after the last delivery.
    case over(dropped: Int)
  }

  private struct Entry {
    let content: Content
    /// Its number among those that may be dropped, from 0.
    let number: Int?
    let isNotice: Bool
  }

  /// Wakes the consumer; ends with the mailbox. A wake is a hint: there may be nothing.
  nonisolated let wakes: AsyncStream<Void>

  private let waker: AsyncStream<Void>.Continuation
  private let keeping: Keeping
  private var entries: Deque<Entry> = []
  private var droppable = 0
  private var numbers = 0
  private var expected = 0
  private(set) var isOver = false
  /// The last that came was dropped.
  private var hasDroppedLast = false

  /// How many were dropped so far.
  private(set) var dropped = 0

  private var notices = 0
  /// How many notices were dropped so far.
  private(set) var droppedNotices = 0

  init(keeping: Keeping) {
    self.keeping = keeping
    (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Puts something in, or drops it or an older one where there is no room.
  @discardableResult
  func put(_ content: Content, mayBeDropped: Bool) -> Receipt {
    put(content, as: mayBeDropped ? .droppable : .essential)
  }

  /// Puts something in, or drops it or an older one where there is no room.
  @discardableResult
  func put(_ content: Content, as kind: Kind) -> Receipt {
    guard !isOver else { return .over }
    var number: Int?
    if kind == .droppable {
      number = numbers
      numbers += 1
      guard makeRoom() else { return .notKept }
      droppable += 1
    } else if hasDroppedLast, let last = entries.last, last.number == nil, last.content == content {
      return .notKept
    }
    hasDroppedLast = false
    let replaces = kind == .notice && dropOldestNotice()
    if kind == .notice { notices += 1 }
    entries.append(Entry(content: content, number: number, isNotice: kind == .notice))
    waker.yield()
    return replaces ? .replaced : .kept
  }

  /// Makes room for one more notice.
  ///
  /// - Returns: whether an older one had to go.
  private func dropOldestNotice() -> Bool {
    guard notices >= Self.mostNotices, let oldest = entries.firstIndex(where: \.isNotice) else {
      return false
    }
    entries.remove(at: oldest)
    notices -= 1
    droppedNotices += 1
    return true
  }

  /// Makes room for one more that may be dropped.
  ///
  /// - Returns: false where it is that one which is dropped.
  private func makeRoom() -> Bool {
    switch keeping {
    case .newest(let count) where droppable >= count:
      dropped += 1
      dropOldest()
      return true
    case .first(let count) where droppable >= count:
      dropped += 1
      hasDroppedLast = true
      return false
    case .newest, .first, .everything:
      return true
    }
  }

  private func dropOldest() {
    // What may not be dropped can stand before it.
    guard let oldest = entries.firstIndex(where: { $0.number != nil }) else { return }
    entries.remove(at: oldest)
    droppable -= 1
    if oldest > 0, oldest < entries.count, entries[oldest].number == nil,
      entries[oldest].content == entries[oldest - 1].content
    {
      if entries.remove(at: oldest).isNotice { notices -= 1 }
    }
  }

  /// Takes the oldest out.
  func take() -> Next {
    guard let entry = entries.popFirst() else {
      return isOver ? .over(dropped: numbers - expected) : .nothingYet
    }
    if entry.isNotice { notices -= 1 }
    guard let number = entry.number else {
      return .delivery(Delivery(content: entry.content, droppedBefore: 0))
    }
    defer { expected = number + 1 }
    droppable -= 1
    return .delivery(Delivery(content: entry.content, droppedBefore: number - expected))
  }

  /// Lets nothing more in; what is in can still be taken.
  func finish() {
    isOver = true
    waker.finish()
  }
}
