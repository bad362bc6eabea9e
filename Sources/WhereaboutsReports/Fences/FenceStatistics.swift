import WhereaboutsModel

/// Statistics of a recording or a watch for each fence: events, durations and suppressed events.
package struct FenceStatistics {
  /// The statistics of one fence.
  package struct Row {
    /// The numbers of events, without initial ones.
    package var enters = 0
    package var exits = 0
    package var dwells = 0
    /// The duration of each stay in seconds. A stay that lasts until the end counts too.
    var stays: [Double] = []
    /// The start of the current stay; `nil` outside.
    var insideSince: UTCTime?
    /// Whether the side of the boundary was ever determined.
    var isDetermined = false
    /// The time of the first event.
    var firstEvent: UTCTime?
    /// The time of the last exit.
    var lastExit: UTCTime?
    /// The time of the last exit that was not reported. It may be known before an earlier enter is settled.
    var unreportedExit: UTCTime?
    /// The time from each exit to the next enter, in seconds.
    var absences: [Double] = []
    /// The time from each crossing to its decision, in seconds.
    var latencies: [Double] = []
    /// The number of suppressed events by reason.
    var suppressed: [SuppressionReason: Int] = [:]

    /// The number of decisions against an event.
    package var withheld: Int { suppressed.values.reduce(0, +) }
    /// The total time inside, in seconds.
    var timeInside: Double { stays.reduce(0, +) }

    /// Begins a stay, unless the device is inside already.
    fileprivate mutating func beginStay(at time: UTCTime) {
      if let exit = unreportedExit, exit >= time {
        stays.append(exit.seconds(since: time))
      } else {
        insideSince = insideSince ?? time
      }
    }

    /// Ends the current stay, if there is one.
    fileprivate mutating func endStay(at time: UTCTime) {
      if let since = insideSince { stays.append(max(time.seconds(since: since), 0)) }
      insideSince = nil
    }
  }

  private(set) var rows: [FenceID: Row] = [:]
  /// The number of fixes without use for any fence, by reason.
  private(set) var unusedFixes: [SuppressionReason: Int] = [:]
  private(set) var last: UTCTime?

  /// The statistics of a fence.
  subscript(fence: FenceID) -> Row { rows[fence] ?? Row() }

  /// Processes a reported event.
  mutating func process(_ event: ReportedFenceEvent) {
    guard event.status == .new else { return }
    var row = self[event.fence]
    row.isDetermined = true
    row.firstEvent = row.firstEvent ?? event.time
    switch event.kind {
    case .enter:
      row.enters += event.manner == .initial ? 0 : 1
      if let left = row.lastExit { row.absences.append(event.time.seconds(since: left)) }
      row.beginStay(at: event.time)
    case .exit:
      row.exits += event.manner == .initial ? 0 : 1
      row.endStay(at: event.time)
      row.lastExit = event.time
    case .dwell:
      row.dwells += 1
    }
    if event.manner != .initial { row.latencies.append(event.latency) }
    rows[event.fence] = row
  }

  /// Processes a decision that is no event.
  mutating func process(_ decision: FenceDecision) {
    switch decision {
    case .determined(let fence, let side, let evidence):
      rows[fence, default: Row()].isDetermined = true
      if side == .inside { rows[fence, default: Row()].beginStay(at: evidence.time) }
    case .notAskedFor(let fence, let kind, let time), .outsideHours(let fence, let kind, let time):
      // The device crossed the boundary, although no event reports it.
      switch kind {
      case .enter: rows[fence, default: Row()].beginStay(at: time)
      case .exit:
        rows[fence, default: Row()].endStay(at: time)
        rows[fence, default: Row()].unreportedExit = time
      case .dwell: break
      }
    default: break
    }
    guard let reason = SuppressionReason(decision) else { return }
    if let fence = decision.fence {
      rows[fence, default: Row()].suppressed[reason, default: 0] += 1
    } else {
      unusedFixes[reason, default: 0] += 1
    }
  }

  /// Advances to the time of a fix.
  mutating func advance(to time: UTCTime?) {
    guard let time else { return }
    last = last.map { max($0, time) } ?? time
  }

  /// Ends the run. A current stay lasts until the last fix, or until its fence was removed.
  ///
  /// - Parameter fences: the watched fences.
  mutating func finish(watching fences: [Fence] = []) {
    guard let last else { return }
    let terms = Dictionary(fences.map { ($0.id, $0.terms) }) { first, _ in first }
    for (fence, row) in rows {
      guard let since = row.insideSince else { continue }
      let ends = [terms[fence]?.expiry, terms[fence]?.once == true ? row.firstEvent : nil]
      guard let removed = ends.compactMap({ $0 }).min(), removed <= last else {
        rows[fence]?.stays.append(max(last.seconds(since: since), 0))
        continue
      }
      rows[fence]?.insideSince = nil
      if removed > since { rows[fence]?.stays.append(removed.seconds(since: since)) }
    }
  }
}

extension FenceDecision {
  /// The fence of the decision; `nil` for a decision about a fix.
  var fence: FenceID? {
    switch self {
    case .determined(let fence, _, _), .suspected(let fence, _, _), .dismissed(let fence, _, _, _),
      .atRest(let fence, _, _), .waiting(let fence, _, _), .tooShort(let fence, _, _, _),
      .notAskedFor(let fence, _, _), .outsideHours(let fence, _, _):
      fence
    case .tooCoarse, .doubted, .tooLate, .timeless: nil
    }
  }
}
