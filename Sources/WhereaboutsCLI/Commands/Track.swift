import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsSources

/// `whereabouts track`: measures the distance of a track live.
struct Track: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track", abstract: "Measure the distance that the device travels.",
    discussion: """
      Measures the distance until the source ends, --duration is over, Ctrl-C or SIGTERM, and then prints a \
      summary. On a terminal, a few lines show the current state. Other outputs get a line every few seconds. \
      New distance is provisional. It is settled after at least half a minute and ten fixes, often twice that. \
      ± is one standard deviation. A recording uses its own time.

      Recordings without times cannot be measured live. `whereabouts replay --track` prints the plain sum of their \
      steps. A live source's fixes from the hour before the start do not count: `replay --track` measures them.

      With --json, each settled point is a line, and each {"update": …} line reports the current state. A slow \
      reader misses some updates, but no points. The last line holds the totals. For a recording, `whereabouts \
      replay --track` prints the same points.

      With --save, the command writes the settled track to a GPX file, with a new segment after each start and \
      each gap. The file is valid at any time, and complete also if standard output fails. A kill loses only the \
      track of the last few seconds before the kill. Each run saves its own part of a resumed trip: --force replaces \
      the part of an earlier run, so save to another file. `whereabouts export --trip` writes the fixes of the whole \
      trip.

      The command stores the trip of a live source; the trip of a recording is stored only with --store. The name \
      of the trip is --trip, or the recording's name. Ctrl-C and the end of the recording end the trip. After \
      SIGTERM, a kill or a failure the trip stays open, and the next run resumes it. --anew begins another trip.

      Examples:
        whereabouts track --activity bike --save ride.gpx
        whereabouts track --source 'replay:drive.nmea?speed=10' --activity car
        whereabouts track --source replay:walk.gpx --activity walk --save way.gpx
        whereabouts track --source 'replay:drive.nmea?speed=max' --duration 5m --gaps none
        whereabouts track --source 'replay:walk.gpx?speed=max' --json
        whereabouts track --source 'replay:walk.gpx?speed=10' --store walks.sqlite --trip 'Round the hill'

      Exit codes: 0 success, also after Ctrl-C and SIGTERM, 1 failure or no track, 2 usage error, 4 permission \
      denied.
      """)

  @OptionGroup var source: SourceOptions

  @OptionGroup var tracking: TrackingOptions

  @OptionGroup(title: "Storage") var keeping: StorageOptions

  @OptionGroup(title: "Power") var power: PowerOptions

  @Option(
    help: ArgumentHelp(
      "Name of the trip in the store. (default: the recording's name, or trip)", valueName: "name"))
  var trip: String?

  @Flag(help: "Begin a new trip even if a trip is open. A recording plays from its beginning.")
  var anew = false

  @Option(
    help: ArgumentHelp(
      "Duration after which the command stops, as in 10min. (default: no limit)", valueName: "duration"),
    transform: DurationArgument.parse)
  var duration: DurationArgument?

  @Option(
    help: ArgumentHelp("Write the track to this GPX file. (default: none)", valueName: "file"),
    completion: .file(extensions: ["gpx"]))
  var save: String?

  @Flag(help: "Print JSON, one object per line.")
  var json = false

  func validate() throws {
    if save == "-" {
      throw ValidationError("--save requires a file: standard output is reserved for the results")
    }
    if let save, save == source.journal {
      throw ValidationError("--save and --journal require different files")
    }
    if trip?.isEmpty == true { throw ValidationError("--trip requires a name of at least one character") }
    if trip != nil || anew, keeping.noStore || (source.isRecorded && keeping.place.store == nil) {
      throw ValidationError(
        "--\(trip == nil ? "anew" : "trip") requires a stored trip. Pass --store FILE.")
    }
    if save == nil { try source.rejectUnusedForce(files: "--journal or --save") }
  }

  func run() async throws {
    let file = try save.map { path throws(CommandError) in
      try TrackFile(
        path: path, replacing: source.force, besides: source.recording ?? "",
        store: try? keeping.place.path())
    }
    try source.check(power, beside: keeping.place)
    let store = try keeping.openStore(of: source.source, isRecorded: source.isRecorded)
    let claim = try store?.claim(for: "track")
    try await store?.requireResumableState()
    let kept = try store.map { store in
      try TrackedTrip(among: try store.trips(), name: trip, source: source.source.tripName, begins: anew)
    }
    let display: TrackPrinter.Display =
      json ? .json : System.isErasableTerminal(System.standardOutput) ? .panel : .lines
    let manager = try source.manager(
      until: duration.map { TimeLimit(after: $0.duration) }, needsTimes: true,
      notesDevices: display != .panel,
      keeping: store.map { RecordingResumer(store: $0, startsOver: anew, trip: kept?.newID) }, power: power)
    for id in kept?.endedTrips ?? [] { manager.endTrip(id) }
    let terms = tracking.terms(isRecorded: source.isRecorded)
    let printer = try TrackPrinter(
      manager, terms, trip: kept, display: display, file: file, waits: source.isRecorded)
    var session = LiveSession(manager: manager, noun: nil, store: store)
    session.stop = { await printer.stop(after: $0) }
    if !source.isRecorded { session.duration = duration?.duration }
    defer { withExtendedLifetime(claim) {} }
    do { try await session.run { await printer.run() } } catch {
      if let kept, await !printer.hasBegun { try? store?.discard(kept) }
      throw error
    }
    if let kept, await !printer.hasBegun { try store?.discard(kept) }
  }
}
