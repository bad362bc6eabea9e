import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsOperations
import WhereaboutsSources
import WhereaboutsReports

/// `whereabouts fence add`: adds a fence.
struct FenceAdd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a fence.",
    discussion: """
      The shape is a circle around a place (--at) or around the current location (--here), a polygon (--polygon), \
      or a line with a width (--corridor). --geometry reads the shape from a file.

      With --here, the command requests a fix with an accuracy of 15 m, or half of the radius if that is less, or \
      of --accuracy. Without such a fix, no fence is added. Without --timeout, the command fails after a few seconds \
      if no source is available.

      A watch that runs on the same store applies the new fence within a second.

      Examples:
        whereabouts fence add home --at 51.4779,-0.0015
        whereabouts fence add quay --at -33.8587,151.2140 --radius 80
        whereabouts fence add work --at 51.4912,0.0210 --radius 120 --exit-dwell 2m --hours 'Mo-Fr 07:00-19:00'
        whereabouts fence add here --here --source 'replay:drive.nmea?speed=max' --timeout 60s
        whereabouts fence add park --polygon '51.476,-0.004 51.476,0.002 51.480,0.002 51.480,-0.004' --dwell 10m
        whereabouts fence add road --corridor '51.478,-0.006 51.482,0.005' --width 40 --name 'The way home'
        whereabouts fence add yard --geometry - < yard.geojson

      Exit codes: 0 success, 1 failure or existing id, 2 usage error, 3 no accurate fix before the timeout, 4 \
      permission denied, 6 no receiver, 7 receiver in use by another program.
      """)

  @OptionGroup var store: RecordsOptions

  @Argument(help: "Unique id of the fence.")
  var id: String

  @Option(
    help: ArgumentHelp("Centre of a circle, in degrees.", valueName: "lat,lon"),
    transform: PlaceArgument.parse)
  var at: PlaceArgument?

  @Flag(help: "Use a circle around the current location.")
  var here = false

  @Option(
    help: ArgumentHelp("Corners of a polygon.", valueName: "places"), transform: PlacesArgument.parse)
  var polygon: PlacesArgument?

  @Option(
    help: ArgumentHelp("Points of the centre line of a corridor.", valueName: "places"),
    transform: PlacesArgument.parse)
  var corridor: PlacesArgument?

  @Option(
    help: ArgumentHelp(
      "File with one geometry, feature or placemark; - for standard input.", valueName: "file"),
    completion: .file())
  var geometry: String?

  @Option(
    help: ArgumentHelp(
      "Radius of the circle, as in 50, 50m or 1.5km. (default: 50 m)", valueName: "metres"),
    transform: LengthArgument.parse)
  var radius: LengthArgument?

  @Option(
    help: ArgumentHelp("Width of the corridor from side to side, as in 30m.", valueName: "metres"),
    transform: LengthArgument.parse)
  var width: LengthArgument?

  @Option(help: ArgumentHelp("Name of the fence. (default: none)", valueName: "text"))
  var name: String?

  @Option(
    name: .customLong("property"),
    help: ArgumentHelp("Custom property of the fence; repeatable.", valueName: "key=value"),
    transform: PropertyArgument.parse)
  var properties: [PropertyArgument] = []

  @OptionGroup(title: "Terms") var terms: FenceTermsOptions

  @Option(
    name: .customLong("source"),
    help: ArgumentHelp(
      "Source of the fix, as for `whereabouts now`; repeatable for failover; requires --here. (default: auto)",
      valueName: "source"),
    completion: .list(["auto", "gpsd", "nmea:", "geoclue", "replay:"]), transform: SourceOptions.source)
  var sources: [SourceName] = []

  private var source: SourceName { SourceName(inOrder: sources) }

  @Option(
    help: ArgumentHelp(
      "Required accuracy of the fix, a level or METRES[:AGE], as in 25:30s; requires --here. (default: by the radius)",
      valueName: "level"), completion: AccuracyArgument.defaultCompletionKind,
    transform: AccuracyArgument.parse)
  var accuracy: AccuracyArgument?

  @Option(
    help: ArgumentHelp(
      "Maximum time to wait for the fix, as in 10s or 2m; requires --here. (default: 30 s)",
      valueName: "duration"), transform: DurationArgument.parse)
  var timeout: DurationArgument?

  @Flag(help: "Replace an existing fence with the same id.")
  var replace = false

  @Flag(help: "Print the fence as GeoJSON.")
  var json = false

  func validate() throws {
    try SourceOptions.check(source)
    guard !id.isEmpty else { throw ValidationError("the id must have at least one character") }
    guard FenceReader.isValidID(id) else {
      throw ValidationError("the id can't be \"\(id)\", which a path can't name. Give the fence another id.")
    }
    let places: [(String, Bool)] = [
      ("--at", at != nil), ("--here", here), ("--polygon", polygon != nil), ("--corridor", corridor != nil),
      ("--geometry", geometry != nil),
    ]
    let given = places.filter(\.1).map(\.0)
    if given.isEmpty {
      throw ValidationError("no shape was given. Pass one of \(places.map(\.0).joined(separator: ", ")).")
    }
    if given.count > 1 { throw ValidationError("\(given[0]) and \(given[1]) can't be combined") }
    if radius != nil, polygon != nil || corridor != nil {
      throw ValidationError("--radius requires a circle and can't be combined with \(given[0])")
    }
    if width != nil, corridor == nil, geometry == nil {
      throw ValidationError("--width requires --corridor or --geometry")
    }
    if corridor != nil, width == nil { throw ValidationError("--corridor requires --width") }
    let forHere = [
      ("source", !sources.isEmpty), ("accuracy", accuracy != nil), ("timeout", timeout != nil),
    ]
    if !here, let (option, _) = forHere.first(where: \.1) {
      throw ValidationError("--\(option) requires --here")
    }
  }

  func run() async throws {
    let (made, remark, fix) = try await makeFence()
    if let taken = properties.map(\.key).first(where: made.reservedNames.contains) {
      throw CommandError(
        "could not add \(id): --property \(taken) has the name of a term. Pass the option of the term, or choose another name.",
        code: .usage)
    }
    guard let fence = try WatchedFences.resolved([made]).first else { return }
    let store = try await store.writing()
    // A check before the wait for a fix could be outdated afterwards.
    let isReplaced = try await store.changeFences { fences throws(CommandError) in
      guard let index = fences.firstIndex(where: { $0.id == fence.id }) else {
        fences.append(fence)
        return false
      }
      guard replace else {
        throw CommandError(
          "could not add \(fence.id): a fence with this id exists. Pass --replace to replace the fence.")
      }
      fences[index] = fence
      return true
    }
    // The store needs this fix: the next watch can then report an exit even if the device has already left.
    if let fix, store is OpenStore { try await save(fix) }
    let output = try OutputFile(path: nil, replacing: false)
    if json {
      FenceWriter().append(fence, to: &output.bytes)
      output.bytes.append(UInt8(ascii: "\n"))
    } else {
      let rest = ([ShapeText.shape(fence.area)] + ShapeText.terms(fence.terms)).joined(separator: ", ")
      let text = "\(fence.id) \(isReplaced ? "replaced" : "added"): \(rest)\(remark)"
      output.bytes.appendText("\(text.sanitizedToOneLine)\n")
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
  }

  /// Stores a fix of this device. A recording does not show the current location of this device.
  private func save(_ fix: Fix) async throws {
    if source.isRecorded, store.place.store == nil {
      StandardError.print(
        "whereabouts: the fix is not stored. Pass --store FILE to store a fix of a recording.")
      return
    }
    await (try OpenStore.writing(store.place.selection)).save(fix)
  }

  private func makeFence() async throws -> (Fence, remark: String, fix: Fix?) {
    let terms = terms.terms()
    var kept: [String: JSONValue] = [:]
    for property in properties { kept[property.key] = property.value }
    func fence(_ area: Area) -> Fence {
      Fence(id: FenceID(id), area: area, terms: terms, name: name, properties: kept)
    }
    let radius = radius?.metres ?? 50
    if let geometry {
      let reader = FenceReader(defaultRadius: radius, defaultWidth: width?.metres)
      let file = try WatchedFences.file(path: geometry, reader: reader)
      guard file.fences.count == 1, let read = file.fences.first else {
        throw CommandError(
          """
          could not add \(id): --geometry requires exactly one valid geometry, and the file has \
          \(file.fences.count). Run `whereabouts fence import` to import a whole file.
          """)
      }
      let merged = self.terms.terms(from: read.terms)
      return (
        Fence(
          id: FenceID(id), area: read.area, terms: merged, name: name ?? read.name,
          properties: read.properties.merging(kept) { $1 }), "", nil
      )
    }
    if here {
      let fix = try await FenceFixRequest(
        source: source, radius: radius, accuracy: accuracy?.level, timeout: timeout?.duration
      )
      .fix(for: id)
      return (
        fence(
          try Self.makeArea { () throws(AreaError) in
            .circle(try Area.Circle(center: fix.coordinate, radius: radius))
          }),
        fix.horizontalAccuracy.map { ", around a fix of ±\(Quantities.accuracy($0))" } ?? "", fix
      )
    }
    let area = try Self.makeArea { () throws(AreaError) in
      if let polygon { return .polygon(try Area.Polygon(exterior: polygon.coordinates)) }
      if let corridor, let width {
        return .corridor(try Area.Corridor(line: corridor.coordinates, width: width.metres))
      }
      guard let at else { throw .empty }
      return .circle(try Area.Circle(center: at.coordinate, radius: radius))
    }
    return (fence(area), "", nil)
  }

  private static func makeArea(_ make: () throws(AreaError) -> Area) throws(CommandError) -> Area {
    do { return try make() } catch {
      throw CommandError("could not make the fence: \(error)", code: .usage)
    }
  }
}
