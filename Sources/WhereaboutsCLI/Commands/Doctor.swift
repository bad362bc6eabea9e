import ArgumentParser
import WhereaboutsDiagnostics
import WhereaboutsModel
import WhereaboutsReports

/// `whereabouts doctor`: lists the available sources and explains why a source has no fix.
struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say which sources are here, and why there is no fix.",
    discussion: """
      Looks for gpsd, for receivers that are plugged in and for the desktop's location service, and listens to each for \
      a while: what is installed, running, permitted and delivering, which satellites are in view and used, why there is \
      no fix, and what to type next. All are listened to at once; their receivers are off again afterwards. Where the \
      device is is not told unless --show-position asks for it.

      Examples:
        whereabouts doctor
        whereabouts doctor --wait 30s
        whereabouts doctor --source nmea:/dev/ttyACM0
        whereabouts doctor --source gpsd://boat.local --show-position
        whereabouts doctor --json

      Exit codes: 0 a source delivers fixes, 1 there is none that works, 2 usage, 3 a source works and has no fix yet, 4 \
      a source is here that this program may not use, 5 nothing comes from it, 6 there is no source, 7 another program uses \
      it.
      """)

  @Option(
    help: ArgumentHelp("Look at this source alone, as for `whereabouts now`.", valueName: "source"),
    completion: .list(["gpsd", "gpsd://", "nmea:", "geoclue"]),
    transform: SourceOptions.source)
  var source = SourceArgument.automatic

  @Option(help: ArgumentHelp("How long to listen to each at most.", valueName: "duration"))
  var wait = DurationArgument(.seconds(5))

  @Flag(help: "Print the position, too.")
  var showPosition = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var store: StoreOptions

  func validate() throws {
    if case .replay = source {
      throw ValidationError("a recording has nothing wrong that `whereabouts replay` does not say")
    }
    if wait.duration <= .zero { throw ValidationError("--wait is more than nothing") }
  }

  func run() async throws {
    let progress = DoctorProgress()
    var diagnosis = await Diagnosis.examine(
      try source.examined, listeningFor: wait.duration, showsPosition: showPosition
    ) { await progress.show($0) }
    await progress.end()
    if source == .automatic { diagnosis.machine.append(MachineChecks.store(store.state)) }
    try print(diagnosis)
    if let code = diagnosis.verdict.code { throw CommandError("", code: code) }
  }

  private func print(_ diagnosis: Diagnosis) throws {
    let file = try OutputFile(path: nil, replacing: false)
    if json {
      file.bytes += DiagnosisJSON(diagnosis: diagnosis).object.bytes + [UInt8(ascii: "\n")]
    } else {
      let columns = min(System.columns(System.standardOutput) ?? 100, 100)
      for line in DiagnosisText(diagnosis: diagnosis, columns: columns).lines {
        file.bytes.appendText("\(line)\n")
      }
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

extension SourceArgument {
  /// The subject of the examination.
  fileprivate var examined: ExaminedSource {
    get throws {
      switch self {
      case .automatic: .automatic
      case .gpsd(let address): .gpsd(address)
      case .receiver(let receiver): .receiver(receiver.source, name: receiver.name)
      case .geoClue: .geoClue
      case .replay: throw CommandError("could not examine a recording", code: .usage)
      }
    }
  }
}

extension StoreOptions {
  /// The state of the store for the checks of the machine.
  fileprivate var state: MachineChecks.StoreState {
    guard let path = try? path() else { return .noPath }
    do {
      guard let store = try OpenStore.readingIfThere(self) else { return .missing(path: path.file) }
      _ = try store.lastFix()
      return .readable(path: path.file)
    } catch {
      return .unreadable((error as? CommandError)?.message ?? "\(path.file): \(error)")
    }
  }
}
