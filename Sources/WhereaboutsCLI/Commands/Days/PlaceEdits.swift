import ArgumentParser
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

/// `whereabouts places name`: names a place.
struct PlacesName: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "name",
    abstract: "Name a place, or change its name.",
    discussion: """
      The place keeps its middle from then on, and --radius is how far from it visits belong to it.

      Examples:
        whereabouts places name psd9tmo Home
        whereabouts places name Home 'Old home' --radius 150m

      Exit codes: 0 named, 1 failed or there is no such place, 2 usage, 4 not permitted.
      """)

  @OptionGroup var options: DaysOptions

  @Argument(help: "The identifier or the name of the place.")
  var place: String

  @Argument(help: "The new name.")
  var name: String

  @Option(help: ArgumentHelp("The radius, 10 m to 5 km, as in 150m.", valueName: "metres"))
  var radius: LengthArgument?

  func validate() throws {
    if name.isEmpty { throw ValidationError("a place has a name of at least one character") }
    if let radius, !(10...5000).contains(radius.metres) {
      throw ValidationError("--radius is between 10 m and 5 km")
    }
  }

  func run() async throws {
    let edit = try PlaceEdit(options)
    defer { edit.store.close() }
    let found = try edit.place(place)
    if let other = edit.places.first(where: { $0.place.name == name }), other.place.id != found.place.id {
      throw CommandError(
        "could not name \(place): \(other.place.id) has that name; `whereabouts places merge` joins the two")
    }
    var kept = found.kept
    kept.name = name
    if let radius { kept.radius = radius.metres }
    try edit.save([kept])
    print("\(kept.id) is \(name)".sanitizedToOneLine)
  }
}

/// `whereabouts places merge`: makes one place of two.
struct PlacesMerge: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Give the visits of one place to another.",
    discussion: """
      Later visits at the first place belong to the second, too.

      Examples:
        whereabouts places merge psdb1c0 Home

      Exit codes: 0 merged, 1 failed or there is no such place, 2 usage, 4 not permitted.
      """)

  @OptionGroup var options: DaysOptions

  @Argument(help: "The identifier or the name of the place that ends.")
  var place: String

  @Argument(help: "The identifier or the name of the place that gets its visits.")
  var into: String

  func run() async throws {
    let edit = try PlaceEdit(options)
    defer { edit.store.close() }
    let from = try edit.place(place), target = try edit.place(into)
    guard from.place.id != target.place.id else {
      throw CommandError("could not merge \(place): both are the same place", code: .usage)
    }
    var ended = from.kept
    ended.mergedInto = target.place.id
    try edit.save([ended, target.kept])
    print(
      "\(from.place.id) belongs to \(target.place.name ?? target.place.id)".sanitizedToOneLine)
  }
}

/// `whereabouts places fence`: makes a fence of a place.
struct PlacesFence: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fence",
    abstract: "Add a fence around a place.",
    discussion: """
      A circle with the radius of the place, or with --radius. Its id is --id, or the name or identifier of the place.

      Examples:
        whereabouts places fence Home
        whereabouts places fence psdb1c0 --id work --radius 150m

      Exit codes: 0 added, 1 failed, there is no such place or a fence of that id, 2 usage, 4 not permitted.
      """)

  @OptionGroup var options: DaysOptions

  @Argument(help: "The identifier or the name of the place.")
  var place: String

  @Option(help: ArgumentHelp("The id of the fence.", valueName: "id"))
  var id: String?

  @Option(help: ArgumentHelp("The radius of the circle, as in 150m.", valueName: "metres"))
  var radius: LengthArgument?

  func run() async throws {
    let edit = try PlaceEdit(options)
    defer { edit.store.close() }
    let found = try edit.place(place).place
    let id = FenceID(self.id ?? found.name ?? found.id)
    let area: Area
    do {
      area = .circle(try Area.Circle(center: found.coordinate, radius: radius?.metres ?? found.radius))
    } catch {
      throw CommandError("could not make the fence: \(AreaProblemText.text(error))", code: .usage)
    }
    let fence = Fence(id: id, area: area, name: found.name)
    try edit.store.changeFences { fences throws(CommandError) in
      guard !fences.contains(where: { $0.id == id }) else {
        throw CommandError("could not add \(id): there is a fence of that id already (--id gives another)")
      }
      fences.append(fence)
    }
    print("\(id) added: \(ShapeText.shape(fence.area))".sanitizedToOneLine)
  }
}

/// A change of places in a store.
private struct PlaceEdit {
  let store: OpenStore
  let places: [VisitedPlace]

  init(_ options: DaysOptions) throws {
    // Reading first: a store that does not exist has no places.
    try OpenStore.reading(options.store).close()
    store = try OpenStore.writing(options.store)
    places = try options.history(of: store).places
  }

  /// Returns the place of an identifier or a name.
  func place(_ text: String) throws(CommandError) -> VisitedPlace {
    if let place = places.first(where: { $0.place.id == text || $0.place.name == text }) { return place }
    let close = places.filter { $0.place.name?.lowercased() == text.lowercased() }
    if close.count == 1 { return close[0] }
    throw CommandError("there is no place \(text); `whereabouts places` lists them")
  }

  func save(_ places: [Place]) throws { try store.attempt { try $0.save(places, of: store.device) } }
}
