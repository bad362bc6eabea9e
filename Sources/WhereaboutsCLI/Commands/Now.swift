import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsSources

/// `whereabouts now`: prints one fix of the requested accuracy.
struct Now: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "now", abstract: "Print the current location of the device.",
    discussion: """
      Waits for a fix with the requested accuracy and prints the fix. If the timeout expires, the source ends or \
      Ctrl-C interrupts the wait, the command prints the best fix so far. The exit code then gives the reason. A \
      recording uses its own time. On a terminal, a line shows the progress.

      Without --source, the command tries gpsd, a connected receiver and the desktop's location service. If no \
      source is available, the command fails after a few seconds. The receiver is turned off at the end.

      Examples:
        whereabouts now
        whereabouts now --source gpsd --accuracy room --timeout 30s --json
        whereabouts now --source nmea:/dev/ttyACM0
        whereabouts now --source replay:drive.nmea --accuracy room --timeout 30s
        whereabouts now --source replay:drive.nmea --accuracy 2m --settle 20s
        whereabouts now --source 'replay:drive.nmea?speed=max' --json
        whereabouts now --source replay:drive.nmea --journal run.journal
        whereabouts now --source replay:drive.nmea --format '{lat},{lon}'
        whereabouts now --server https://example.org --device anna --timeout 30s

      Without a good enough fix, standard error lists the reason for each source. A problem that waiting cannot \
      solve ends the command at once, even with --timeout.

      Exit codes: 0 success, also for a settled fix, 1 failure, 2 usage error, 3 timeout, 4 permission denied, 6 \
      no receiver, 7 receiver in use by another program, 130 interrupted. Codes 1, 3, 6, 7 and 130 still print \
      the best fix so far.
      """)

  @OptionGroup var source: SourceOptions

  @Option(
    help: ArgumentHelp("\(AccuracyArgument.help) (default: house)", valueName: "level"),
    completion: AccuracyArgument.defaultCompletionKind, transform: AccuracyArgument.parse)
  var accuracy = AccuracyArgument(.house)

  @Option(
    help: ArgumentHelp(
      "Maximum time to wait for the fix, as in 10s, 500ms or 2m. (default: no limit)", valueName: "duration"),
    transform: DurationArgument.parse)
  var timeout: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Print the best fix once fixes have neither improved nor moved for this time, as in 5s. (default: off)",
      valueName: "duration"), transform: DurationArgument.parse)
  var settle: DurationArgument?

  @Option(help: ArgumentHelp("Activity of the device.", valueName: "activity"))
  var activity = ActivityArgument(.other)

  @Option(
    help: ArgumentHelp(
      "Device to locate. (default: this device, or the server's only device)", valueName: "name"),
    transform: StoreOptions.device)
  var device: DeviceID?

  @OptionGroup(title: "Server") var server: ServerOptions

  @OptionGroup var output: FixOutputOptions

  func validate() throws {
    try source.rejectUnusedForce()
    try source.rejectServer(server)
    if device != nil, server.server == nil { throw ValidationError("--device requires --server") }
  }

  func run() async throws {
    let start = ContinuousClock.now
    // Before the listener: while a server does not answer, Ctrl-C and SIGTERM end the command at once.
    let remote = try await server.liveSource(of: device, for: source.source)
    let interruption = try InterruptListener()
    let manager = try source.manager(server: remote)
    let request = manager.request(
      accuracy.level, timeout: timeout?.duration, settlingAfter: settle?.duration, activity: activity.activity
    )
    manager.startSource()
    let listening = Task { [events = interruption.events] in
      for await _ in events { request.completeNow() }
    }
    // A user who sets a timeout wants to wait until then.
    let isHoped = timeout == nil && !source.isRecorded
    let availability = SourceAvailabilityMonitor(manager: manager)
    let hoping = isHoped ? Task { await availability.completeWhenUnavailable(request) } : nil
    let reasons = SourceProblemReporter()
    let isTold = timeout == nil && !System.isErasableTerminal(System.standardError)
    let reporting = isTold ? Task { await reasons.reportUntilCancelled() } : nil
    let outcome = await wait(for: request, of: manager, noting: reasons)
    reporting?.cancel()
    await reporting?.value
    interruption.end()
    await listening.value
    hoping?.cancel()
    if case .completedEarly = outcome, let sources = await hoping?.value {
      try printOutcome(outcome, sources)
      throw SourceAvailabilityMonitor.failure(sources)
    }
    let sources = await reasons.sources(explaining: outcome)
    try printOutcome(outcome, sources)
    try await reportFailure(outcome, sources, of: manager, since: start)
  }

  private func wait(
    for request: LocationRequest, of manager: LocationManager, noting reasons: SourceProblemReporter
  ) async -> RequestOutcome {
    let meter = SearchProgressMeter(
      SearchLine(level: accuracy.level, timeout: timeout?.duration, rate: source.source.playbackRate))
    let showing = Task { await meter.run() }
    let noting = Task {
      for await status in manager.statuses {
        await meter.update(with: status.source)
        await reasons.update(with: status.sources)
      }
    }
    let hinting = source.isRecorded ? nil : Task { await meter.reportUnknownAccuracy(of: manager) }
    defer {
      showing.cancel()
      noting.cancel()
      hinting?.cancel()
    }
    for await case .found(let answer) in request.progress { await meter.update(with: answer) }
    await meter.end()
    return await request.outcome
  }

  private func printOutcome(_ outcome: RequestOutcome, _ sources: [SourceHealth]) throws {
    let file = try OutputFile(path: nil, replacing: false)
    if output.json {
      file.bytes += OutcomeJSON(outcome: outcome, sources: sources).bytes + [UInt8(ascii: "\n")]
    } else if let answer = outcome.answer {
      if output.format != nil {
        output.form.append(answer.fix, to: &file.bytes)
      } else {
        for line in FixText.lines(answer) { file.bytes.appendText("\(line)\n") }
      }
    }
    do { try file.flush() } catch is OutputFile.ReaderGoneError {}
  }

  /// Reports the outcome if the printed output does not show the outcome, and fails if there is no answer.
  private func reportFailure(
    _ outcome: RequestOutcome, _ sources: [SourceHealth], of manager: LocationManager,
    since start: ContinuousClock.Instant
  ) async throws {
    let text = OutcomeText(
      outcome: outcome, level: accuracy.level, timeout: timeout?.duration, settle: settle?.duration)
    let isInterrupted = text.code == .interrupted
    let isTerminal = System.isTerminal(System.standardError)
    let summary = RunSummaryText(
      counts: await manager.fixCounts(), elapsed: start.duration(to: .now), isInterrupted: isInterrupted)
    if let code = text.code {
      if isInterrupted || isTerminal || summary.hasOnlyRefusals { StandardError.print("\(summary.line)") }
      // The sentence already contains the reason of a source that failed or refused.
      let isKnown = code != .timedOut && code != .interrupted
      let reasons = isKnown ? [] : SourceText.reasons(sources)
      throw CommandError(([text.sentence] + reasons).joined(separator: "\n"), code: code)
    }
    if isTerminal {
      StandardError.print("\(text.sentence) \(summary.line)")
    } else if case .settled = outcome {
      StandardError.print("whereabouts: \(text.sentence)")
    }
  }
}
