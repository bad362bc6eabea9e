import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsOperations
import WhereaboutsReports

/// `whereabouts fence show`: shows the details of one fence.
struct FenceShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the location, terms, state and latest events of a fence.",
    discussion: """
      Examples:
        whereabouts fence show home
        whereabouts fence show home --json

      Exit codes: 0 success, 1 failure or unknown id, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: RecordsOptions

  @Argument(help: "Id of the fence.", completion: StoreCompletion.fences)
  var id: String

  @Flag(help: "Print the fence as a GeoJSON feature with side, since and the latest events.")
  var json = false

  func run() async throws {
    let store = try await store.readingIfThere()
    defer { store?.close() }
    guard let fence = try await (store?.fences() ?? []).those([id]).first else { return }
    let output = try OutputFile(path: nil, replacing: false)
    if json {
      FenceFeatureJSON.append(
        fence, try await store?.fenceStates()[fence.id],
        events: try await Self.events(of: fence, in: store).suffix(FenceDetails.eventLimit),
        to: &output.bytes)
    } else {
      let state = try await store?.fenceStates()[fence.id]
      let events = try await Self.events(of: fence, in: store)
      for line in FenceDetails.lines(fence, state, events: events) {
        output.bytes.appendText("\(line.sanitizedToOneLine)\n")
      }
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
  }

  /// Returns the events of a fence in their final form, the oldest first.
  private static func events(
    of fence: Fence, in store: (any DeviceRecords)?
  ) async throws -> [ReportedFenceEvent] {
    ReportedEventBuilder.resolvingRevisions(try await store?.reportedEvents() ?? []).filter {
      $0.fence == fence.id
    }
  }
}
