import ArgumentParser
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsStore
import WhereaboutsUploadQueue

/// `whereabouts queue status`: shows the state of the upload queues.
struct QueueStatus: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show pending uploads, sent uploads and failures.",
    discussion: """
      Shows every endpoint, or one. The server will not accept a dead letter without changes: `queue retry` sends \
      the letter again, and `queue purge` deletes it.

      Examples:
        whereabouts queue status
        whereabouts queue status home --json

      Exit codes: 0 success, 1 failure or unknown name, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: StoreFileOptions

  @Argument(help: "Name of an endpoint. (default: all endpoints)")
  var name: String?

  @Flag(help: "Print JSON, one object per line.")
  var json = false

  func run() async throws {
    var all = try OpenStore.readingIfThere(store.selection)?.attempt { try $0.uploadStatus() } ?? []
    if let name {
      let names = all.map(\.endpoint.name)
      all.removeAll { $0.endpoint.name != name }
      if all.isEmpty { throw EndpointNames.missingError(name, among: names) }
    }
    let output = try OutputFile(path: nil, replacing: false)
    do {
      for (index, status) in all.enumerated() {
        if json {
          QueueJSON.append(status, to: &output.bytes)
          continue
        }
        if index > 0 { output.bytes.append(UInt8(ascii: "\n")) }
        let now = UTCTime(nanosecondsSince1970: System.wallClock)
        for (label, text) in QueueText.lines(status, now: now) {
          output.bytes.appendText("\("\(label.padded(to: 10))\(text)".sanitizedToOneLine)\n")
        }
      }
      if all.isEmpty, !json {
        StandardError.print("no upload endpoints. Run `whereabouts queue add` to add an endpoint.")
      }
      try output.flush()
    } catch is OutputFile.ReaderGoneError {}
  }
}
