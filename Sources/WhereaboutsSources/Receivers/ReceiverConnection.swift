import Atomics
import Whereabouts
import WhereaboutsModel

/// A receiver's state that survives from one demand to the next.
struct ReceiverState: Sendable {
  var duplicateFilter = DuplicateFixFilter()
  /// The speed that worked last.
  var speed: Int?
  var hasOpened = false
  /// Whether the receiver has stated a date.
  var hasStatedDate = false
  /// Whether a denied permission was reported.
  var isAccessDenied = false
  /// The longest pause of the server that occurred twice; `nil` if unknown.
  var usualPause: Duration?
}

/// A connection to a receiver: opens the line, forwards signals, and reopens the line.
struct ReceiverConnection {
  let port: ReceiverPort
  let link: SourceLink
  let settings: ReceiverSource.Settings
  private(set) var state: ReceiverState
  /// Whether the connection has reported a failure or a denial since the demand began, and no success since.
  private let hasGivenUp: ManagedAtomic<Bool>
  private var backoff: RetryBackoff
  private var problems: ReceiverProblems { ReceiverProblems(port: port) }
  /// Whether the receiver was disconnected: the next fixes begin a new segment.
  private var wasDisconnected = false
  /// Whether no line was opened since the demand began.
  private var isFirstLine = true
  /// Whether the denied permission was reported for this demand.
  private var hasReportedDenial = false
  /// The time for which the next connection may be silent.
  private(set) var silenceTimeout: Duration
  /// The pauses of the server that have ended connections.
  private var pauses = ConnectionPauses()
  private let clock = ContinuousClock()

  init(
    _ port: ReceiverPort, link: SourceLink, settings: ReceiverSource.Settings, state: ReceiverState,
    hasGivenUp: ManagedAtomic<Bool> = ManagedAtomic(false)
  ) {
    self.port = port
    self.hasGivenUp = hasGivenUp
    self.link = link
    self.settings = settings
    self.state = state
    backoff = RetryBackoff(settings.backoff)
    silenceTimeout = settings.nextSilenceTimeout(
      after: settings.silenceTimeout, wasSilent: false, longestPause: state.usualPause)
  }

  /// Runs until the task is cancelled.
  ///
  /// - Returns: whether the source has ended for good.
  mutating func run() async -> Bool {
    while !Task.isCancelled {
      do throws(ReceiverLineError) {
        let began = clock.now
        let line = try await open()
        let end = await processReports(line)
        await line.close()
        guard let end, !Task.isCancelled else { return false }
        if case .standardInput = port { return true }
        await handleLineEnd(wasSilent: end.wasSilent)
        // A line that was useful, or lasted long, is reopened at once.
        if end.isUseful || clock.now - began > settings.backoff.pollInterval { continue }
        await wait(failsFast: true)
      } catch {
        if Task.isCancelled { return false }
        await reportFailure(error)
        if case .never = error.retry { return false }
        await wait(failsFast: error.retry != .later)
      }
    }
    return false
  }

  private mutating func open() async throws(ReceiverLineError) -> ReceiverLine {
    var opener = LineOpener(port: port, session: settings.session)
    opener.session.hasStatedDate = state.hasStatedDate
    opener.speed = state.speed
    // Bytes that wait between two writers of a pipe are new; bytes from before the demand are not.
    opener.dropsWaiting = isFirstLine && state.hasOpened
    if case .tcp = port { opener.silenceTimeout = silenceTimeout }
    let line = try await opener.open()
    state.hasOpened = true
    isFirstLine = false
    if state.isAccessDenied {
      state.isAccessDenied = false
      hasReportedDenial = false
      hasGivenUp.store(false, ordering: .relaxed)
      await link.send(.authorization(Authorization(.always)))
    }
    return line
  }

  private struct LineOutcome {
    var wasSilent: Bool
    var isUseful: Bool
  }

  /// Processes the line's reports.
  ///
  /// - Returns: `nil` if the task was cancelled.
  private mutating func processReports(_ line: ReceiverLine) async -> LineOutcome? {
    state.duplicateFilter.connectionLost()
    var isUseful = false
    var longestPause: Duration?
    var count = 0
    for await report in line.reports {
      switch report {
      case .signal(let signal): await forward(signal)
      case .firstSentence(let speed):
        isUseful = true
        state.speed = speed ?? state.speed
        backoff.reset()
      case .dateStated: state.hasStatedDate = true
      case .usualPause(let pause):
        longestPause = pause
        // The end of the demand may end this connection before it reports its end.
        state.usualPause = max(pause, state.usualPause ?? .zero)
      case .ended(let wasSilent, let firstDataAfter, let dataDuration):
        pauses.recordEnd(
          firstDataAfter: firstDataAfter, dataDuration: dataDuration,
          silentFor: wasSilent ? silenceTimeout : nil)
        let usualPause = longestPause.map { max($0, pauses.usual ?? .zero) }
        state.usualPause = usualPause ?? state.usualPause
        silenceTimeout = settings.nextSilenceTimeout(
          after: silenceTimeout, wasSilent: wasSilent, longestPause: usualPause)
        return LineOutcome(wasSilent: wasSilent, isUseful: isUseful)
      }
      count += 1
      if count == 32 {
        line.acknowledge(count)
        count = 0
      }
    }
    return nil
  }

  private mutating func forward(_ signal: SourceSignal) async {
    if case .fix(let fix, _) = signal {
      guard state.duplicateFilter.accept(fix.time) else { return }
      if wasDisconnected {
        wasDisconnected = false
        await link.send(.segmentBegan)
      }
    }
    await link.send(signal)
  }

  /// Handles the end of the line.
  private mutating func handleLineEnd(wasSilent: Bool) async {
    // The silence was reported before.
    if wasSilent { return }
    if case .serial = port { wasDisconnected = state.duplicateFilter.lastTime != nil }
    await link.send(.unavailable(problems.lineClosed))
  }

  private mutating func reportFailure(_ failure: ReceiverLineError) async {
    switch failure.retry {
    case .whenPermitted:
      // The system sets a device's group a moment after the device appears.
      if await hasBecomePermitted() { return }
      guard !hasReportedDenial else { return }
      hasReportedDenial = true
      state.isAccessDenied = true
      hasGivenUp.store(true, ordering: .relaxed)
      let remedy = failure.problem.remedy ?? "Could not \(failure.problem.message)."
      await link.send(.authorization(Authorization(.denied, noticesChanges: false, remedy: remedy)))
    case .never:
      hasGivenUp.store(true, ordering: .relaxed)
      await link.send(.failed(failure.problem))
    case .immediately, .later:
      if case .serial = port { wasDisconnected = state.duplicateFilter.lastTime != nil }
      await link.send(.unavailable(failure.problem))
    }
  }

  /// Returns whether a device that has returned can be opened within a second.
  private func hasBecomePermitted() async -> Bool {
    guard state.hasOpened, !state.isAccessDenied, case .serial(let path, _) = port else { return false }
    for _ in 0..<10 {
      guard (try? await clock.sleep(for: .milliseconds(100))) != nil else { return true }
      if (try? DeviceFile(port, path: path).probe(isExclusive: false)) != nil { return true }
    }
    return false
  }

  private mutating func wait(failsFast: Bool) async {
    let pause = backoff.nextDelay(failsFast: failsFast, jitter: .random(in: -1...1))
    // On cancellation the loop ends.
    try? await clock.sleep(for: pause, tolerance: pause / 20)
  }
}
