import ArgumentParser
import WhereaboutsDiagnostics
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsSources
import WhereaboutsReports

/// `whereabouts doctor`: lists the available sources and explains why a source has no fix.
struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check the sources of this machine, and explain a missing fix.",
    discussion: """
      Checks gpsd, connected receivers and the desktop's location service, and listens to all of them at once. A \
      server on the standard store states its source. The report lists which source is installed, running, permitted \
      and delivering fixes, and which satellites are in view and in use. For a missing fix, the report gives the \
      reason and the next command to run. The receivers are turned off afterwards. The report leaves out the position \
      unless --show-position includes it.

      Examples:
        whereabouts doctor
        whereabouts doctor --wait 30s
        whereabouts doctor --source nmea:/dev/ttyACM0
        whereabouts doctor --source gpsd://boat.local --source nmea:/dev/ttyACM0 --show-position
        whereabouts doctor --json

      Exit codes: 0 a source delivers fixes, 1 no source works, 2 usage error, 3 a source works without a fix, 4 \
      permission denied for a source, 5 silent source, 6 no source, 7 source in use by another program.
      """)

  @Option(
    name: .customLong("source"),
    help: ArgumentHelp("Source to check, as for `whereabouts now`; repeatable.", valueName: "source"),
    completion: .list(["gpsd", "gpsd://", "nmea:", "geoclue"]), transform: SourceOptions.source)
  var sources: [SourceName] = []

  @Option(
    help: ArgumentHelp(
      "Maximum time to listen to each source, as in 30s. (default: until each has a result, at most 25 s)",
      valueName: "duration"), transform: DurationArgument.parse)
  var wait: DurationArgument?

  @Flag(help: "Include the position in the report.")
  var showPosition = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var store: StoreOptions

  private var source: SourceName { SourceName(inOrder: sources) }

  func validate() throws {
    try SourceOptions.check(source)
    if source.isRecorded {
      throw ValidationError("--source can't be a recording. Use `whereabouts replay` to check a recording.")
    }
    if let wait, wait.duration <= .zero { throw ValidationError("--wait must be more than 0 s") }
  }

  func run() async throws {
    guard let examined = ExaminedSource(source) else { return }
    let progress = DoctorProgress()
    var diagnosis = await Diagnosis.examine(
      examined, listeningFor: wait?.duration, showsPosition: showPosition
    ) { await progress.show($0) }
    await progress.end()
    if source == .automatic {
      diagnosis.add(served: await ServedSources.health())
      diagnosis.machine.append(MachineChecks.store(store.state))
    }
    try print(diagnosis)
    if let code = diagnosis.verdict.code { throw CommandError("", code: code) }
  }

  private func print(_ diagnosis: Diagnosis) throws {
    let file = try OutputFile(path: nil, replacing: false)
    if json {
      file.bytes += DiagnosisJSON(diagnosis: diagnosis).object.bytes + [UInt8(ascii: "\n")]
    } else {
      let columns = min(System.columns(System.standardOutput) ?? 100, 100)
      let text = DiagnosisText(diagnosis: diagnosis, columns: columns)
      for line in text.lines { file.bytes.appendText("\(line)\n") }
    }
    do { try file.flush() } catch is OutputFile.ReaderGoneError {}
  }
}

extension Diagnosis.Verdict {
  /// The exit code of the verdict; `nil` for success.
  var code: CommandError.Code? {
    switch self {
    case .delivers: nil
    case .noFix: .timedOut
    case .notPermitted: .notPermitted
    case .inUse: .inUse
    case .silent: .silent
    case .absent: .absent
    case .nothing: .failed
    }
  }
}

extension StoreOptions {
  /// The state of the store for the checks of the machine.
  fileprivate var state: MachineChecks.StoreState {
    guard let path = try? path() else { return .noPath }
    do {
      let store = try OpenStore.readingIfThere(selection, converts: false)
      _ = try store?.lastFix()
      return store == nil ? .missing(path: path.file) : .readable(path: path.file)
    } catch {
      return .unreadable((error as? CommandError)?.message ?? "\(path.file): \(error)")
    }
  }
}
