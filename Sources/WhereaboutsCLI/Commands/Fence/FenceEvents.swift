import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsOperations
import WhereaboutsReports

/// `whereabouts fence events`: lists fence events.
struct FenceEvents: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "List fence events.",
    discussion: """
      Lists the events that `fence watch` has reported, the oldest first. With --after, the command lists only \
      later events, so a consumer that processes events one by one can resume after a restart. Revised events are \
      listed in their final form, and revoked events are left out. --all lists every report.

      Examples:
        whereabouts fence events
        whereabouts fence events --fence home --since 2024-05-01
        whereabouts fence events --today
        whereabouts fence events --after 42 --json

      Exit codes: 0 success, 1 failure or unknown id, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: RecordsOptions

  @Option(
    help: ArgumentHelp(
      "List only events that were reported after the event with this id. (default: all events)",
      valueName: "id"), transform: UInt64.parseArgument)
  var after: UInt64?

  @Option(
    name: .customLong("fence"),
    help: ArgumentHelp("List only events of this fence; repeatable. (default: all fences)", valueName: "id"),
    completion: StoreCompletion.fences
  )
  var ids: [String] = []

  @OptionGroup var span: SpanOptions

  @Option(
    help: ArgumentHelp(
      "Maximum number of events; the newest events are listed. (default: no limit)", valueName: "number"),
    transform: Int.parseArgument)
  var last: Int?

  @Flag(help: "List every report, with revisions and revocations.")
  var all = false

  @Flag(help: "Print JSON, one object per line.")
  var json = false

  func validate() throws {
    if let last, last < 1 { throw ValidationError("--last must be at least 1") }
  }

  func run() async throws {
    let store = try await store.readingIfThere()
    defer { store?.close() }
    let reported = try await store?.reportedEvents() ?? []
    let fences = try await store?.fences() ?? []
    if reported.isEmpty { FenceHint.reportOtherDevices(than: store, ofEvents: true) }
    try checkIDs(among: Set(fences.map(\.id)).union(reported.map(\.fence)))
    var events = all ? reported : ReportedEventBuilder.resolvingRevisions(reported)
    if let after { events.removeAll { $0.id <= after } }
    if span.isGiven {
      let wanted = span.span
      events.removeAll { wanted?.contains($0.time) != true }
    }
    if !ids.isEmpty {
      let wanted = Set(ids.map { FenceID($0) })
      events.removeAll { !wanted.contains($0.fence) }
    }
    if let last { events = events.suffix(last) }
    let text = FenceEventText(fences, and: json ? [] : Set(events.map(\.fence)))
    let output = try OutputFile(path: nil, replacing: false)
    do {
      for event in events {
        if json {
          FenceEventJSON.append(event, to: &output.bytes)
        } else {
          output.bytes.appendText("\(text.line(event))\n")
        }
        try output.flushIfFull()
      }
      try output.flush()
    } catch is OutputFile.ReaderGoneError {}
  }

  /// Throws if an id is neither that of a fence nor that of an event. A removed fence leaves its events.
  private func checkIDs(among known: Set<FenceID>) throws(CommandError) {
    guard let missing = ids.first(where: { !known.contains(FenceID($0)) }) else { return }
    throw CommandError("no fence has the id \(missing)\(FenceID.hint(for: missing, among: known))")
  }
}
