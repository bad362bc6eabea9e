import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsReports

/// `whereabouts fence add`: adds a fence.
struct FenceAdd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a fence.",
    discussion: """
      Where it is: a circle around a place (--at) or around where the device is now (--here), the inside of a ring \
      (--polygon), a line with a width (--corridor), or a geometry of GeoJSON in a file (--geometry).

      With --here it takes a fix from the source that is good enough for the circle: 15 m, and half of the radius where \
      that is less, or as --accuracy says. No such fix, no fence.

      A watch that runs on the same store learns of it within a second.

      Examples:
        whereabouts fence add home --at 51.4779,-0.0015
        whereabouts fence add quay --at -33.8587,151.2140 --radius 80
        whereabouts fence add work --at 51.4912,0.0210 --radius 120 --exit-dwell 2m --hours 'Mo-Fr 07:00-19:00'
        whereabouts fence add here --here --source 'replay:drive.nmea?speed=max' --timeout 60s
        whereabouts fence add park --polygon '51.476,-0.004 51.476,0.002 51.480,0.002 51.480,-0.004' --dwell 10m
        whereabouts fence add road --corridor '51.478,-0.006 51.482,0.005' --width 40 --name 'The way home'
        whereabouts fence add yard --geometry - < yard.geojson

      Exit codes: 0 added, 1 failed or there is one of that id, 2 usage, 3 no fix good enough in time, 4 not permitted.
      """)

  @OptionGroup var store: RecordsOptions

  @Argument(help: "What it is found again by.")
  var id: String

  @Option(
    help: ArgumentHelp("A circle around this place, in degrees.", valueName: "lat,lon"))
  var at: PlaceArgument?

  @Flag(help: "A circle around where the device is now.")
  var here = false

  @Option(
    help: ArgumentHelp("The inside of this ring of corners.", valueName: "places"))
  var polygon: PlacesArgument?

  @Option(help: ArgumentHelp("All that is near this line.", valueName: "places"))
  var corridor: PlacesArgument?

  @Option(
    help: ArgumentHelp(
      "A geometry, feature or placemark from a file with one, - for standard input.", valueName: "file"),
    completion: .file())
  var geometry: String?

  @Option(
    help: ArgumentHelp(
      "The radius of the circle, as in 50, 50m, 1.5km. The standard is 50 m.", valueName: "metres"))
  var radius: LengthArgument?

  @Option(
    help: ArgumentHelp("The width of the corridor from side to side.", valueName: "metres"))
  var width: LengthArgument?

  @Option(help: ArgumentHelp("What people call it.", valueName: "text"))
  var name: String?

  @Option(
    name: .customLong("property"),
    help: ArgumentHelp("Something to keep with it; may be given again.", valueName: "key=value"))
  var properties: [PropertyArgument] = []

  @OptionGroup(title: "Terms") var terms: FenceTermsOptions

  @Option(
    help: ArgumentHelp(
      "With --here: where the fix comes from, as for `whereabouts now`. The standard is auto.",
      valueName: "source"),
    completion: .list(["auto", "gpsd", "nmea:", "geoclue", "replay:"]), transform: SourceOptions.source)
  var source: SourceArgument?

  @Option(
    help: ArgumentHelp("With --here: how good the fix must be, a level or METRES[:AGE].", valueName: "level"))
  var accuracy: AccuracyArgument?

  @Option(
    help: ArgumentHelp("With --here: how long to wait for it. The standard is 30 s.", valueName: "duration"))
  var timeout: DurationArgument?

  @Flag(help: "Put it in the place of the one of that id.")
  var replace = false

  @Flag(help: "Print the fence as GeoJSON.")
  var json = false

  func validate() throws {
    guard !id.isEmpty else { throw ValidationError("an id has at least one character") }
    let places: [(String, Bool)] = [
      ("--at", at != nil), ("--here", here), ("--polygon", polygon != nil), ("--corridor", corridor != nil),
      ("--geometry", geometry != nil),
    ]
    let given = places.filter(\.1).map(\.0)
    if given.isEmpty {
      throw ValidationError("where? One of \(places.map(\.0).joined(separator: ", ")) says it")
    }
    if given.count > 1 { throw ValidationError("\(given[0]) and \(given[1]) can't be combined") }
    if radius != nil, polygon != nil || corridor != nil {
      throw ValidationError("--radius is for circles, and \(given[0]) makes none")
    }
    if width != nil, corridor == nil, geometry == nil {
      throw ValidationError("--width is for --corridor")
    }
    if corridor != nil, width == nil { throw ValidationError("--corridor needs --width") }
    let forHere = [
      ("source", source != nil), ("accuracy", accuracy != nil), ("timeout", timeout != nil),
    ]
    if !here, let (option, _) = forHere.first(where: \.1) {
      throw ValidationError("--\(option) is for --here")
    }
  }

  func run() async throws {
    let (made, remark, fix) = try await makeFence()
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
          "could not add \(fence.id): there is one of that id already (--replace replaces it)")
      }
      fences[index] = fence
      return true
    }
    // The store needs this fix: the next watch can then report an exit even if the device has already left.
    if let fix, store is OpenStore { await (try OpenStore.writing(self.store.place)).save(fix) }
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
          "could not add \(id): --geometry needs exactly one that is right, and there are \(file.fences.count). "
            + "`whereabouts fence import` takes a whole file")
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
        source: source ?? .automatic, radius: radius, accuracy: accuracy?.level, timeout: timeout?.duration
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
      throw CommandError("could not make the fence: \(AreaProblemText.text(error))", code: .usage)
    }
  }
}
