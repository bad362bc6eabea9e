import WhereaboutsModel

/// A buffer that holds the events of a recording until no later fix can change them.
///
/// Fixes that are duplicated, or shuffled within the limit for late fixes, give the same events. The buffer emits
/// events in the order of settlement and numbers them from 1.
struct FenceEventSettler {
  private let lateness: Duration
  private var pending: [FenceEvent] = []
  private var newest: UTCTime?
  private var lastNumber: UInt64

  /// - Parameters:
  ///   - lateness: the maximum delay of a fix behind newer fixes.
  ///   - number: the number of the last event reported before.
  init(lateness: Duration, after number: UInt64 = 0) {
    self.lateness = lateness
    lastNumber = number
  }

  /// The number of the last reported event.
  var lastReportedNumber: UInt64 { lastNumber }

  /// Processes a fence record.
  mutating func process(_ record: FenceRecord) {
    switch record {
    case .event(let event): pending.append(event)
    case .revised(let id, let event):
      pending.removeAll { $0.id == id }
      if let event { pending.append(event) }
    case .decided, .removed: break
    }
  }

  /// Advances to the time of a fix, and emits every event that no later fix can change.
  mutating func advance(to time: UTCTime?, emit: (ReportedFenceEvent) throws -> Void) rethrows {
    if let time { newest = max(newest ?? time, time) }
    guard let newest, !pending.isEmpty else { return }
    try self.emit(pending.filter { newest.since($0.decided) > lateness }, emit)
  }

  /// Ends a segment of fixes, and emits the remaining events.
  mutating func finish(emit: (ReportedFenceEvent) throws -> Void) rethrows {
    newest = nil
    try self.emit(pending, emit)
  }

  private mutating func emit(_ settled: [FenceEvent], _ notify: (ReportedFenceEvent) throws -> Void) rethrows
  {
    guard !settled.isEmpty else { return }
    let ids = Set(settled.map(\.id))
    pending.removeAll { ids.contains($0.id) }
    for event in settled.sorted(by: Self.isBefore) {
      lastNumber += 1
      try notify(ReportedFenceEvent(event, id: lastNumber))
    }
  }

  private static func isBefore(_ one: FenceEvent, _ other: FenceEvent) -> Bool {
    (one.decided, one.time, one.fence, one.kind.order) < (
      other.decided, other.time, other.fence, other.kind.order
    )
  }
}

extension FenceEvent.Kind {
  /// The rank among events of the same time.
  fileprivate var order: Int {
    switch self {
    case .enter: 0
    case .dwell: 1
    case .exit: 2
    }
  }
}
