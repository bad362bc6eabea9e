import ArgumentParser
import Whereabouts
import WhereaboutsCore

/// Where everything comes from: the same for every command that asks or follows.
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

  /// Fails where --force has nothing to replace.
  ///
  /// - Parameter files: what the command writes, as its options are called.
  func refuseIdleForce(files: String = "--journal") throws {
    if journal == nil, force { throw ValidationError("--force is for \(files)") }
  }

  /// The recording that is read: never to be replaced by what is written.
  var recording: String? {
    if case .replay(let replay) = source { replay.path } else { nil }
  }

  static func source(_ text: String) throws -> SourceArgument {
    do throws(SourceArgument.Mistake) { return try SourceArgument(text) } catch {
      throw ValidationError(error.explanation)
    }
  }

  /// A manager over the source.
  ///
  /// - Parameters:
  ///   - limit: where the source is to end before its end.
  ///   - needsTimes: whether a recording is of no use if most of its fixes don't say when they were made.
  ///   - keeping: where what comes is kept, and gone on from.
  ///   - power: how sparing it is with the receiver; as is asked of it where there are no such options.
  func manager(
    until limit: TimeLimit? = nil, needsTimes: Bool = false, keeping: Keeping? = nil,
    power: PowerOptions? = nil
  ) throws(CommandFailure) -> LocationManager {
    let settings = ManagerSettings(power: try power?.settings() ?? .unsparing), monitor = power?.monitor
    var written: AskedJournal?
    if let journal {
      written = try AskedJournal(path: journal, replacing: force, besides: recording ?? "")
    }
    let device = keeping?.store.device ?? .this
    guard case .replay(let replay) = source else {
      let live = try source.live()
      let limited: any LocationSource = limit.map { TimeLimitedSource(live, $0) } ?? live
      return LocationManager(
        source: limited, clock: .system, settings: settings, journal: written, store: keeping?.store.base,
        device: device, power: monitor)
    }
    let source = replay.source(until: limit, needsTimes: needsTimes, keeping: keeping)
    return LocationManager(
      source: source, settings: settings, journal: written, store: keeping?.store.base, device: device,
      power: monitor)
  }

  /// Whether it is a recording, which is silent where it was when it was made.
  var isRecorded: Bool {
    if case .replay = source { true } else { false }
  }

  /// What lines do for whom nobody takes them: a recording waits, and a receiver can't.
  var buffering: FixBuffering { isRecorded ? .waiting(upTo: 16) : .all(upTo: 1_000) }

  /// What a trip along it is called: the name of the recording without what stands behind its point.
  var tripName: String {
    guard let recording else { return "trip" }
    let file = recording.split(separator: "/").last.map(String.init) ?? recording
    let name = file.split(separator: ".").first.map(String.init) ?? file
    return name.isEmpty || name == "-" ? "trip" : name
  }

  /// How many seconds pass for the source in a true second; `nil` where that is not known.
  var rate: Double? {
    switch source {
    case .replay(let replay): replay.rate
    case .automatic, .gpsd, .receiver, .geoClue: 1
    }
  }
}
