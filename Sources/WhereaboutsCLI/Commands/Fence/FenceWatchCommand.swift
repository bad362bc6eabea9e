import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsReports

/// `whereabouts fence watch`: reports events at the store's fences as they occur.
struct FenceWatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Watch the fences of the store, and tell and keep what happens.",
    discussion: """
      Tells each event once it is on the disk, until the source is over, --duration is over, or Ctrl-C. Where the device \
      was last seen is kept too: killed at any instant and started again it goes on where it was, and what happened \
      meanwhile is told as unseen, between two times. What it may have told before it was killed it tells again, marked, \
      with the same id.

      One at a time may watch on a store. Fences that are added, changed or removed meanwhile are taken over within a \
      second. Where the store can't be written it goes on, tells what happens all the same, and says that it does not keep \
      it. With a recording as its source, time is that of the recording, and it goes on after the last fix that the store \
      has of it. --anew forgets where the device was, and plays it from its beginning.

      With --no-store nothing is kept, and the fences are those of a file.

      Examples:
        whereabouts fence watch
        whereabouts fence watch --source 'replay:drive.nmea?speed=10'
        whereabouts fence watch --source 'replay:drive.nmea?speed=max' --json
        whereabouts fence watch --source 'replay:drive.nmea?speed=max' --anew --journal run.journal
        whereabouts fence watch --source 'replay:drive.nmea?speed=max' --no-store --fences places.geojson

      Exit codes: 0 done or ended by Ctrl-C, 1 failed or somebody watches already, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: StoreOptions

  @Flag(help: "Keep nothing.")
  var noStore = false

  @Option(
    help: ArgumentHelp("With --no-store: the fences, a GeoJSON, KML or GPX file.", valueName: "file"),
    completion: .file(extensions: ["geojson", "json", "kml", "gpx"]))
  var fences: String?

  @OptionGroup var source: SourceOptions

  @OptionGroup(title: "Power") var power: PowerOptions

  @Option(help: ArgumentHelp("Stop after so long.", valueName: "duration"))
  var duration: DurationArgument?

  @Flag(help: "Forget where the device was; fences and events stay.")
  var anew = false

  @Flag(help: "Print JSON, one object a line.")
  var json = false

  func validate() throws {
    try source.rejectUnusedForce()
    if noStore, store.store != nil { throw ValidationError("--store and --no-store can't be combined") }
    if noStore, anew { throw ValidationError("--anew and --no-store can't be combined: nothing was kept") }
    if noStore != (fences != nil) {
      throw ValidationError(
        noStore ? "--no-store needs --fences: what is to be watched" : "--fences is for --no-store")
    }
  }

  func run() async throws {
    if let fences { try await watch(try WatchedFences(path: fences)) } else { try await watch() }
  }

  /// Watches the fences of a file without a store.
  private func watch(_ watched: WatchedFences) async throws {
    let manager = try source.manager(until: limit, power: power)
    _ = try? await manager.fences.add(contentsOf: watched.fences)
    try await follow(
      manager, store: nil, FenceSession.PreviousReports(), watched.text, count: watched.fences.count)
  }

  private func watch() async throws {
    let store = try OpenStore.recording(store)
    let claim = try store.claim(for: "fence watch")
    // A recording's time advances only while a consumer requests fixes, so the deadline for the next look would never
    // arrive.
    if anew { try await store.forgetWatch(FenceSettings(savesPower: !source.isRecorded)) }
    try await store.requireResumableState()
    let fences = try store.fences()
    if fences.isEmpty {
      let hint = store.path.legacyFenceFolder == nil ? "" : "; \(FenceHint.noFences(at: store.path))"
      StandardError.print("whereabouts: there is no fence yet; those that are added are watched\(hint)")
    }
    let before = try await store.previousReports()
    let manager = try source.manager(
      until: limit, keeping: RecordingResumer(store: store, startsOver: anew), power: power)
    try await follow(manager, store: store, before, FenceEventText(fences), count: fences.count)
    withExtendedLifetime(claim) {}
  }

  private func follow(
    _ manager: LocationManager, store: OpenStore?, _ before: FenceSession.PreviousReports,
    _ text: FenceEventText,
    count: Int
  ) async throws {
    if count > 0, System.isTerminal(System.standardError) {
      StandardError.print("watching \(Quantities.count(count, "fence")); Ctrl-C ends it")
    }
    let voice = FenceEventPrinter(json: json, text: text)
    let watch = FenceSession(manager: manager, store: store, before: before, printer: voice)
    var session = LiveSession(manager: manager, noun: nil, stop: { await watch.stop() }, store: store)
    if !source.isRecorded { session.duration = duration?.duration }
    try await session.run { await watch.run() }
  }

  private var limit: TimeLimit? { duration.map { TimeLimit(after: $0.duration) } }
}
