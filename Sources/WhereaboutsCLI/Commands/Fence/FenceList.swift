import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsOperations
import WhereaboutsReports

/// `whereabouts fence list`: lists the fences.
struct FenceList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the fences.",
    discussion: """
      Lists each fence with its id, its name, its shape, the last known side of the device, and all terms that \
      differ from the defaults. The list leaves out coordinates. `fence show` prints them for one fence, and \
      --json for all fences.

      Examples:
        whereabouts fence list
        whereabouts fence list --json

      Exit codes: 0 success, 1 failure, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: RecordsOptions

  @Flag(help: "Print each fence as a GeoJSON feature with side and since, one per line.")
  var json = false

  func run() async throws {
    let place = try store.place.path()
    let store = try await store.readingIfThere()
    defer { store?.close() }
    let fences = try await store?.fences() ?? []
    let output = try OutputFile(path: nil, replacing: false)
    do {
      if json {
        let states = try await store?.fenceStates() ?? [:]
        for fence in fences {
          FenceFeatureJSON.append(fence, states[fence.id], to: &output.bytes)
          try output.flushIfFull()
        }
      } else {
        for line in FenceDetails.table(fences, try await store?.fenceStates() ?? [:]) {
          output.bytes.appendText("\(line)\n")
          try output.flushIfFull()
        }
        if fences.isEmpty { StandardError.print(FenceHint.noFences(at: place)) }
      }
      if fences.isEmpty { FenceHint.reportOtherDevices(than: store) }
      try output.flush()
    } catch is OutputFile.ReaderGoneError {}
  }
}
