import ArgumentParser
import WhereaboutsOperations
import WhereaboutsStore
import WhereaboutsUploadQueue

/// `whereabouts queue purge`: deletes dead letters.
struct QueuePurge: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge",
    abstract: "Delete dead letters, or all pending uploads.",
    discussion: """
      The history is not changed. With --all, the command also deletes pending requests, and skips new records \
      that are not in a request yet.

      Examples:
        whereabouts queue purge home
        whereabouts queue purge home --all --yes

      Exit codes: 0 success, 1 failure or unknown name, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: StoreFileOptions

  @Argument(help: "Name of the endpoint.")
  var name: String

  @Flag(help: "Also delete pending requests.")
  var all = false

  @Flag(help: "Confirm the deletion.")
  var yes = false

  @Flag(help: "Print the count as JSON.")
  var json = false

  func validate() throws {
    if all, !yes {
      throw ValidationError("--all deletes pending requests. Pass --yes to confirm.")
    }
  }

  func run() async throws {
    let count = try OpenStore.writingExisting(store.selection).attempt { store in
      try EndpointNames.requireEndpoint(name, in: store)
      return try store.purgeUploads(to: name, all: all)
    }
    try QueueCountReport.printCount(count, "purged", "deleted", name, json: json)
  }
}
