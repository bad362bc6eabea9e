import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsStore
import WhereaboutsUploadQueue

/// `whereabouts queue retry`: sends dead letters again.
struct QueueRetry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Send dead letters again, and resume a stopped endpoint.",
    discussion: """
      Requests are sent again without changes, and before later requests.

      Examples:
        whereabouts queue retry home

      Exit codes: 0 success, 1 failure or unknown name, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: StoreFileOptions

  @Argument(help: "Name of the endpoint.")
  var name: String

  @Flag(help: "Print the count as JSON.")
  var json = false

  func run() async throws {
    let count = try OpenStore.writingExisting(store.selection).attempt { store in
      try EndpointNames.requireEndpoint(name, in: store)
      return try store.retryUploads(to: name)
    }
    try QueueCountReport.printCount(count, "retried", "to be sent again", name, json: json)
  }
}

/// A report of the number of affected requests.
enum QueueCountReport {
  static func printCount(_ count: Int, _ key: StaticString, _ words: String, _ name: String, json: Bool)
    throws
  {
    let output = try OutputFile(path: nil, replacing: false)
    if json {
      output.bytes.appendJSONObject {
        $0.appendJSONMember("endpoint", name)
        $0.appendJSONMember(key, count)
      }
      output.bytes.append(UInt8(ascii: "\n"))
    } else {
      output.bytes.appendText(
        "\("\(name): \(Quantities.count(count, "request")) \(words)".sanitizedToOneLine)\n")
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
  }
}
