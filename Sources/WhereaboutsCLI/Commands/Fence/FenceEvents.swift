import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsReports

/// `whereabouts fence events`: lists fence events.
struct FenceEvents: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "List what happened at the fences.",
    discussion: """
      What `fence watch` has told, from the oldest to the newest. With --after only what came after an event, so that \
      whoever deals with events one by one goes on where it was, whatever was killed meanwhile. An event that was revised \
      is listed as it is now, and one that did not happen is left out, unless --all asks for each line as it was told.

      Examples:
        whereabouts fence events
        whereabouts fence events --fence home --since 2024-05-01T00:00:00Z
        whereabouts fence events --after 42 --json

      Exit codes: 0 done, 1 failed, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: RecordsOptions

  @Option(help: ArgumentHelp("Only what was told after the event of this id.", valueName: "id"))
  var after: UInt64?

  @Option(
    name: .customLong("fence"),
    help: ArgumentHelp("Only of this fence; may be given again.", valueName: "id"),
    completion: StoreCompletion.fences
  )
  var ids: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only what happened from then on, as in 2024-05-14T17:04:00Z or 2024-05-14.", valueName: "time"),
    transform: FenceEvents.time)
  var since: UTCTime?

  @Option(help: ArgumentHelp("At most so many, the newest.", valueName: "number"))
  var last: Int?

  @Flag(help: "Each line as it was told, with what was revised and revoked.")
  var all = false

  @Flag(help: "Print JSON, one object a line.")
  var json = false

  private static func time(_ text: String) throws -> UTCTime {
    guard let time = UTCTime(iso8601: text) else {
      throw ValidationError("'\(text)' is no time, as in 2024-05-14T17:04:00Z")
    }
    return time
  }

  func validate() throws {
    if let last, last < 1 { throw ValidationError("--last is at least 1") }
  }

  func run() async throws {
    let store = try await store.readingIfThere()
    defer { store?.close() }
    let told = try await store?.reportedEvents() ?? []
    var events = all ? told : ReportedEventBuilder.resolvingRevisions(told)
    if let after { events.removeAll { $0.id <= after } }
    if let since { events.removeAll { $0.time < since } }
    if !ids.isEmpty {
      let wanted = Set(ids.map { FenceID($0) })
      events.removeAll { !wanted.contains($0.fence) }
    }
    if let last { events = events.suffix(last) }
    let text = FenceEventText(try await store?.fences() ?? [], and: json ? [] : Set(events.map(\.fence)))
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
}
