import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsReports
import WhereaboutsSources

/// `whereabouts fence test`: replays recordings and reports fence events under other settings.
struct FenceTest: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Say what recordings would have given under other settings.",
    discussion: """
      Runs recordings through fences of the store or of a file, once for each combination of the settings, and prints a \
      table: events, re-entries so soon after an exit that they are flapping (--within), the shortest stay, all time \
      inside, how long after a crossing it is known (the median), and what was held back as not sure, too short, or \
      wandering at rest. The first row is how the fences are now. Nothing is kept or told.

      Examples:
        whereabouts fence test drive.nmea --fences places.geojson
        whereabouts fence test drive.nmea --fences places.geojson --fence school --radius 30,50,100
        whereabouts fence test drive.nmea walk.gpx --fences places.geojson --enter-dwell 0s,30s --confidence 0.9,0.99
        whereabouts fence test drive.nmea --fences places.geojson --radius 40,80 --by-fence --events --json

      Exit codes: 0 done, 1 failed, 2 usage, 4 not permitted.
      """)

  /// The maximum number of combinations tried.
  private static let combinationLimit = 1000

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var store: StoreOptions

  @Option(
    help: ArgumentHelp("Fences of a GeoJSON, KML or GPX file, and not of the store.", valueName: "file"),
    completion: .file(extensions: ["geojson", "json", "kml", "gpx"]))
  var fences: String?

  @Option(
    name: .customLong("fence"), help: ArgumentHelp("Only this one; may be given again.", valueName: "id"),
    completion: StoreCompletion.fences)
  var ids: [String] = []

  @Option(help: ArgumentHelp("Radii of circles to try, as in 30,50,100.", valueName: "metres,…"))
  var radius: ListArgument<LengthArgument>?

  @Option(help: ArgumentHelp("How long a visit lasts at least, as in 0s,30s.", valueName: "duration,…"))
  var enterDwell: ListArgument<DurationArgument>?

  @Option(help: ArgumentHelp("How long an absence lasts at least.", valueName: "duration,…"))
  var exitDwell: ListArgument<DurationArgument>?

  @Option(
    help: ArgumentHelp("After how long a stay becomes a dwell event; 0s for never.", valueName: "duration,…"))
  var dwell: ListArgument<DurationArgument>?

  @Option(help: ArgumentHelp("How sure both must be, as in 0.9,0.95,0.99.", valueName: "share,…"))
  var confidence: ListArgument<ConfidenceArgument>?

  @Option(help: ArgumentHelp("How far beyond the boundary it must be to have left.", valueName: "metres,…"))
  var hysteresis: ListArgument<LengthArgument>?

  @Option(help: ArgumentHelp("How soon after an exit an enter is a flap.", valueName: "duration"))
  var within = DurationArgument(.seconds(300))

  @Flag(help: "Print a row for each fence.")
  var byFence = false

  @Flag(help: "List the events under each setting too.")
  var events = false

  @Flag(help: "Print JSON, one object a line.")
  var json = false

  @Argument(help: "The recordings, - for standard input.", completion: .file())
  var tracks: [String]

  func validate() throws {
    guard !tracks.isEmpty else { throw ValidationError("Missing expected argument '<tracks> ...'") }
    if settings.count > Self.combinationLimit {
      throw ValidationError("\(settings.count) combinations are too many: \(Self.combinationLimit) at most")
    }
    if fences != nil, store.store != nil { throw ValidationError("--fences and --store can't be combined") }
    if fences == "-", tracks.contains("-") {
      throw ValidationError("the fences and a recording can't both be on standard input")
    }
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
    let fences = try selectedFences().those(ids)
    if radius != nil {
      let others = fences.count { if case .circle = $0.area { false } else { true } }
      if others == fences.count {
        throw CommandError("--radius is for circles, and there is none", code: .usage)
      }
      if others > 0 {
        StandardError.print("--radius leaves \(Quantities.count(others, "fence")) as they are: no circles")
      }
    }
    var trial: FenceTrial
    do throws(AreaError) {
      trial = try FenceTrial(fences, settings: settings, keepsEvents: events)
    } catch {
      throw CommandError("could not try that: \(AreaProblemText.text(error))", code: .usage)
    }
    for path in tracks {
      var reader = try RecordingReader(path: path, settings: reading.settings, progress: ProgressMeter.init)
      let problems = try trial.process(&reader)
      for line in ProblemReport.lines(problems, of: reader.name) { StandardError.print(line) }
    }
    try show(FenceTrialReport(trial: trial, within: within.duration, byFence: byFence))
  }

  private func selectedFences() throws(CommandError) -> [Fence] {
    if let fences { return try WatchedFences(path: fences).fences }
    let stored = try OpenStore.fences(of: store)
    guard !stored.isEmpty else {
      throw CommandError(
        "there is no fence to try: --fences names a file of some, `whereabouts fence add` makes one")
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
