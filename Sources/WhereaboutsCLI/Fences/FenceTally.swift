import WhereaboutsCore

/// What a recording or a watch amounts to for each fence: how often, how long, and what was held back.
struct FenceTally {
  /// What happened at one fence.
  struct Row {
    var enters = 0
    var exits = 0
    var dwells = 0
    /// Seconds of each stay that is over, or was not when all was over.
    var stays: [Double] = []
    /// Since when the device is inside.
    var insideSince: UTCTime?
    /// Whether a side was ever sure.
    var isDetermined = false
    /// When it left last.
    var lastExit: UTCTime?
    /// Seconds from each exit to the enter after it.
    var absences: [Double] = []
    /// Seconds from each crossing until it was known.
    var latencies: [Double] = []
    /// What did not become an event, by why.
    var heldBack: [HeldBack: Int] = [:]

    /// Seconds inside, all told.
    var timeInside: Double { stays.reduce(0, +) }
  }

  private(set) var rows: [FenceID: Row] = [:]
  /// Fixes of which nothing could be told, by why.
  private(set) var unused: [HeldBack: Int] = [:]
  private(set) var last: UTCTime?

  /// The row of a fence.
  subscript(fence: FenceID) -> Row { rows[fence] ?? Row() }

  /// Takes an event that is told.
  mutating func take(_ event: ToldEvent) {
    guard event.news == .new else { return }
    var row = self[event.fence]
    row.isDetermined = true
    switch event.kind {
    case .enter:
      row.enters += event.manner == .initial ? 0 : 1
      if let left = row.lastExit { row.absences.append(event.time.seconds(since: left)) }
      row.insideSince = row.insideSince ?? event.time
    case .exit:
      row.exits += event.manner == .initial ? 0 : 1
      if let since = row.insideSince { row.stays.append(max(event.time.seconds(since: since), 0)) }
      row.insideSince = nil
      row.lastExit = event.time
    case .dwell:
      row.dwells += 1
    }
    if event.manner != .initial { row.latencies.append(event.latency) }
    rows[event.fence] = row
  }

  /// Takes what was decided besides.
  mutating func take(_ decision: FenceDecision) {
    if case .determined(let fence, let side, let evidence) = decision {
      rows[fence, default: Row()].isDetermined = true
      if side == .inside, rows[fence]?.insideSince == nil {
        rows[fence, default: Row()].insideSince = evidence.time
      }
    }
    guard let why = HeldBack(decision) else { return }
    if let fence = decision.fence {
      rows[fence, default: Row()].heldBack[why, default: 0] += 1
    } else {
      unused[why, default: 0] += 1
    }
  }

  /// A fix was made then.
  mutating func advance(to time: UTCTime?) {
    guard let time else { return }
    last = last.map { max($0, time) } ?? time
  }

  /// All is over: what stays lasted until then.
  mutating func finish() {
    guard let last else { return }
    for (fence, row) in rows {
      guard let since = row.insideSince else { continue }
      rows[fence]?.stays.append(max(last.seconds(since: since), 0))
    }
  }
}

/// Why something did not become an event.
enum HeldBack: String, Hashable, CaseIterable {
  case dismissed = "likely for a while and never sure"
  case atRest = "fixes that wander while it rests"
  case tooShort = "too short to count"
  case notAskedFor = "not asked for"
  case outsideHours = "outside its hours"
  case tooCoarse = "too coarse"
  case doubted = "probably an outlier"
  case tooLate = "too late"
  case timeless = "without a time"

  /// The name of the same in JSON.
  var key: String {
    switch self {
    case .dismissed: "dismissed"
    case .atRest: "atRest"
    case .tooShort: "tooShort"
    case .notAskedFor: "notAskedFor"
    case .outsideHours: "outsideHours"
    case .tooCoarse: "tooCoarse"
    case .doubted: "doubted"
    case .tooLate: "tooLate"
    case .timeless: "timeless"
    }
  }

  /// What a decision says of that; `nil` where it holds nothing back.
  init?(_ decision: FenceDecision) {
    switch decision {
    case .determined, .suspected, .waiting: return nil
    case .doubted: self = .doubted
    case .dismissed: self = .dismissed
    case .atRest: self = .atRest
    case .tooShort: self = .tooShort
    case .notAskedFor: self = .notAskedFor
    case .outsideHours: self = .outsideHours
    case .tooCoarse: self = .tooCoarse
    case .tooLate: self = .tooLate
    case .timeless: self = .timeless
    }
  }
}

extension FenceDecision {
  /// The fence it is about; `nil` where it is about a fix.
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
