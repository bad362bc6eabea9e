import ArgumentParser
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsStore
import WhereaboutsUploadQueue

/// `whereabouts queue list`: lists upload endpoints.
struct QueueList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the upload endpoints.",
    discussion: """
      Examples:
        whereabouts queue list
        whereabouts queue list --json

      Exit codes: 0 success, 1 failure, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: StoreFileOptions

  @Flag(help: "Print JSON, one object per line.")
  var json = false

  func run() async throws {
    let endpoints = try OpenStore.readingIfThere(store.selection)?.attempt { try $0.endpoints() } ?? []
    let output = try OutputFile(path: nil, replacing: false)
    do {
      if json {
        for endpoint in endpoints { QueueJSON.append(endpoint, to: &output.bytes) }
      } else {
        let rows = endpoints.map { endpoint in
          [
            endpoint.name, endpoint.redactedURL,
            (QueueText.content(endpoint) + QueueText.sending(endpoint)).joined(separator: ", "),
          ].map(\.sanitizedToOneLine)
        }
        for line in TextTable.lines(rows) { output.bytes.appendText("\(line)\n") }
        if endpoints.isEmpty {
          StandardError.print("no upload endpoints. Run `whereabouts queue add` to add an endpoint.")
        }
      }
      try output.flush()
    } catch is OutputFile.ReaderGoneError {}
  }
}
