import ArgumentParser
import WhereaboutsReports
import WhereaboutsStore
import WhereaboutsUploadQueue

/// `whereabouts queue list`: lists upload endpoints.
struct QueueList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the servers that are sent to.",
    discussion: """
      Examples:
        whereabouts queue list
        whereabouts queue list --json

      Exit codes: 0 done, 1 failed, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print each as JSON, one object a line.")
  var json = false

  func run() async throws {
    let endpoints = try OpenStore.readingIfThere(store)?.attempt { try $0.endpoints() } ?? []
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
          StandardError.print("nothing is sent anywhere; `whereabouts queue add` changes that")
        }
      }
      try output.flush()
    } catch is OutputFile.ReaderGoneError {}
  }
}
