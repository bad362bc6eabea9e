import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports

/// `whereabouts trips`: lists trips with their distances.
struct Trips: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trips", abstract: "List the trips that `track` has measured, or show one trip.",
    discussion: """
      Lists each trip with its name, start, elapsed time, distance with one standard deviation, moving time, numbers \
      of gaps and interruptions, and whether the trip is open. Nothing is counted for an interruption, as of an \
      unplugged receiver, and the elapsed time leaves it out. A trip that was \
      not ended, for example after a kill, is open and can be resumed; the distance since its last settled fix is \
      "ahead" and not in the distance yet. For one trip, the command lists each gap and each interruption, and the \
      distance counted for it.

      Examples:
        whereabouts trips
        whereabouts trips drive
        whereabouts trips --open --json

      Exit codes: 0 success, 1 failure, no store or unknown trip, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: RecordsOptions

  @Argument(help: "Name of a trip. (default: all trips)", completion: StoreCompletion.trips)
  var name: String?

  @Flag(help: "List only open trips.")
  var open = false

  @Flag(help: "Print JSON, one object per line.")
  var json = false

  func validate() throws {
    if name != nil, open { throw ValidationError("--open and a trip name can't be combined") }
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
        StandardError.print("no \(open ? "open " : "")trips. Run `whereabouts track` to record a trip.")
      }
    }
  }

  private func show(_ trip: Trip, of store: any DeviceRecords, _ file: OutputFile) async throws {
    let gaps = try await store.gaps(of: trip.id)
    if json {
      TripJSON.append(trip, to: &file.bytes)
      for gap in gaps { TripJSON.append(gap, to: &file.bytes) }
    } else {
      let lines = TripText.lines(trip, gaps: gaps, resumption: trip.resumption)
      for line in lines { file.bytes.appendText("\(line)\n") }
    }
  }
}
