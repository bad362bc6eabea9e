import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsSources

/// `whereabouts fence test`: replays recordings and reports fence events under other settings.
struct FenceTest: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Compare fence events of recordings under different settings.",
    discussion: """
      Replays recordings through fences of the store or of a file, once for each combination of the settings, and \
      prints a table. Columns: events, flapping, the shortest stay, the total time inside, the median delay of \
      reports, and withheld events. Flapping counts re-entries soon after an exit (--within). Events are withheld \
      as uncertain, too short, caused by drift at rest, or outside the active hours. The first row shows the \
      present settings, but no fence is removed after one event or at its expiry. The events of each row are those \
      of `replay --fences` with these settings. All fences are watched, also with --fence. Time and memory grow with \
      the number of combinations. The command stores and reports nothing.

      Examples:
        whereabouts fence test drive.nmea --fences places.geojson
        whereabouts fence test drive.nmea --fences places.geojson --fence school --radius 30,50,100
        whereabouts fence test drive.nmea walk.gpx --fences places.geojson --enter-dwell 0s,30s --confidence 0.9,0.99
        whereabouts fence test drive.nmea --fences places.geojson --radius 40,80 --by-fence --events --json

      Exit codes: 0 success, 1 failure or a damaged input, 2 usage error, 4 permission denied.
      """)

  /// The maximum number of combinations tried.
  private static let combinationLimit = 1000

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var store: StoreOptions

  @Option(
    help: ArgumentHelp(
      "GeoJSON, KML or GPX file of fences. (default: the fences of the store)", valueName: "file"),
    completion: .file(extensions: ["geojson", "json", "kml", "gpx"]))
  var fences: String?

  @Option(
    name: .customLong("fence"),
    help: ArgumentHelp("Test only this fence; repeatable. (default: all fences)", valueName: "id"),
    completion: StoreCompletion.fences)
  var ids: [String] = []

  @Option(
    help: ArgumentHelp(
      "Radii of circles to test, as in 30,50,100. (default: unchanged)", valueName: "metres,…"),
    transform: ListArgument<LengthArgument>.parse)
  var radius: ListArgument<LengthArgument>?

  @Option(
    help: ArgumentHelp(
      "Minimum durations of a visit to test, as in 0s,30s. (default: unchanged)", valueName: "duration,…"),
    transform: ListArgument<DurationArgument>.parse)
  var enterDwell: ListArgument<DurationArgument>?

  @Option(
    help: ArgumentHelp(
      "Minimum durations of an absence to test, as in 0s,1min. (default: unchanged)", valueName: "duration,…"),
    transform: ListArgument<DurationArgument>.parse)
  var exitDwell: ListArgument<DurationArgument>?

  @Option(
    help: ArgumentHelp(
      "Durations of a stay until its dwell event to test, as in 5min,10min; 0s for no dwell event. (default: unchanged)",
      valueName: "duration,…"), transform: ListArgument<DurationArgument>.parse)
  var dwell: ListArgument<DurationArgument>?

  @Option(
    help: ArgumentHelp(
      "Required confidences of enter and exit to test, as in 0.9,0.95,0.99. (default: unchanged)",
      valueName: "share,…"), transform: ListArgument<ConfidenceArgument>.parse)
  var confidence: ListArgument<ConfidenceArgument>?

  @Option(
    help: ArgumentHelp(
      "Distances beyond the boundary that an exit requires, to test, as in 0,20. (default: unchanged)",
      valueName: "metres,…"
    ), transform: ListArgument<LengthArgument>.parse)
  var hysteresis: ListArgument<LengthArgument>?

  @Option(
    help: ArgumentHelp(
      "Maximum time between an exit and an enter that counts as flapping, as in 2min. (default: 5 min)",
      valueName: "duration"), transform: DurationArgument.parse)
  var within = DurationArgument(.seconds(300))

  @Flag(help: "Print a row for each fence.")
  var byFence = false

  @Flag(help: "Also list the events under each setting.")
  var events = false

  @Flag(help: "Print JSON, one object per line.")
  var json = false

  @Argument(help: "Recordings to replay; - for standard input.", completion: .file())
  var tracks: [String]

  func validate() throws {
    guard !tracks.isEmpty else { throw ValidationError("Missing expected argument '<tracks> ...'") }
    if settings.count > Self.combinationLimit {
      throw ValidationError(
        "\(settings.count) combinations are too many: the maximum is \(Self.combinationLimit)")
    }
    if fences != nil, store.store != nil { throw ValidationError("--fences and --store can't be combined") }
    try requireOneStandardInput(tracks, fences: fences)
  }

  private var settings: [FenceVariant] {
    let varied = FenceVariant.all(
      radii: radius?.elements.map(\.metres) ?? [], enterDwells: enterDwell?.elements.map(\.duration) ?? [],
      exitDwells: exitDwell?.elements.map(\.duration) ?? [], dwells: dwell?.elements.map(\.duration) ?? [],
      confidences: confidence?.elements.map(\.confidence) ?? [],
      hystereses: hysteresis?.elements.map(\.metres) ?? [])
    return varied.first?.isUnchanged == true ? varied : [FenceVariant()] + varied
  }

  func run() async throws {
    let watched = try watchedFences()
    let fences = try watched.those(ids)
    if radius != nil {
      let others = fences.count { if case .circle = $0.area { false } else { true } }
      if others == fences.count {
        throw CommandError("--radius requires a circle, and no fence is a circle", code: .usage)
      }
      if others > 0 {
        StandardError.print(
          "--radius does not change \(Quantities.count(others, "fence")): only circles have a radius")
      }
    }
    var trial: FenceTrial
    do throws(AreaError) {
      trial = try FenceTrial(fences, among: watched, settings: settings, keepsEvents: events)
    } catch {
      throw CommandError("could not test these settings: \(error)", code: .usage)
    }
    var areWhole = true
    for path in tracks {
      var reader = try RecordingReader(path: path, settings: reading.settings, progress: ProgressMeter.init)
      try trial.process(&reader)
      areWhole = reader.reportProblems() && areWhole
    }
    try show(FenceTrialReport(trial: trial, within: within.duration, byFence: byFence))
    if !areWhole { throw CommandError("") }
  }

  private func watchedFences() throws(CommandError) -> [Fence] {
    if let fences { return try WatchedFences(path: fences).fences }
    let stored = try OpenStore.fences(of: store.selection)
    guard !stored.isEmpty else {
      throw CommandError(
        "no fences to test. Pass --fences FILE, or run `whereabouts fence add` to add a fence.")
    }
    return stored
  }

  private func show(_ report: FenceTrialReport) throws {
    let output = try OutputFile(path: nil, replacing: false)
    if json {
      report.append(to: &output.bytes)
    } else {
      for line in report.table { output.bytes.appendText("\(line)\n") }
    }
    if events { report.appendEvents(json: json, to: &output.bytes) }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
  }
}
