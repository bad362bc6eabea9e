import ArgumentParser
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsStore
import WhereaboutsUploadQueue

/// `whereabouts queue remove`: removes an upload endpoint.
struct QueueRemove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove an upload endpoint.",
    discussion: """
      The endpoint is removed with its pending requests and dead letters. If there are any, --yes is required. The \
      history is not changed.

      Examples:
        whereabouts queue remove home
        whereabouts queue remove home --yes

      Exit codes: 0 success, 1 failure, unconfirmed requests or unknown name, 2 usage error, 4 permission \
      denied.
      """)

  @OptionGroup var store: StoreFileOptions

  @Argument(help: "Name of the endpoint.")
  var name: String

  @Flag(help: "Remove the endpoint even if it has pending requests or dead letters.")
  var yes = false

  @Flag(help: "Print the number of deleted requests as JSON.")
  var json = false

  func run() async throws {
    let count = try OpenStore.writingExisting(store.selection).attempt { store in
      guard let count = try store.requestCount(ofEndpoint: name) else {
        throw EndpointNames.missingError(name, among: try store.endpoints().map(\.name))
      }
      guard count == 0 || yes else {
        throw CommandError(
          """
          could not remove \(name): \(Quantities.count(count, "request")) would be deleted. Pass --yes to \
          confirm.
          """
        )
      }
      try store.removeEndpoint(name)
      return count
    }
    try QueueCountReport.printCount(count, "removed", "deleted with it", name, json: json)
  }
}
