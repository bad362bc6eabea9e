package import Whereabouts
package import WhereaboutsModel
import WhereaboutsReports

/// A printer of a tracker as lines, as a terminal panel or as JSON. The printer can also write the track to a file.
package actor TrackPrinter {
  /// The form of the output.
  package enum Display: Sendable {
    case json, lines, panel
  }

  private let manager: LocationManager
  private let terms: TrackTerms
  private let trip: TrackedTrip?
  private let display: Display
  private let output: OutputFile
  private let file: TrackFile?
  /// The error of the last write to the file, if the write failed.
  private var fileError: CommandError?
  /// The first failure of the output of a run with a file.
  private var outputError: CommandError?
  private let waits: Bool
  private var statistics: TrackStatistics
  private var lateFixes = 0
  private var duplicates = 0
  private var totals: TrackTotals
  /// The provisional distance of the last update.
  private var ahead = 0.0
  private var began: UTCTime?
  /// The time of the last reported fix; before the first one, the end of the resumed trip.
  private var lastTime: UTCTime?
  /// Whether a fix of this run has been reported.
  private var hasFix = false
  private let start = ContinuousClock.now
  /// The time of the start by the wall clock.
  private let startTime = UTCTime.now
  private var panel = TrackPanel()
  private var outcome = LiveSession.Outcome()
  /// Whether output is over, because the reader closed the output or a write failed.
  private var isOver = false
  /// The tracker; `nil` before the start.
  private var tracker: Tracker?
  /// The consumer of the tracker's streams; `nil` before the start.
  private var reporting: Task<Void, Never>?
  /// The interrupt that ended the run, if any.
  private var interrupt: InterruptListener.Cause?

  /// - Parameters:
  ///   - trip: the trip that records the track, if any.
  ///   - file: the file for the track, if any.
  ///   - waits: whether the source waits for a slow reader, as a recording does.
  package init(
    _ manager: LocationManager, _ terms: TrackTerms, trip: TrackedTrip? = nil, display: Display,
    file: sending TrackFile?, waits: Bool
  ) throws(CommandError) {
    self.manager = manager
    self.terms = terms
    self.trip = trip
    totals = trip?.previous?.totals ?? TrackTotals()
    began = trip?.previous?.began
    lastTime = trip?.previous.flatMap { $0.provisionalTo ?? $0.settledTo }
    if let lastTime, let start = began, lastTime < start {
      // The time stepped back in an earlier run.
      began = lastTime.advanced(by: .seconds(-totals.elapsed))
    }
    statistics = TrackStatistics(resuming: trip?.previous)
    self.display = display
    self.file = file
    self.waits = waits
    output = try OutputFile(path: nil, replacing: false)
  }

  /// Starts the source, tracks until the source ends or ``stop(after:)`` is called, prints updates, and prints the
  /// summary.
  package func run() async -> LiveSession.Outcome {
    var terms = terms
    terms.trip = trip?.id
    let tracker = manager.tracker(terms, startsAtOnce: true, waitingForPoints: waits ? 64 : nil)
    self.tracker = tracker
    manager.startSource()
    let reporting = Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { for await point in tracker.points { await self.process(point) } }
        group.addTask { for await update in tracker.updates { await self.process(update) } }
        group.addTask { for await event in tracker.events { await self.process(event) } }
      }
    }
    self.reporting = reporting
    if let interrupt { await stop(after: interrupt) }
    await reporting.value
    finish(acceptedFixes: await manager.fixCounts().accepted)
    return outcome
  }

  /// Stops the tracker and settles the whole track. After SIGTERM a trip stays open instead, so that the next run
  /// resumes it.
  package func stop(after cause: InterruptListener.Cause) async {
    interrupt = cause
    guard !keepsTripOpen else {
      reporting?.cancel()
      return
    }
    await tracker?.stop()
    tracker?.end()
  }

  /// Whether the trip stays open because of a SIGTERM. The input may end with it, before ``stop(after:)`` is called.
  private var keepsTripOpen: Bool { trip != nil && System.hasReceivedTermination }

  /// Whether any fix counts for the track, in this run or an earlier run, or may count for a trip that stays open.
  package var hasBegun: Bool { began != nil || statistics.points > 0 || keepsTripOpen }

  // MARK: Updates

  /// The longest time between two fixes of this run, in seconds, with 23 hours of tolerance for a line that plays a
  /// recording faster: a receiver's date may be wrong by one day. Unlimited for a recording.
  private var longestBreak: Double {
    waits ? .infinity : (ContinuousClock.now - start).inSeconds + 82_800
  }

  private func process(_ point: TrackPoint) {
    statistics.process(point, longestBreak: longestBreak)
    save { (file) throws(CommandError) in try file.add(point) }
    attempt {
      guard display == .json else { return }
      TrackJSON.append(point, to: &output.bytes)
      try flushOutput()
    }
  }

  private func process(_ update: TrackUpdate) {
    (totals, ahead) = (update.totals, update.ahead)
    (lateFixes, duplicates) = (update.lateFixes, update.duplicates)
    if let time = update.fix?.time { recordTime(time) }
    save { (file) throws(CommandError) in try file.flush() }
    guard !isOver, update.phase != .stopped else { return }
    let line = TrackLine(update: update, began: began)
    attempt {
      switch display {
      case .json: TrackJSON.append(update, to: &output.bytes)
      case .lines:
        // A line that is not overwritten is printed only for a new fix.
        guard update.fix != nil else { return }
        output.bytes.appendText("\(line.text)\n")
      case .panel:
        // The last column stays empty, because some terminals wrap there.
        let columns = (System.columns(System.standardOutput) ?? 80) - 1
        guard let text = panel.show(line, columns: columns, at: .now) else { return }
        output.bytes.appendText(text)
      }
      try flushOutput()
    }
  }

  /// Records the time of the newest fix. A clock that was set back, or a receiver that has found its date, steps in time:
  /// the step is no elapsed time.
  private func recordTime(_ time: UTCTime) {
    if let lastTime, let began {
      let step = time.seconds(since: lastTime)
      // The time between two runs is unlimited.
      if step < 0 || (hasFix && step > longestBreak) { self.began = began.advanced(by: .seconds(step)) }
    }
    began = began ?? time
    lastTime = time
    hasFix = true
  }

  private func process(_ event: Tracker.Event) {
    attempt {
      switch event {
      case .phase(_, because: .unauthorized(let authorization)):
        try erasePanel()
        try LiveLineWriter.reportRefusal(authorization)
      case .phase: break
      case .problem(let problem):
        try erasePanel()
        do throws(CommandError) { try LiveLineWriter.report(problem) } catch {
          // The rest of the track is printed: the output itself has not failed.
          outcome.failure = outcome.failure ?? error
          if !keepsTripOpen { tracker?.endLeavingTripOpen() }
        }
      case .authorization(let authorization):
        try erasePanel()
        try LiveLineWriter.report(authorization)
      }
    }
  }

  // MARK: Output

  /// Writes the output. A run with a file continues without its output: the whole track is saved, and a failure is
  /// reported once.
  private func flushOutput() throws {
    do { try output.flush() } catch is OutputFile.ReaderGoneError where file != nil {
    } catch let error as CommandError {
      guard file != nil else {
        outcome.outputFailure = error
        throw error
      }
      guard outputError == nil else { return }
      StandardError.print("whereabouts: \(error.message); continuing")
      outputError = error
    }
  }

  private func erasePanel() throws {
    output.bytes.appendText(panel.erase())
    try flushOutput()
  }

  /// - Parameter acceptedFixes: the number of fixes that the manager accepted.
  private func finish(acceptedFixes: Int) {
    statistics.finish()
    // A trip remains open if the recording could not be read to its end, or if a failure of the output ended the run.
    if let trip, outcome.failure == nil, !keepsTripOpen { manager.endTrip(trip.id) }
    let summary = TrackSummary(
      totals: totals, statistics: statistics, lateFixes: lateFixes, duplicates: duplicates,
      activity: terms.activity, ahead: keepsTripOpen ? ahead : 0)
    save { (file) throws(CommandError) in try file.finish() }
    attempt {
      try erasePanel()
      // A source that failed before any fix counted has added nothing to a trip.
      if outcome.failure != nil, statistics.points == 0 { return }
      if display == .json {
        TrackJSON.append(summary, of: nil, trip: trip?.id, to: &output.bytes)
      } else if let trip, trip.previous != nil {
        for line in ResumedTripText.lines(summary, of: trip.id, after: trip.previous) {
          output.bytes.appendText("\(line)\n")
        }
      } else {
        for line in TrackSummaryText(track: summary).lines { output.bytes.appendText("\(line)\n") }
      }
      try flushOutput()
      guard statistics.points > 0 || totals.distance > 0 else {
        throw noTrackError(acceptedFixes: acceptedFixes)
      }
    }
    if let fileError {
      outcome.outputFailure = CommandError("not all points were saved: \(fileError.message)")
    } else if let outputError {
      outcome.outputFailure = CommandError("not all lines were printed: \(outputError.message)")
    }
  }

  /// Returns the error of a run without a track. A tracker leaves out fixes that a live source made in the hour before
  /// the start.
  private func noTrackError(acceptedFixes count: Int) -> CommandError {
    guard !waits, hasFix, let made = lastTime, (0...3600).contains(startTime.seconds(since: made)) else {
      return CommandError("could not measure a track: too few fixes arrived")
    }
    let fixes = Quantities.count(count, "fix arrived, made", "fixes arrived, the last one made")
    return CommandError(
      """
      could not measure a track: \(fixes) at \(made.clockText) UTC, before the start at \(startTime.clockText) \
      UTC. Fixes from before the start do not count. `whereabouts replay --track` measures recorded fixes.
      """)
  }

  /// Writes to the file, if any. A failure is reported once; the measurement continues, and later writes repeat the
  /// failed one.
  private func save(_ body: (TrackFile) throws(CommandError) -> Void) {
    guard let file else { return }
    do throws(CommandError) {
      try body(file)
      guard fileError != nil, !file.hasFailed else { return }
      StandardError.print("whereabouts: the track is saved again")
      fileError = nil
    } catch {
      if fileError != error { StandardError.print("whereabouts: \(error.message); continuing") }
      fileError = error
    }
  }

  /// Runs a body that can fail. The first failure ends the output.
  private func attempt(_ body: () throws -> Void) {
    guard !isOver else { return }
    do {
      try body()
    } catch is OutputFile.ReaderGoneError {
      isOver = true
      // A failure of the source has ended the tracker, and its trip stays open.
      if !keepsTripOpen, outcome.failure == nil { tracker?.end() }
    } catch {
      isOver = true
      outcome.failure = outcome.failure ?? (error as? CommandError ?? CommandError("\(error)"))
      if !keepsTripOpen { tracker?.endLeavingTripOpen() }
    }
  }
}
