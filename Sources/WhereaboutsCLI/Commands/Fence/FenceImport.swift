import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsReports

/// `whereabouts fence import`: imports fences from files.
struct FenceImport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Add the fences of GeoJSON, KML or GPX files.",
    discussion: """
      A feature of GeoJSON with a polygon, a point with a "radius" or a line with a "width"; a placemark of KML; a \
      waypoint of GPX. What can't be used is told with its place, and the rest is taken. A fence whose id is taken is left \
      out, unless --replace replaces what has it.

      Examples:
        whereabouts fence import places.geojson
        whereabouts fence import --replace --radius 80 waypoints.gpx
        curl -s https://example.org/zones.geojson | whereabouts fence import -

      Exit codes: 0 all added, 1 failed or some were left out, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: RecordsOptions

  @Option(
    help: ArgumentHelp("The radius around points that state none.", valueName: "metres"))
  var radius: LengthArgument?

  @Option(
    help: ArgumentHelp("The width of corridors along lines that state none.", valueName: "metres"))
  var width: LengthArgument?

  @Flag(help: "Put fences in the place of those of their ids.")
  var replace = false

  @Flag(help: "Print what became of them as JSON.")
  var json = false

  @Argument(
    help: "The files, - for standard input.",
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
        "whereabouts: left out, for there are others of their ids (--replace replaces them): \(names)")
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
  }
}
