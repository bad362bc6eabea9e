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
    let edit = try PlaceEdit(options.reader)
    defer { edit.store.close() }
    let kept = try edit.setName(of: place, to: name, radius: radius?.metres)
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
      second place gets the name. `places remove` with the first place's identifier undoes the merge.

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
    let edit = try PlaceEdit(options.reader)
    defer { edit.store.close() }
    let (ended, kept) = try edit.merge(place, into: into)
    print("\(ended.id) belongs to \(kept.name ?? kept.id)".sanitizedToOneLine)
  }
}

/// `whereabouts places remove`: removes what the store keeps of a place.
struct PlacesRemove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove the name, radius and merge of a place, also of an unreadable one. Visits stay.",
    discussion: """
      Examples:
        whereabouts places remove psdb1c0

      Exit codes: 0 success, 1 failure or unknown place, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: StoreOptions

  @Argument(help: "Identifier or name of the place.")
  var place: String

  func run() async throws {
    try PlaceEdit.remove(place, from: store.selection)
    print("\(place) removed".sanitizedToOneLine)
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
    let edit = try PlaceEdit(options.reader)
    defer { edit.store.close() }
    let fence = try edit.addFence(around: place, id: id, radius: radius?.metres)
    print("\(fence.id) added: \(ShapeText.shape(fence.area))".sanitizedToOneLine)
  }
}
