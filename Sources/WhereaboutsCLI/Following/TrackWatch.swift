import Whereabouts
import WhereaboutsCore

/// A tracker as lines, as a panel on a terminal, or as JSON; and its way into a file.
actor TrackWatch {
  /// How it is shown.
  enum Display: Sendable {
    case json, lines, panel
  }

  private let manager: LocationManager
  private let terms: TrackTerms
  private let trip: KeptTrip?
  private let display: Display
  private let output: OutputFile
  private let file: TrackFile?
  private let waits: Bool
  private var tally = WayTally()
  private var late = 0
  private var doubled = 0
  private var totals: TrackTotals
  private var began: UTCTime?
  private var panel = TrackPanel()
  private var end = FollowingSession.End()
  /// Whether nothing more is to be shown: nobody reads it any more, or something failed.
  private var isOver = false
  /// What is being watched; `nil` before it has begun.
  private var tracker: Tracker?
  private var isStopped = false

  /// - Parameters:
  ///   - trip: what it is kept as, if it is.
  ///   - file: where the way is saved, if that is wanted.
  ///   - waits: whether the source can wait for a slow reader, as a recording can.
  init(
    _ manager: LocationManager, _ terms: TrackTerms, trip: KeptTrip? = nil, display: Display,
    file: sending TrackFile?, waits: Bool
  ) throws(CommandFailure) {
    self.manager = manager
    self.terms = terms
    self.trip = trip
    totals = trip?.before?.totals ?? TrackTotals()
    began = trip?.before?.began
    self.display = display
    self.file = file
    self.waits = waits
    output = try OutputFile(path: nil, replacing: false)
  }

  /// Counts from here on, shows what comes until the source is over or ``stop()`` was called, and sums it up.
  func run() async -> FollowingSession.End {
    var terms = terms
    terms.trip = trip?.id
    let tracker = manager.tracker(terms, startsAtOnce: true, waitingForPoints: waits ? 64 : nil)
    self.tracker = tracker
    if isStopped { await stop() }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await point in tracker.points { await self.take(point) } }
      group.addTask { for await update in tracker.updates { await self.take(update) } }
      group.addTask { for await event in tracker.events { await self.take(event) } }
    }
    finish()
    return end
  }

  /// Ends it, with all of the way settled.
  func stop() async {
    isStopped = true
    await tracker?.stop()
    tracker?.end()
  }

  /// Whether any fix has counted, in this run or before.
  var hasBegun: Bool { began != nil || tally.points > 0 }

  // MARK: What comes

  private func take(_ point: TrackPoint) {
    tally.take(point)
    attempt {
      try file?.add(point)
      guard display == .json else { return }
      TrackJSON.append(point, to: &output.bytes)
      try tell()
    }
  }

  private func take(_ update: TrackUpdate) {
    totals = update.totals
    (late, doubled) = (update.leftOut, update.doubled)
    began = began ?? update.fix?.time
    attempt { try file?.flush() }
    guard !isOver, update.phase != .stopped else { return }
    let line = TrackLine(update: update, began: began)
    attempt {
      switch display {
      case .json: TrackJSON.append(update, to: &output.bytes)
      case .lines:
        // A line that stays is for news.
        guard update.fix != nil else { return }
        output.bytes.appendText("\(line.text)\n")
      case .panel:
        // The last column stays free: a terminal that wraps there would begin a new line.
        let columns = (System.columns(System.standardOutput) ?? 80) - 1
        guard let text = panel.show(line, columns: columns, at: .now) else { return }
        output.bytes.appendText(text)
      }
      try tell()
    }
  }

  private func take(_ event: TrackEvent) {
    attempt {
      switch event {
      case .phase(_, because: .unauthorized(let authorization)):
        try clear()
        try LiveLines.reportRefusal(authorization)
      case .phase: break
      case .trouble(let trouble):
        try clear()
        try LiveLines.report(trouble)
      case .authorization(let authorization):
        try clear()
        try LiveLines.report(authorization)
      }
    }
  }

  // MARK: What is shown

  private func tell() throws {
    try output.flush()
    end.shown += 1
  }

  private func clear() throws {
    output.bytes.appendText(panel.erase())
    try output.flush()
  }

  private func finish() {
    tally.finish()
    // What could not be read to its end may be gone on with.
    if let trip, end.failure == nil { manager.endTrip(trip.id) }
    let way = Way(totals: totals, tally: tally, late: late, doubled: doubled, activity: terms.activity)
    attempt {
      try file?.finish()
      try clear()
      if display == .json {
        TrackJSON.append(way, of: nil, trip: trip?.id, to: &output.bytes)
      } else if let trip, trip.before != nil {
        for line in GoneOnText.lines(way, of: trip) { output.bytes.appendText("\(line)\n") }
      } else {
        for line in WayText(way: way).lines { output.bytes.appendText("\(line)\n") }
      }
      try output.flush()
      guard tally.points > 0 || totals.distance > 0 else {
        throw CommandFailure("there was no way to measure: too few fixes came")
      }
    }
  }

  /// Does something that may fail; the first failure ends it all.
  private func attempt(_ body: () throws -> Void) {
    guard !isOver else { return }
    do {
      try body()
    } catch is OutputFile.ReaderGone {
      // The way is still saved.
      isOver = file == nil
      if isOver { tracker?.end() }
    } catch {
      isOver = true
      end.failure = error as? CommandFailure ?? CommandFailure("\(error)")
      tracker?.end()
    }
  }
}
