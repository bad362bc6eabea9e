import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsOperations
import WhereaboutsReports

/// `whereabouts fence import`: imports fences from files.
struct FenceImport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import fences from GeoJSON, KML or GPX files.",
    discussion: """
      Imports GeoJSON features with a polygon, a point with a "radius" or a line with a "width", KML placemarks, \
      and GPX waypoints. Standard error reports unusable features with their positions; the other features are \
      imported. A fence with an existing id is skipped, unless --replace replaces the existing fence.

      Examples:
        whereabouts fence import places.geojson
        whereabouts fence import --replace --radius 80 waypoints.gpx
        curl -s https://example.org/zones.geojson | whereabouts fence import -

      Exit codes: 0 success, 1 failure or skipped features, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: RecordsOptions

  @Option(
    help: ArgumentHelp("Radius of points without a radius. (default: none)", valueName: "metres"),
    transform: LengthArgument.parse)
  var radius: LengthArgument?

  @Option(
    help: ArgumentHelp("Width of lines without a width. (default: none)", valueName: "metres"),
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

  private struct Count {
    var added = 0
    var replaced = 0
    var unchanged = 0
    var importedIDs: [FenceID] = []
    var problems = 0
  }

  func run() async throws {
    let reader = FenceReader(defaultRadius: radius?.metres, defaultWidth: width?.metres)
    var count = Count()
    var fences: [Fence] = []
    for path in files {
      let file = try WatchedFences.file(path: path, reader: reader)
      fences += try WatchedFences.resolved(file.fences)
      count.problems += file.problems.count
    }
    try await store.writing().changeFences { all throws(CommandError) in
      var places: [FenceID: Int] = [:]
      for (index, fence) in all.enumerated() { places[fence.id] = index }
      for fence in fences {
        if let index = places[fence.id] {
          if all[index] == fence {
            count.unchanged += 1
          } else if replace {
            all[index] = fence
            count.replaced += 1
          } else {
            count.importedIDs.append(fence.id)
          }
        } else {
          places[fence.id] = all.count
          all.append(fence)
          count.added += 1
        }
      }
    }
    try show(count)
    if count.problems > 0 || !count.importedIDs.isEmpty { throw CommandError("") }
  }

  private func show(_ count: Count) throws {
    let output = try OutputFile(path: nil, replacing: false)
    if json {
      var line = JSONObject()
      line.add("added", count.added)
      line.add("replaced", count.replaced)
      line.add("same", count.unchanged)
      line.add("taken", count.importedIDs.count)
      line.add("problems", count.problems)
      output.bytes += line.bytes + [UInt8(ascii: "\n")]
    } else {
      var parts = ["\(Quantities.count(count.added, "fence")) added"]
      if count.replaced > 0 { parts.append("\(count.replaced.grouped) replaced") }
      if count.unchanged > 0 { parts.append("\(count.unchanged.grouped) there already") }
      if !count.importedIDs.isEmpty { parts.append("\(count.importedIDs.count.grouped) left out") }
      output.bytes.appendText("\(parts.joined(separator: ", "))\n")
    }
    if !count.importedIDs.isEmpty {
      let names =
        count.importedIDs.prefix(5).map(\.name).joined(separator: ", ")
        + (count.importedIDs.count > 5 ? " …" : "")
      StandardError.print(
        """
        whereabouts: skipped fences with existing ids: \(names). Pass --replace to replace the existing fences.
        """)
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
  }
}
