import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

/// `whereabouts watch`: prints fixes as they arrive.
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Follow the device.",
    discussion: """
      Prints each fix on a line until the source is over, --count lines are printed, --duration is over, or Ctrl-C, which \
      ends it with a summary. With --timeout it gives up if no fix is as good as asked for within that time. With a \
      recording as its source, time is that of the recording.

      With --store what comes is kept in a file, for `history`, `last` and `export`. Killed and started again on the same \
      recording it goes on after the last fix that the store has of it; what is kept is not printed again.

      With --significant only large moves are printed: 500 m and five minutes, or 5 km at once. With --visits arrivals \
      at places where the device stays, and departures from them.

      Examples:
        whereabouts watch
        whereabouts watch --source gpsd --distance-filter 50
        whereabouts watch --source 'replay:drive.nmea?speed=10'
        whereabouts watch --source replay:drive.nmea --json --count 5
        whereabouts watch --source replay:drive.nmea --distance-filter 50 --interval 10s
        whereabouts watch --source replay:drive.nmea --format '{time}\\t{lat:5}\\t{lon:5}'
        whereabouts watch --source 'replay:trip.gpx?speed=max' --significant
        whereabouts watch --source 'replay:trip.gpx?speed=max' --visits --stay 5m --json
        whereabouts watch --source 'replay:drive.nmea?speed=10' --store drive.sqlite
        whereabouts watch --server https://example.org --device anna

      Exit codes: 0 done or ended by Ctrl-C, 1 failed or nothing came, 2 usage, 3 timed out, 4 not permitted.
      """)

  @OptionGroup var source: SourceOptions

  @Option(help: ArgumentHelp("\(AccuracyArgument.help) The standard is house.", valueName: "level"))
  var accuracy: AccuracyArgument?

  @Option(
    help: ArgumentHelp(
      "How long to wait for a fix as good as that, as in 10s, 500ms, 2m; for ever if left out.",
      valueName: "duration"))
  var timeout: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Print a fix only if it is at least so far from the last one printed, as in 50, 50m, 1.5km.",
      valueName: "metres"))
  var distanceFilter: LengthArgument?

  // The former name of the option.
  @Option(help: .hidden) var distance: LengthArgument?

  @Option(
    help: ArgumentHelp(
      "Stretch the distance filter with the speed: 0 not at all, 1 as is usual, 2 twice as much.",
      valueName: "factor"))
  var elasticity: Double?

  @Option(
    help: ArgumentHelp("Print a fix only if it comes so long after the last one.", valueName: "duration"))
  var interval: DurationArgument?

  @Option(help: ArgumentHelp("Stop after so many lines.", valueName: "number"))
  var count: Int?

  @Option(help: ArgumentHelp("Stop after so long.", valueName: "duration"))
  var duration: DurationArgument?

  @Option(
    help: ArgumentHelp("How the device is being carried. The standard is other.", valueName: "activity"))
  var activity: ActivityArgument?

  @Flag(help: "Print large moves only.")
  var significant = false

  @Flag(help: "Print arrivals and departures only.")
  var visits = false

  @Option(
    help: ArgumentHelp(
      "How far a stay reaches from its middle, as in 100, 50m. The standard is 100 m.", valueName: "metres"))
  var radius: LengthArgument?

  @Option(
    help: ArgumentHelp("How long a stay lasts at least. The standard is 5 min.", valueName: "duration"))
  var stay: DurationArgument?

  @OptionGroup(title: "Keeping") var keeping: StorageOptions

  @OptionGroup(title: "Server") var server: ServerOptions

  @OptionGroup(title: "Power") var power: PowerOptions

  @OptionGroup var output: FixOutputOptions

  func validate() throws {
    try source.rejectUnusedForce()
    try source.rejectServer(server)
    if let count, count < 1 { throw ValidationError("--count is at least 1") }
    if let elasticity, !(elasticity >= 0 && elasticity.isFinite) {
      throw ValidationError("--elasticity is 0 or more")
    }
    if distance != nil, distanceFilter != nil {
      throw ValidationError("--distance is the old name of --distance-filter: give one of them")
    }
    if elasticity != nil, filter == nil {
      throw ValidationError("--elasticity stretches --distance-filter, and there is none")
    }
    if significant, visits { throw ValidationError("--significant and --visits can't be combined") }
    if significant || visits, let option = givenFixOption {
      throw ValidationError("\(significant ? "--significant" : "--visits") and --\(option) can't be combined")
    }
    if visits, output.format != nil { throw ValidationError("--format is for fixes, and --visits has none") }
    if !visits, radius != nil || stay != nil {
      throw ValidationError("\(radius == nil ? "--stay" : "--radius") is for --visits")
    }
    if let radius, !(1...100_000).contains(radius.metres) {
      throw ValidationError("--radius is 1 m to 100 km")
    }
    if let stay, stay.duration < .seconds(1) { throw ValidationError("--stay is at least 1 s") }
  }

  private var filter: LengthArgument? { distanceFilter ?? distance }

  /// One of the options for plain fixes that were given, if any.
  private var givenFixOption: String? {
    let given: [(String, Bool)] = [
      ("accuracy", accuracy != nil), ("timeout", timeout != nil), ("distance-filter", filter != nil),
      ("elasticity", elasticity != nil), ("interval", interval != nil), ("activity", activity != nil),
    ]
    return given.first(where: \.1)?.0
  }

  func run() async throws {
    if visits {
      try await watchVisits()
    } else if significant {
      try await watchSignificantChanges()
    } else {
      try await watchFixes()
    }
  }

  private func watchFixes() async throws {
    let terms = terms
    let (manager, store, claim) = try await manager(
      until: timeout.map { .reaching(terms.level, within: $0.duration) })
    defer { withExtendedLifetime(claim) {} }
    let updates = manager.updates(terms, keeping: source.buffering)
    manager.startSource()
    let watch = FixWatch(form: output.form)
    try await LiveSession(manager: manager, noun: ("fix", "fixes"), store: store, duration: limitByClock)
      .run { [count] in
        await .writingLines(limit: count, none: "no fix came") { lines in try await watch.run(updates, &lines)
        }
      }
  }

  private func watchSignificantChanges() async throws {
    let (manager, store, claim) = try await manager(until: limit)
    defer { withExtendedLifetime(claim) {} }
    let changes = manager.significantChanges(keeping: source.buffering)
    manager.startSource()
    let watch = FixWatch(form: output.form)
    try await LiveSession(
      manager: manager, noun: ("large move", "large moves"), store: store, duration: limitByClock
    ).run {
      [count] in
      await .writingLines(limit: count, none: "no fix came") { lines in try await watch.run(changes, &lines) }
    }
  }

  private func watchVisits() async throws {
    let (manager, store, claim) = try await manager(until: limit)
    defer { withExtendedLifetime(claim) {} }
    let terms = VisitTerms(
      radius: radius?.metres ?? VisitTerms.standard.radius,
      minimumStay: stay?.duration ?? VisitTerms.standard.minimumStay)
    let visits = manager.visits(terms)
    manager.startSource()
    let watch = VisitWatch(isJSON: output.json)
    let none = """
      there was no stay of \(Quantities.duration(terms.minimumStay.inSeconds)) within \
      \(Quantities.length(terms.radius))
      """
    try await LiveSession(
      manager: manager, noun: ("line", "lines"), store: store, duration: limitByClock
    ).run { [count] in
      await .writingLines(limit: count, none: none) { lines in try await watch.run(visits, manager, &lines) }
    }
  }

  private func manager(until limit: TimeLimit?) async throws -> (
    LocationManager, OpenStore?, DeviceClaim?
  ) {
    // A server keeps its devices' fixes itself.
    let remote =
      keeping.place.store == nil || server.server != nil
      ? try await server.liveSource(of: keeping.place.device, for: source.source) : nil
    let store = try keeping.openStore(isRecorded: source.isRecorded || remote != nil)
    let claim = try store?.claim(for: "watch")
    try await store?.requireResumableState()
    return (
      try source.manager(
        until: limit, keeping: store.map { RecordingResumer(store: $0) }, server: remote, power: power),
      store, claim
    )
  }

  /// A subscription to fixes handles its own duration. Other streams end with the source.
  private var limit: TimeLimit? { duration.map { TimeLimit(after: $0.duration) } }

  private var limitByClock: Duration? { source.isRecorded ? nil : duration?.duration }

  private var terms: FixTerms {
    FixTerms(
      level: accuracy?.level ?? .house, distanceFilter: filter?.metres ?? 0, elasticity: elasticity ?? 0,
      minimumInterval: interval?.duration ?? .zero, maximumCount: count, duration: duration?.duration,
      activity: activity?.activity ?? .other)
  }
}
