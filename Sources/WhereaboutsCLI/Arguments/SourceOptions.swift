import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsSources

/// The source options. Every command that requests or follows fixes shares these options.
struct SourceOptions: ParsableArguments {
  @Option(
    name: .customLong("source"),
    help: ArgumentHelp(
      """
      Source of fixes; repeat the option for failover, the preferred source first. auto: the best available of \
      gpsd, a connected receiver and the desktop's location service. gpsd, or gpsd://HOST:PORT/DEVICE. \
      nmea:/dev/ttyACM0, with ?baud=9600 for a known rate. nmea:tcp://HOST:PORT, nmea:udp://:PORT, nmea:PIPE, or \
      nmea:- for standard input. geoclue. replay:FILE, with ?speed=60 for a minute per second, ?speed=max for no \
      delay, &pause=2s for the longest delay between two fixes, and &from=nmea for the format. \
      &checksums=optional accepts NMEA without checksums.
      """, valueName: "source"),
    completion: .list(["auto", "gpsd", "gpsd://", "nmea:", "geoclue", "replay:"]),
    transform: SourceOptions.source)
  var sources: [SourceName] = []

  /// The source of the options; several are a source with failover.
  var source: SourceName { SourceName(inOrder: sources) }

  @Option(
    help: ArgumentHelp(
      """
      Write a journal of all inputs, for `whereabouts explain` and `whereabouts replay`. (default: none)
      """,
      valueName: "file"),
    completion: .file())
  var journal: String?

  @Flag(help: "Replace existing files.")
  var force = false

  init() {}

  func validate() throws {
    try Self.check(source)
    if journal == "-" {
      throw ValidationError("--journal requires a file: standard output is reserved for the results")
    }
  }

  /// Throws if `--force` was given without an output file to replace.
  ///
  /// - Parameter files: the names of the command's output options.
  func rejectUnusedForce(files: String = "--journal") throws {
    if journal == nil, force { throw ValidationError("--force requires \(files)") }
  }

  /// Throws if both a source and a server were given.
  func rejectServer(_ server: ServerOptions) throws {
    if server.server != nil, source != .automatic {
      throw ValidationError("--source and --server can't be combined")
    }
  }

  /// Throws if the power options or the journal can't be used. A command checks them before it creates a store.
  func check(_ power: PowerOptions, beside store: StoreOptions) throws(CommandError) {
    if let rules = power.powerRules { try PowerSettings.check(path: rules) }
    guard let journal else { return }
    try CommandJournal.check(
      path: journal, replacing: force, besides: recording ?? "", store: try? store.path())
  }

  /// The recording that is read. Outputs must never replace the recording.
  var recording: String? { source.recording }

  static func source(_ text: String) throws -> SourceName {
    do throws(SourceName.ParseError) { return try SourceName(text) } catch {
      throw ValidationError(error.explanation)
    }
  }

  /// Throws if the sources of several options can't be combined.
  static func check(_ source: SourceName) throws {
    do throws(SourceName.ParseError) { try source.checkMembers() } catch {
      throw ValidationError(error.explanation)
    }
  }

  /// Returns a manager over the source. The source starts with `startSource()`, once the command has subscribed:
  /// otherwise the fences of the store would let a recording begin without the command.
  ///
  /// - Parameters:
  ///   - limit: the time at which the source ends early.
  ///   - needsTimes: whether a recording fails if most of its fixes have no time.
  ///   - notesDevices: whether standard error may state which device of gpsd is used. A panel would overwrite the note.
  ///   - keeping: the store that records the fixes and resumes the recording, if any.
  ///   - server: the source of a server's device, which takes the place of this machine's sources.
  ///   - power: the power options of a command that follows fixes; without them the source gets the full demand.
  func manager(
    until limit: TimeLimit? = nil, needsTimes: Bool = false, notesDevices: Bool = true,
    keeping: RecordingResumer? = nil, server: FailoverSource? = nil, power: PowerOptions? = nil
  ) throws(CommandError) -> LocationManager {
    let settings = try power?.settings() ?? .unrestricted, monitor = power?.monitor
    var written: CommandJournal?
    if let journal {
      let store = keeping?.store.path
      written = try CommandJournal(path: journal, replacing: force, besides: recording ?? "", store: store)
    }
    return try source.manager(
      until: limit, needsTimes: needsTimes, keeping: keeping, server: server, journal: written,
      power: settings, monitor: monitor, notesDevices: notesDevices && power != nil)
  }

  /// Whether the source is a recording. A recording repeats its own silences.
  var isRecorded: Bool { source.isRecorded }

  /// The buffering of fixes for a slow reader: a recording waits, but a receiver cannot wait.
  var buffering: FixBuffering { isRecorded ? .waiting(upTo: 16) : .all(upTo: 1_000) }
}
