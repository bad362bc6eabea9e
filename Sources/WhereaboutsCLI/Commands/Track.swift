import ArgumentParser
import Whereabouts
import WhereaboutsModel

/// `whereabouts track`: measures the distance of a track live.
struct Track: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say how far the device has come.",
    discussion: """
      Measures the way until the source is over, --duration is over, or Ctrl-C; then it is summed up. On a terminal a \
      few lines show how it stands, elsewhere a line every few seconds. The way is settled half a minute after it was \
      made; what is not settled yet is called provisional. ± is one standard deviation. With a recording as its source, \
      time is that of the recording.

      A recording whose fixes have no times gives no way to measure as it comes; `whereabouts replay --track` gives the \
      plain sum of its steps.

      With --json each settled point is a line, and each {"update": …} says how things stand; what a slow reader is \
      behind with of those is left out. The last line holds the totals. `whereabouts replay --track` gives the same \
      points of a recording.

      With --save the settled way goes into a GPX file as it is made, with a segment for each start and after each gap. \
      The file is whole at any time: a kill leaves all of the way but what was settled within the last few seconds.

      With --store the trip is kept in a file under a name, that of the recording or --trip. Ctrl-C and the recording's end \
      end it; a kill leaves it open, and started again it goes on where it was. --anew begins another.

      Examples:
        whereabouts track --activity bike --save ride.gpx
        whereabouts track --source 'replay:drive.nmea?speed=10' --activity car
        whereabouts track --source replay:walk.gpx --activity walk --save way.gpx
        whereabouts track --source 'replay:drive.nmea?speed=max' --duration 5m --gaps none
        whereabouts track --source 'replay:walk.gpx?speed=max' --json
        whereabouts track --source 'replay:walk.gpx?speed=10' --store walks.sqlite --trip 'Round the hill'

      Exit codes: 0 done or ended by Ctrl-C, 1 failed or there was no way, 2 usage, 4 not permitted.
      """)

  @OptionGroup var source: SourceOptions

  @OptionGroup var tracking: TrackingOptions

  @OptionGroup(title: "Keeping") var keeping: StorageOptions

  @OptionGroup(title: "Power") var power: PowerOptions

  @Option(help: ArgumentHelp("What the trip is called in the store.", valueName: "name"))
  var trip: String?

  @Flag(help: "Begin another trip, though one is open; a recording is played from its beginning.")
  var anew = false

  @Option(help: ArgumentHelp("Stop after so long.", valueName: "duration"))
  var duration: DurationArgument?

  @Option(
    help: ArgumentHelp("Save the way as GPX.", valueName: "file"), completion: .file(extensions: ["gpx"]))
  var save: String?

  @Flag(help: "Print JSON, one object a line.")
  var json = false

  func validate() throws {
    if save == "-" { throw ValidationError("--save needs a file: standard output is for what was asked") }
    if let save, save == source.journal { throw ValidationError("--save and --journal can't be one file") }
    if trip?.isEmpty == true { throw ValidationError("a trip has a name") }
    if trip != nil || anew, keeping.noStore || (source.isRecorded && keeping.place.store == nil) {
      throw ValidationError(
        "--\(trip == nil ? "anew" : "trip") is for trips that are kept: --store says where")
    }
    if save == nil { try source.rejectUnusedForce(files: "--journal and --save") }
  }

  func run() async throws {
    let file = try save.map { path throws(CommandError) in
      try TrackFile(path: path, replacing: source.force, besides: source.recording ?? "")
    }
    let store = try keeping.openStore(isRecorded: source.isRecorded)
    let claim = try store?.claim(for: "track")
    try await store?.requireResumableState()
    let kept = try store.map { store in
      try TrackedTrip(among: try store.trips(), name: trip, source: source.tripName, begins: anew)
    }
    let manager = try source.manager(
      until: duration.map { TimeLimit(after: $0.duration) }, needsTimes: true,
      keeping: store.map { RecordingResumer(store: $0, startsOver: anew) }, power: power)
    for id in kept?.endedTrips ?? [] { manager.endTrip(id) }
    let display: TrackWatch.Display =
      json ? .json : System.isTerminal(System.standardOutput) ? .panel : .lines
    let terms = tracking.terms(isRecorded: source.isRecorded)
    let watch = try TrackWatch(
      manager, terms, trip: kept, display: display, file: file, waits: source.isRecorded)
    var session = LiveSession(manager: manager, noun: nil, stop: { await watch.stop() }, store: store)
    if !source.isRecorded { session.duration = duration?.duration }
    defer { withExtendedLifetime(claim) {} }
    do { try await session.run { await watch.run() } } catch {
      if let kept, await !watch.hasBegun { try? store?.discard(kept) }
      throw error
    }
    if let kept, await !watch.hasBegun { try store?.discard(kept) }
  }
}
