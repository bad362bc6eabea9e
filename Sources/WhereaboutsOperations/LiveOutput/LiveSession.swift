package import Whereabouts
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

/// A run of a live command. The run ends by itself, with Ctrl-C or with SIGTERM, and prints a summary.
package struct LiveSession {
  /// The outcome of a run.
  package struct Outcome: Sendable {
    /// The number of printed lines.
    var shownCount = 0
    /// The error that ended the run, if any.
    package var failure: CommandError?
    /// The error by which lines were not printed or points were not saved, also after Ctrl-C and SIGTERM.
    var outputFailure: CommandError?
  }

  package let manager: LocationManager
  /// The singular and the plural for the content of a line; `nil` if lines are not counted.
  package let noun: (one: String, many: String)?
  /// The reaction to Ctrl-C and SIGTERM that replaces cancellation, so that the run can finish and save its results.
  package var stop: (@Sendable (InterruptListener.Cause) async -> Void)?
  /// The store that records the run, if any. The session uploads from the store meanwhile and closes the store at the
  /// end.
  package var store: OpenStore?
  /// The maximum duration by the wall clock, even if the reader is stalled; `nil` for a recording, which waits for
  /// its reader.
  package var duration: Duration?

  package init(
    manager: LocationManager, noun: (one: String, many: String)?,
    stop: (@Sendable (InterruptListener.Cause) async -> Void)? = nil, store: OpenStore? = nil,
    duration: Duration? = nil
  ) {
    self.manager = manager
    self.noun = noun
    self.stop = stop
    self.store = store
    self.duration = duration
  }

  /// Runs the body to its end.
  ///
  /// - Throws: the error of the run, or an error of the store that lost data. Ctrl-C and SIGTERM are no errors; output
  ///   that is missing is one nevertheless.
  package func run(_ body: @escaping @Sendable () async -> Outcome) async throws {
    let start = ContinuousClock.now
    let interruption = try InterruptListener()
    if let duration { interruption.limitOutputTime(to: duration) }
    let reporter = StoreHealthReporter()
    let watching = Task { [manager] in await reporter.monitor(manager) }
    let sending = store.map { store in Task { await UploadRunner(store: store).run() } }
    let following = Task { await body() }
    let listening = Task { [events = interruption.events, stop] in
      for await cause in events {
        if let stop { await stop(cause) } else { following.cancel() }
        return true
      }
      return false
    }
    let end = await following.value
    interruption.end()
    let isInterrupted = await listening.value
    if isInterrupted || System.isTerminal(System.standardError) {
      let text = RunSummaryText(
        counts: await manager.fixCounts(),
        shown: noun.map { Quantities.count(end.shownCount, $0.one, $0.many) },
        elapsed: start.duration(to: .now), isInterrupted: isInterrupted)
      StandardError.print("\(text.line)")
    }
    watching.cancel()
    await watching.value
    sending?.cancel()
    await sending?.value
    await reporter.process(await manager.close())
    store?.base.close()
    // Lost data takes precedence over missing output.
    if let failure = await reporter.finalError { throw failure }
    if let failure = isInterrupted ? end.outputFailure : end.failure ?? end.outputFailure { throw failure }
  }
}

extension LiveSession.Outcome {
  /// Runs a body that writes lines, and returns the outcome.
  ///
  /// - Parameter none: the message for a run without a line.
  package static func writingLines(
    limit: Int?, none: String, _ body: (inout LiveLineWriter) async throws -> Void
  ) async -> LiveSession.Outcome {
    var end = LiveSession.Outcome()
    do {
      var lines = try LiveLineWriter(limit: limit)
      defer { end.shownCount = lines.count }
      try await body(&lines)
      if lines.count == 0, !lines.isReaderGone { throw CommandError(none) }
    } catch let failure as CommandError {
      end.failure = failure
    } catch {
      end.failure = CommandError("\(error)")
    }
    return end
  }
}
