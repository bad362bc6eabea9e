import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsOperations
import WhereaboutsSources
import WhereaboutsReports

/// `whereabouts fence watch`: reports events at the store's fences as they occur.
struct FenceWatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Monitor the store's fences, and print and store their events.",
    discussion: """
      Prints each event after the event is on disk, until the source ends, --duration is over, or Ctrl-C. The \
      store also keeps the last known state. After a kill, the next run resumes from that state. An event that \
      happened between the runs is marked as unseen and has two times. An event that may already have been printed \
      before the kill is printed again, marked and with the same id.

      Only one process may watch a device of a store. The watch applies added, changed and removed fences within a \
      second. If the store cannot be written, the watch still prints events, and reports that they are not stored. \
      A recording is stored only with --store; otherwise the command stores nothing and uses the fences of the \
      default store. A recording uses its own time and resumes after the last stored fix. --anew erases the last \
      known state, and fences that can't be read, and plays the recording from its beginning, and stores its fixes \
      and events again.

      With --no-store, the command stores nothing and uses the fences of a file.

      Examples:
        whereabouts fence watch
        whereabouts fence watch --source 'replay:drive.nmea?speed=10'
        whereabouts fence watch --source 'replay:drive.nmea?speed=max' --json
        whereabouts fence watch --source gpsd --anew --journal run.journal
        whereabouts fence watch --source 'replay:drive.nmea?speed=max' --no-store --fences places.geojson

      Exit codes: 0 success, also after Ctrl-C and SIGTERM, 1 failure or another running watch, 2 usage error, 4 \
      permission denied.
      """)

  @OptionGroup var store: StoreOptions

  @Flag(help: "Store nothing.")
  var noStore = false

  @Option(
    help: ArgumentHelp("GeoJSON, KML or GPX file of fences; requires --no-store.", valueName: "file"),
    completion: .file(extensions: ["geojson", "json", "kml", "gpx"]))
  var fences: String?

  @OptionGroup var source: SourceOptions

  @OptionGroup(title: "Power") var power: PowerOptions

  @Option(
    help: ArgumentHelp(
      "Duration after which the command stops, as in 10min. (default: no limit)", valueName: "duration"),
    transform: DurationArgument.parse)
  var duration: DurationArgument?

  @Flag(help: "Erase the last known state, but keep fences and events. A recording is stored again.")
  var anew = false

  @Flag(help: "Print JSON, one object per line.")
  var json = false

  func validate() throws {
    try source.rejectUnusedForce()
    if noStore, store.store != nil { throw ValidationError("--store and --no-store can't be combined") }
    if noStore, anew { throw ValidationError("--anew and --no-store can't be combined: nothing is stored") }
    if noStore != (fences != nil) {
      throw ValidationError(
        noStore ? "--no-store requires --fences" : "--fences requires --no-store")
    }
  }

  func run() async throws {
    guard let fences else { return try await watch() }
    let watched = try WatchedFences(path: fences)
    try await watchWithoutStoring(watched.fences, watched.text)
  }

  private func watch() async throws {
    if source.isRecorded, store.store == nil {
      StandardError.print(
        "whereabouts: nothing is stored. Pass --store FILE to store a recording and its events.")
      return try await watchWithoutStoring(try OpenStore.fences(of: store.selection))
    }
    // A failure leaves no new store.
    try source.check(power, beside: store)
    if try !store.path().exists { try requireFences([]) }
    guard let store = try OpenStore.recording(store.selection) else {
      // A new store on a full disk is an empty file, which can't be read.
      return try await watchWithoutStoring((try? OpenStore.fences(of: store.selection)) ?? [])
    }
    let claim = try store.claim(for: "fence watch")
    // A recording's time advances only while a consumer requests fixes, so the deadline for the next check would never
    // arrive.
    if anew { try await store.forgetWatch(FenceSettings(savesPower: !source.isRecorded)) }
    try await store.requireResumableState(isErased: anew)
    let fences = try store.fences(), unwatched = try store.serverFences()
    let before = try await store.previousReports()
    // After a kill, the rest of a recording is stored although its last fence has ended.
    if anew || !before.hasEndedFence { try requireFences(fences) }
    try report(unwatched, of: fences.count)
    if fences.isEmpty {
      let hint = store.path.legacyFenceFile.map { " \(FenceHint.importing($0))" } ?? ""
      StandardError.print(
        "whereabouts: the store has no fences. New fences are monitored within a second.\(hint)")
    }
    let resumer = RecordingResumer(store: store, startsOver: anew, acceptsNew: !fences.isEmpty)
    let manager = try source.manager(until: limit, keeping: resumer, power: power)
    try await follow(
      manager, store: store, before, FenceEventText(fences), count: fences.count - unwatched.count)
    withExtendedLifetime(claim) {}
  }

  /// Throws if a recording is to be played without fences: it would wait for a consumer of its fixes.
  private func requireFences(_ fences: [Fence]) throws(CommandError) {
    guard source.isRecorded, fences.isEmpty else { return }
    throw CommandError("there are no fences. Run `whereabouts fence add` to add a fence.")
  }

  /// Reports fences that this command does not monitor. Throws if a recording would be played without other fences.
  private func report(_ unwatched: [Fence], of count: Int) throws(CommandError) {
    guard !unwatched.isEmpty else { return }
    let names = unwatched.map(\.id.name).joined(separator: ", ").sanitizedToOneLine
    let message = """
      only `whereabouts serve` monitors the fences that its store has from a server: \(names). Run it with \
      --source, or copy the fences to another store with `whereabouts fence export` and `whereabouts fence import`.
      """
    guard !source.isRecorded || unwatched.count < count else { throw CommandError(message) }
    StandardError.print("whereabouts: \(message)")
  }

  /// Watches fences of a file or a store without writing.
  private func watchWithoutStoring(_ fences: [Fence], _ text: FenceEventText? = nil) async throws {
    try requireFences(fences)
    var problems = 0
    let watched = WatchedFences.usable(fences, problems: &problems)
    if watched.isEmpty, problems > 0 {
      throw CommandError("could not watch the fences: none of them is valid")
    }
    let manager = try source.manager(until: limit, power: power)
    _ = try await manager.fences.add(contentsOf: watched)
    try await follow(
      manager, store: nil, FenceSession.PreviousReports(), text ?? FenceEventText(watched),
      count: watched.count)
  }

  private func follow(
    _ manager: LocationManager, store: OpenStore?, _ before: FenceSession.PreviousReports,
    _ text: FenceEventText,
    count: Int
  ) async throws {
    if count > 0, System.isTerminal(System.standardError) {
      StandardError.print("watching \(Quantities.count(count, "fence")); press Ctrl-C to stop")
    }
    let printer = FenceEventPrinter(json: json, text: text)
    let watch = FenceSession(
      manager: manager, isRecorded: source.isRecorded, store: store, before: before, printer: printer)
    var session = LiveSession(manager: manager, noun: nil, stop: { _ in await watch.stop() }, store: store)
    if !source.isRecorded { session.duration = duration?.duration }
    try await session.run { await watch.run() }
  }

  private var limit: TimeLimit? { duration.map { TimeLimit(after: $0.duration) } }
}
