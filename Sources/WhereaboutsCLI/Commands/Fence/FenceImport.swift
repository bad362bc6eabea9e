import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsOperations
import WhereaboutsReports

/// `whereabouts fence import`: imports fences from files.
struct FenceImport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import fences from GeoJSON, KML or GPX files, or from OwnTracks, Traccar or Home Assistant.",
    discussion: """
      Imports GeoJSON features with a polygon, a point with a "radius" or a line with a "width", KML placemarks, \
      GPX waypoints, and in JSON waypoints of OwnTracks, geofences of Traccar and Transistorsoft, and zones of Home \
      Assistant. Standard error reports unusable features with their positions; the other features are imported. A \
      fence with an existing id is skipped, unless --replace replaces the existing fence.

      Examples:
        whereabouts fence import places.geojson
        whereabouts fence import --replace --radius 80 waypoints.gpx
        curl -s https://example.org/zones.geojson | whereabouts fence import -

      Exit codes: 0 success, 1 failure or skipped features, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: RecordsOptions

  @Option(
    help: ArgumentHelp("Radius of points without a radius, as in 150m. (default: none)", valueName: "metres"),
    transform: LengthArgument.parse)
  var radius: LengthArgument?

  @Option(
    help: ArgumentHelp("Width of lines without a width, as in 30m. (default: none)", valueName: "metres"),
    transform: LengthArgument.parse)
  var width: LengthArgument?

  @Flag(help: "Replace existing fences with the same ids.")
  var replace = false

  @Flag(help: "Print the counts as JSON.")
  var json = false

  @Argument(
    help: "Files to read; - for standard input.",
    completion: .file(extensions: ["geojson", "json", "kml", "gpx"]))
  var files: [String]

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("Missing expected argument '<files> ...'") }
  }

  func run() async throws {
    let reader = FenceReader(defaultRadius: radius?.metres, defaultWidth: width?.metres)
    var fences: [Fence] = [], problems = 0
    for path in files {
      let file = try WatchedFences.file(path: path, reader: reader)
      fences += WatchedFences.usable(file.fences, problems: &problems)
      problems += file.problems.count
    }
    let merge = try await FenceMerge.merging(fences, problems: problems, replaces: replace) {
      try await store.writing()
    }
    try show(merge, problems: problems)
    if problems > 0 || !merge.taken.isEmpty { throw CommandError("") }
  }

  private func show(_ merge: FenceMerge, problems: Int) throws {
    let output = try OutputFile(path: nil, replacing: false)
    if json {
      output.bytes += merge.json(problems: problems).bytes + [UInt8(ascii: "\n")]
    } else {
      output.bytes.appendText("\(merge.line)\n")
    }
    if let message = merge.takenMessage { StandardError.print("whereabouts: \(message)") }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
  }
}
