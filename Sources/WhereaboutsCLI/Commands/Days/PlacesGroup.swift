import ArgumentParser
import WhereaboutsReports

/// `whereabouts places`: commands for the places of visits.
struct PlacesGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places",
    abstract: "List, name and merge the places of visits, or make fences of them.",
    discussion: """
      Visits within 100 m of each other belong to one place. A name is kept in the store, and all visits at the place \
      have it, earlier and later ones.

      Examples:
        whereabouts places
        whereabouts places name psd9tmo Home
        whereabouts places merge psdb1c0 Home
        whereabouts places fence Home --radius 120m
      """,
    subcommands: [PlacesList.self, PlacesName.self, PlacesMerge.self, PlacesFence.self],
    defaultSubcommand: PlacesList.self)
}

/// `whereabouts places list`: lists the places.
struct PlacesList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the places of visits, those with the longest stays first.",
    discussion: """
      Examples:
        whereabouts places list
        whereabouts places list --json

      Exit codes: 0 listed, 1 failed or there is no store, 2 usage, 4 not permitted.
      """)

  @OptionGroup var options: DaysOptions

  @Flag(help: "Print JSON, one object a line.")
  var json = false

  @Argument(
    help: "Recordings to read instead of the store, - for standard input.", completion: .file())
  var files: [String] = []

  func run() async throws {
    let places = try options.history(of: files).places
    let output = try OutputFile(path: nil, replacing: false)
    if json {
      for place in places { DaysJSON.append(place, to: &output.bytes) }
    } else {
      for line in DaysText.placeLines(places, calendar: options.calendar) {
        output.bytes.appendText("\(line)\n")
      }
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
    if places.isEmpty { StandardError.print("there is no place yet: no visit") }
  }
}
