import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsReports

/// `whereabouts trips`: lists trips with their distances.
struct Trips: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the trips that `track` has measured, or say all about one.",
    discussion: """
      Each with its name, when it began, how long it took, how far it was with one standard deviation, how long it moved, \
      how many gaps it has, and whether it is open: a trip that was not ended, as by a kill, can be gone on with. Of one \
      trip every gap is listed with what was counted for it.

      Examples:
        whereabouts trips
        whereabouts trips drive
        whereabouts trips --open --json

      Exit codes: 0 listed, 1 failed, there is no store or no trip of that name, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: RecordsOptions

  @Argument(help: "The name of a trip; all of them if left out.", completion: StoreCompletion.trips)
  var name: String?

  @Flag(help: "Only those that are open.")
  var open = false

  @Flag(help: "Print JSON, one object a line.")
  var json = false

  func validate() throws {
    if name != nil, open { throw ValidationError("--open and a name can't be combined") }
  }

  func run() async throws {
    let store = try await store.reading()
    defer { store.close() }
    let file = try OutputFile(path: nil, replacing: false)
    if let name {
      try await show(try await store.trip(named: name), of: store, file)
    } else {
      list(try await store.trips().filter { !open || $0.ended == nil }, file)
    }
    do { try file.flush() } catch is OutputFile.ReaderGoneError {}
  }

  private func list(_ trips: [Trip], _ file: OutputFile) {
    if json {
      for trip in trips { TripJSON.append(trip, to: &file.bytes) }
    } else {
      for line in TextTable.lines(trips.map(TripText.row), numbers: TripText.numbers) {
        file.bytes.appendText("\(line)\n")
      }
      if trips.isEmpty {
        StandardError.print("there is no \(open ? "open " : "")trip; `whereabouts track` makes one")
      }
    }
  }

  private func show(_ trip: Trip, of store: any DeviceRecords, _ file: OutputFile) async throws {
    let gaps = try await store.gaps(of: trip.id)
    if json {
      TripJSON.append(trip, to: &file.bytes)
      for gap in gaps { TripJSON.append(gap, to: &file.bytes) }
    } else {
      for line in TripText.lines(trip, gaps: gaps) { file.bytes.appendText("\(line)\n") }
    }
  }
}
