import ArgumentParser
import WhereaboutsReports
import WhereaboutsStore
import WhereaboutsUploadQueue

/// `whereabouts queue remove`: removes an upload endpoint.
struct QueueRemove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Send to a server no more.",
    discussion: """
      What waits to be sent there goes with it, where --yes says that it is meant. The history stays.

      Examples:
        whereabouts queue remove home
        whereabouts queue remove home --yes

      Exit codes: 0 removed, 1 failed, something waits or there is none of that name, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: StoreOptions

  @Argument(help: "The name of the server.")
  var name: String

  @Flag(help: "Also where something waits to be sent.")
  var yes = false

  @Flag(help: "Print how many requests went with it as JSON.")
  var json = false

  func run() async throws {
    let count = try OpenStore.writing(store).attempt { store in
      try EndpointNames.requireEndpoint(name, in: store)
      let status = try store.uploadStatus().first { $0.endpoint.name == name }
      let count = (status?.waiting.requests ?? 0) + (status?.dead.requests ?? 0)
      guard count == 0 || yes else {
        throw CommandError(
          "could not remove \(name): \(Quantities.count(count, "request")) would go with it (--yes says that it is meant)"
        )
      }
      try store.removeEndpoint(name)
      return count
    }
    try QueueCountReport.printCount(count, "removed", "gone with it", name, json: json)
  }
}
