import ArgumentParser
import WhereaboutsOperations
import WhereaboutsReports

/// `whereabouts places`: commands for the places of visits.
struct PlacesGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places",
    abstract: "List, name and merge the places of visits, and add fences around them.",
    discussion: """
      Visits within 100 m of each other belong to one place. The store keeps the name of a place. The name applies \
      to all earlier and later visits at the place. Home? is a name that an imported recording states for a place \
      without a name; `whereabouts places name` confirms it.

      Examples:
        whereabouts places
        whereabouts places name psd9tmo Home
        whereabouts places merge psdb1c0 Home
        whereabouts places fence Home --radius 120m
      """,
    subcommands: [PlacesList.self, PlacesName.self, PlacesMerge.self, PlacesRemove.self, PlacesFence.self],
    defaultSubcommand: PlacesList.self)
}

/// `whereabouts places list`: lists the places.
struct PlacesList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the places of visits, the longest stays first.",
    discussion: """
      Examples:
        whereabouts places list
        whereabouts places list --json

      Exit codes: 0 success, 1 failure, no store or a damaged input, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var options: DaysOptions

  @OptionGroup var reading: NMEAOptions

  @Flag(help: "Print JSON, one object per line.")
  var json = false

  @Argument(
    help: "Recordings to read; - for standard input. (default: the store)", completion: .file())
  var files: [String] = []

  func validate() throws { try requireOneStandardInput(files) }

  func run() async throws {
    let history = try options.reader.history(of: files, reading.settings(), for: .places)
    let places = history.places
    let output = try OutputFile(path: nil, replacing: false)
    if json {
      for place in places { DaysJSON.append(place, to: &output.bytes) }
    } else {
      let calendar = options.reader.calendar(stated: history.statedOffsets)
      for line in DaysText.placeLines(places, calendar: calendar) {
        output.bytes.appendText("\(line)\n")
      }
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
    if places.isEmpty { StandardError.print("no places: there is no visit") }
    if history.isIncomplete { throw CommandError("") }
  }
}
