import ArgumentParser
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsStore

/// `whereabouts places name`: names a place.
struct PlacesName: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "name",
    abstract: "Name or rename a place.",
    discussion: """
      A named place keeps its centre. --radius sets the distance from the centre within which visits belong to the \
      place.

      Examples:
        whereabouts places name psd9tmo Home
        whereabouts places name Home 'Old home' --radius 150m

      Exit codes: 0 success, 1 failure or unknown place, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var options: DaysOptions

  @Argument(help: "Identifier or name of the place.")
  var place: String

  @Argument(help: "New name.")
  var name: String

  @Option(
    help: ArgumentHelp(
      "Radius of the place, 10 m to 5 km, as in 150m. (default: unchanged)", valueName: "metres"),
    transform: LengthArgument.parse)
  var radius: LengthArgument?

  func validate() throws {
    guard name.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError("the name must have at least one character that is no space")
    }
    if let radius, !(10...5000).contains(radius.metres) {
      throw ValidationError("--radius must be between 10 m and 5 km")
    }
  }

  func run() async throws {
    let edit = try PlaceEdit(options)
    defer { edit.store.close() }
    let found = try edit.place(place)
    if let other = edit.places.first(where: { $0.place.name == name }), other.place.id != found.place.id {
      throw CommandError(
        """
        could not name \(place): \(other.place.id) has this name. Run `whereabouts places merge` to merge the \
        two places.
        """)
    }
    if edit.places.contains(where: { $0.place.id == name && $0.place.id != found.place.id }) {
      throw CommandError(
        "could not name \(place): \(name) is the identifier of another place; choose another name")
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
    abstract: "Merge a place into another place, with its visits.",
    discussion: """
      Later visits at the first place also belong to the second place. If only the first place has a name, the \
      second place gets the name. A merge cannot be undone: copy the store first if in doubt.

      Examples:
        whereabouts places merge psdb1c0 Home

      Exit codes: 0 success, 1 failure or unknown place, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var options: DaysOptions

  @Argument(help: "Identifier or name of the place to merge.")
  var place: String

  @Argument(help: "Identifier or name of the place that receives the visits.")
  var into: String

  func run() async throws {
    let edit = try PlaceEdit(options)
    defer { edit.store.close() }
    let from = try edit.place(place), target = try edit.place(into)
    guard from.place.id != target.place.id else {
      throw CommandError("could not merge \(place): both are the same place", code: .usage)
    }
    var ended = from.kept, kept = target.kept
    ended.mergedInto = target.place.id
    if kept.name == nil {
      kept.name = ended.name
      ended.name = nil
    }
    try edit.save([ended, kept])
    print("\(from.place.id) belongs to \(kept.name ?? kept.id)".sanitizedToOneLine)
  }
}

/// `whereabouts places fence`: makes a fence of a place.
struct PlacesFence: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fence",
    abstract: "Add a fence around a place.",
    discussion: """
      The fence is a circle with the radius of the place, or of --radius. The id of the fence is --id, or the name \
      or identifier of the place.

      Examples:
        whereabouts places fence Home
        whereabouts places fence psdb1c0 --id work --radius 150m

      Exit codes: 0 success, 1 failure, unknown place or existing fence id, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var options: DaysOptions

  @Argument(help: "Identifier or name of the place.")
  var place: String

  @Option(
    help: ArgumentHelp("Id of the fence. (default: the name or identifier of the place)", valueName: "id"))
  var id: String?

  @Option(
    help: ArgumentHelp(
      "Radius of the circle, as in 150m. (default: the radius of the place)", valueName: "metres"),
    transform: LengthArgument.parse)
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
    // Fences of all commands are those of this device, unless another one is given.
    let fenced = OpenStore(
      base: edit.store.base, path: edit.store.path, device: options.store.device ?? .this)
    try fenced.changeFences { fences throws(CommandError) in
      guard !fences.contains(where: { $0.id == id }) else {
        throw CommandError("could not add \(id): a fence with this id exists. Pass --id to use another id.")
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
    store = try OpenStore.writingPast(options.store.selection)
    places = try options.history(of: store).places
  }

  /// Returns the place of an identifier or a name.
  func place(_ text: String) throws(CommandError) -> VisitedPlace {
    if let place = places.first(where: { $0.place.id == text || $0.place.name == text }) { return place }
    let close = places.filter { $0.place.name?.lowercased() == text.lowercased() }
    if close.count == 1 { return close[0] }
    throw CommandError(
      "no place has the identifier or name \(text). Run `whereabouts places` to list the places.")
  }

  func save(_ places: [Place]) throws { try store.attempt { try $0.save(places, of: store.device) } }
}
