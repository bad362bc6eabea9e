import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsSources
import WhereaboutsReports
import WhereaboutsStore

/// `whereabouts watch`: prints fixes as they arrive.
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print fixes as they arrive.",
    discussion: """
      Prints one fix per line until the source ends, --count lines are printed, --duration is over, or Ctrl-C. \
      Ctrl-C and SIGTERM also print a summary. With --timeout, the command fails if no fix has the requested \
      accuracy in time. A recording uses its own time.

      The command stores the fixes of a live source for `history`, `last` and `export`. Fixes of a recording or a \
      server are stored only with --store. After a kill, a new run on the same recording resumes after the last \
      stored fix. Stored fixes are not printed again.

      With --significant, the command prints only significant changes: 500 m and five minutes, or 5 km at once. \
      With --visits, the command prints only arrivals at and departures from places where the device stays.

      Examples:
        whereabouts watch
        whereabouts watch --source nmea:/dev/ttyACM0 --source gpsd
        whereabouts watch --source gpsd --distance-filter 50
        whereabouts watch --source 'replay:drive.nmea?speed=10'
        whereabouts watch --source replay:drive.nmea --json --count 5
        whereabouts watch --source replay:drive.nmea --distance-filter 50 --interval 10s
        whereabouts watch --source replay:drive.nmea --format '{time}\\t{lat:5}\\t{lon:5}'
        whereabouts watch --source 'replay:trip.gpx?speed=max' --significant
        whereabouts watch --source 'replay:trip.gpx?speed=max' --visits --stay 5m --json
        whereabouts watch --source 'replay:drive.nmea?speed=10' --store drive.sqlite
        whereabouts watch --server https://example.org --device anna

      Exit codes: 0 success, also after Ctrl-C and SIGTERM, 1 failure or no output, 2 usage error, 3 timeout, 4 \
      permission denied.
      """)

  @OptionGroup var source: SourceOptions

  @Option(
    help: ArgumentHelp("\(AccuracyArgument.help) (default: house)", valueName: "level"),
    completion: AccuracyArgument.defaultCompletionKind, transform: AccuracyArgument.parse)
  var accuracy: AccuracyArgument?

  @Option(
    help: ArgumentHelp(
      """
      Maximum time to wait for a fix of the requested accuracy, as in 10s, 500ms or 2m. (default: no limit)
      """,
      valueName: "duration"), transform: DurationArgument.parse)
  var timeout: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Minimum distance between printed fixes, as in 50, 50m or 1.5km. (default: 0 m)",
      valueName: "metres"), transform: LengthArgument.parse)
  var distanceFilter: LengthArgument?

  // The former name of the option.
  @Option(help: .hidden, transform: LengthArgument.parse) var distance: LengthArgument?

  @Option(
    help: ArgumentHelp(
      """
      Increase the distance filter with the speed: 0 not at all, 1 as usual, 2 twice as much. (default: 0)
      """,
      valueName: "factor"), transform: Double.parseArgument)
  var elasticity: Double?

  @Option(
    help: ArgumentHelp(
      "Minimum time between printed fixes, as in 10s. (default: 0 s)", valueName: "duration"),
    transform: DurationArgument.parse)
  var interval: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Number of lines after which the command stops. (default: no limit)", valueName: "number"),
    transform: Int.parseArgument)
  var count: Int?

  @Option(
    help: ArgumentHelp(
      "Duration after which the command stops, as in 10min. (default: no limit)", valueName: "duration"),
    transform: DurationArgument.parse)
  var duration: DurationArgument?

  @Option(
    help: ArgumentHelp("Activity of the device. (default: other)", valueName: "activity"))
  var activity: ActivityArgument?

  @Flag(help: "Print only significant changes.")
  var significant = false

  @Flag(help: "Print only arrivals and departures.")
  var visits = false

  @Option(
    help: ArgumentHelp(
      "Radius of a stay around its centre, as in 100 or 50m. (default: 100 m)", valueName: "metres"),
    transform: LengthArgument.parse)
  var radius: LengthArgument?

  @Option(
    help: ArgumentHelp("Minimum duration of a stay, as in 10min. (default: 5 min)", valueName: "duration"),
    transform: DurationArgument.parse)
  var stay: DurationArgument?

  @OptionGroup(title: "Storage") var keeping: StorageOptions

  @OptionGroup(title: "Server") var server: ServerOptions

  @OptionGroup(title: "Power") var power: PowerOptions

  @OptionGroup var output: FixOutputOptions

  func validate() throws {
    try source.rejectUnusedForce()
    try source.rejectServer(server)
    if let count, count < 1 { throw ValidationError("--count must be at least 1") }
    if let elasticity, !(elasticity >= 0 && elasticity.isFinite) {
      throw ValidationError("--elasticity must be 0 or more")
    }
    if distance != nil, distanceFilter != nil {
      throw ValidationError("--distance is the old name of --distance-filter. Pass only one of them.")
    }
    if elasticity != nil, filter == nil {
      throw ValidationError("--elasticity requires --distance-filter")
    }
    if significant, visits { throw ValidationError("--significant and --visits can't be combined") }
    if significant || visits, let option = givenFixOption {
      throw ValidationError("\(significant ? "--significant" : "--visits") and --\(option) can't be combined")
    }
    if visits, output.format != nil { throw ValidationError("--format and --visits can't be combined") }
    if !visits, radius != nil || stay != nil {
      throw ValidationError("\(radius == nil ? "--stay" : "--radius") requires --visits")
    }
    if let radius, !(1...100_000).contains(radius.metres) {
      throw ValidationError("--radius must be between 1 m and 100 km")
    }
    if let stay, stay.duration < .seconds(1) { throw ValidationError("--stay must be at least 1 s") }
  }

  private var filter: LengthArgument? { distanceFilter ?? distance }

  /// One of the given options for plain fixes, if any.
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
    let printer = FixPrinter(form: output.form)
    try await LiveSession(manager: manager, noun: ("fix", "fixes"), store: store, duration: limitByClock)
      .run { [count] in
        await .writingLines(limit: count, none: "no fix arrived") { lines in
          try await printer.run(updates, &lines)
        }
      }
  }

  private func watchSignificantChanges() async throws {
    let (manager, store, claim) = try await manager(until: limit)
    defer { withExtendedLifetime(claim) {} }
    let changes = manager.significantChanges(keeping: source.buffering)
    manager.startSource()
    let printer = FixPrinter(form: output.form)
    try await LiveSession(
      manager: manager, noun: ("significant change", "significant changes"), store: store,
      duration: limitByClock
    ).run {
      [count] in
      await .writingLines(limit: count, none: "no fix arrived") { lines in
        try await printer.run(changes, &lines)
      }
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
    let printer = VisitPrinter(isJSON: output.json)
    let none = """
      no stay of \(Quantities.duration(terms.minimumStay.inSeconds)) within \(Quantities.length(terms.radius)) was \
      found
      """
    try await LiveSession(
      manager: manager, noun: ("line", "lines"), store: store, duration: limitByClock
    ).run { [count] in
      await .writingLines(limit: count, none: none) { lines in
        try await printer.run(visits, manager, &lines)
      }
    }
  }

  private func manager(until limit: TimeLimit?) async throws -> (
    LocationManager, OpenStore?, DeviceClaim?
  ) {
    // A server stores its devices' fixes itself.
    let remote =
      keeping.place.store == nil || server.server != nil
      ? try await server.liveSource(of: keeping.place.device, for: source.source) : nil
    try source.check(power, beside: keeping.place)
    let store = try keeping.openStore(of: source.source, isRecorded: source.isRecorded || remote != nil)
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
