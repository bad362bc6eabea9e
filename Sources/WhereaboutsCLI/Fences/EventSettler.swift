import WhereaboutsCore

/// Holds the events of a recording back until no fix can change them any more, so that one whose fixes are shuffled within
/// the bound for late ones, or doubled, gives the same.
///
/// They come out in the order in which they were settled, with numbers of their own from 1.
struct EventSettler {
  private let lateness: Duration
  private var waiting: [FenceEvent] = []
  private var newest: UTCTime?
  private var lastNumber: UInt64

  /// - Parameters:
  ///   - lateness: how much later than newer ones a fix may come.
  ///   - number: of the last event that was told before.
  init(lateness: Duration, after number: UInt64 = 0) {
    self.lateness = lateness
    lastNumber = number
  }

  /// The number of the event that was told last.
  var last: UInt64 { lastNumber }

  /// Takes what a watch has to say of events.
  mutating func take(_ note: FenceNote) {
    switch note {
    case .event(let event): waiting.append(event)
    case .revised(let id, let event):
      waiting.removeAll { $0.id == id }
      if let event { waiting.append(event) }
    case .decided, .removed: break
    }
  }

  /// A fix came that was made then: gives what none that may still come can change.
  mutating func advance(to time: UTCTime?, tell: (ToldEvent) throws -> Void) rethrows {
    if let time { newest = max(newest ?? time, time) }
    guard let newest, !waiting.isEmpty else { return }
    try self.tell(waiting.filter { newest.since($0.decided) > lateness }, tell)
  }

  /// No fix comes that belongs to those before: gives the rest.
  mutating func finish(tell: (ToldEvent) throws -> Void) rethrows {
    newest = nil
    try self.tell(waiting, tell)
  }

  private mutating func tell(_ settled: [FenceEvent], _ tell: (ToldEvent) throws -> Void) rethrows {
    guard !settled.isEmpty else { return }
    let ids = Set(settled.map(\.id))
    waiting.removeAll { ids.contains($0.id) }
    for event in settled.sorted(by: Self.isBefore) {
      lastNumber += 1
      try tell(ToldEvent(event, id: lastNumber))
    }
  }

  private static func isBefore(_ one: FenceEvent, _ other: FenceEvent) -> Bool {
    (one.decided, one.time, one.fence, one.kind.order) < (
      other.decided, other.time, other.fence, other.kind.order
    )
  }
}

extension FenceEvent.Kind {
  /// Which of two at one time comes first.
  fileprivate var order: Int {
    switch self {
    case .enter: 0
    case .dwell: 1
    case .exit: 2
    }
  }
}
