import ArgumentParser
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore
import WhereaboutsUploadQueue

/// `whereabouts queue status`: shows the state of the upload queues.
struct QueueStatus: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say what waits to be sent, what was sent, and what went wrong.",
    discussion: """
      Of every server, or of one. What was set aside will never be taken as it is: `queue retry` sends it again, \
      `queue purge` throws it away.

      Examples:
        whereabouts queue status
        whereabouts queue status home --json

      Exit codes: 0 done, 1 failed or there is none of that name, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: StoreOptions

  @Argument(help: "The name of one of them.")
  var name: String?

  @Flag(help: "Print each as JSON, one object a line.")
  var json = false

  func run() async throws {
    var all = try OpenStore.readingIfThere(store)?.attempt { try $0.uploadStatus() } ?? []
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
        StandardError.print("nothing is sent anywhere; `whereabouts queue add` changes that")
      }
      try output.flush()
    } catch is OutputFile.ReaderGoneError {}
  }
}

/// Checks for endpoint names as typed.
enum EndpointNames {
  static func missingError(_ name: String, among names: [String]) -> CommandError {
    let others = names.isEmpty ? "" : "; there is \(names.prefix(5).joined(separator: ", "))"
    return CommandError("there is no endpoint \(name)\(others)")
  }

  /// Throws if the store has no endpoint of the given name.
  static func requireEndpoint(_ name: String, in store: SQLiteStore) throws {
    let names = try store.endpoints().map(\.name)
    guard names.contains(name) else { throw missingError(name, among: names) }
  }
}
