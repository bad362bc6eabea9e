import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsSources

/// The source options. Every command that requests or follows fixes shares these options.
struct SourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Where fixes come from. auto: whatever is here, gpsd, a receiver that is plugged in or the desktop's location \
      service, the best that delivers. gpsd, or gpsd://HOST:PORT/DEVICE. nmea:/dev/ttyACM0, with ?baud=9600 where that is \
      known; nmea:tcp://HOST:PORT, nmea:udp://:PORT, nmea:PIPE, nmea:- for standard input. geoclue. replay:FILE, with \
      ?speed=60 for a minute a second, ?speed=max for as fast as it goes, &pause=2s for the longest wait between two \
      fixes, and &from=nmea for its format. &checksums=optional takes NMEA without checksums.
      """, valueName: "source"),
    completion: .list(["auto", "gpsd", "gpsd://", "nmea:", "geoclue", "replay:"]),
    transform: SourceOptions.source)
  var source = SourceArgument.automatic

  @Option(
    help: ArgumentHelp(
      "Write down everything that happens, for `whereabouts explain` and `whereabouts replay`.",
      valueName: "file"),
    completion: .file())
  var journal: String?

  @Flag(help: "Replace files that are there already.")
  var force = false

  init() {}

  func validate() throws {
    if journal == "-" {
      throw ValidationError("--journal needs a file: standard output is for what was asked")
    }
  }

  /// Throws if `--force` was given without an output file to replace.
  ///
  /// - Parameter files: the names of the command's output options.
  func rejectUnusedForce(files: String = "--journal") throws {
    if journal == nil, force { throw ValidationError("--force is for \(files)") }
  }

  /// Throws if both a source and a server were given.
  func rejectServer(_ server: ServerOptions) throws {
    if server.server != nil, source != .automatic {
      throw ValidationError("--source and --server can't be combined")
    }
  }

  /// The recording that is read. Outputs must never replace the recording.
  var recording: String? {
    if case .replay(let replay) = source { replay.path } else { nil }
  }

  static func source(_ text: String) throws -> SourceArgument {
    do throws(SourceArgument.ParseError) { return try SourceArgument(text) } catch {
      throw ValidationError(error.explanation)
    }
  }

  /// Returns a manager over the source. The source starts with `startSource()`, once the command has subscribed:
  /// otherwise the fences of the store would let a recording begin without the command.
  ///
  /// - Parameters:
  ///   - limit: the time at which the source ends early.
  ///   - needsTimes: whether a recording fails if most of its fixes have no time.
  ///   - keeping: the store that records the fixes and resumes the recording, if any.
  ///   - server: the source of a server's device, which takes the place of this machine's sources.
  ///   - power: the power options; without power options the source gets the full demand.
  func manager(
    until limit: TimeLimit? = nil, needsTimes: Bool = false, keeping: RecordingResumer? = nil,
    server: FailoverSource? = nil, power: PowerOptions? = nil
  ) throws(CommandError) -> LocationManager {
    let settings = ManagerSettings(power: try power?.settings() ?? .unrestricted), monitor = power?.monitor
    var written: CommandJournal?
    if let journal {
      written = try CommandJournal(path: journal, replacing: force, besides: recording ?? "")
    }
    let device = keeping?.store.device ?? .this
    guard case .replay(let replay) = source else {
      let live = if let server { server } else { try source.makeLiveSource() }
      let limited: any LocationSource = limit.map { TimeLimitedSource(live, $0) } ?? live
      return LocationManager(
        source: limited, clock: .system, settings: settings, journal: written, store: keeping?.store.base,
        device: device, power: monitor, startsSource: false)
    }
    let source = replay.source(until: limit, needsTimes: needsTimes, keeping: keeping)
    return LocationManager(
      source: source, settings: settings, journal: written, store: keeping?.store.base, device: device,
      power: monitor, startsSource: false)
  }

  /// Whether the source is a recording. A recording repeats its own silences.
  var isRecorded: Bool {
    if case .replay = source { true } else { false }
  }

  /// The buffering of fixes for a slow reader: a recording waits, but a receiver cannot wait.
  var buffering: FixBuffering { isRecorded ? .waiting(upTo: 16) : .all(upTo: 1_000) }

  /// The default name of a trip: the name of the recording without its extension.
  var tripName: String {
    guard let recording else { return "trip" }
    let file = recording.split(separator: "/").last.map(String.init) ?? recording
    let name = file.split(separator: ".").first.map(String.init) ?? file
    return name.isEmpty || name == "-" ? "trip" : name
  }

  /// Seconds of the source per real second; `nil` if the rate is unknown.
  var playbackRate: Double? {
    switch source {
    case .replay(let replay): replay.playbackRate
    case .automatic, .gpsd, .receiver, .geoClue: 1
    }
  }
}
