import ArgumentParser
import WhereaboutsStore
import WhereaboutsUploadQueue

/// `whereabouts queue purge`: deletes dead letters.
struct QueuePurge: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge",
    abstract: "Throw away what was set aside, or everything that is to be sent.",
    discussion: """
      The history stays. With --all also what waits goes, and what has come and is in no request yet is not sent there.

      Examples:
        whereabouts queue purge home
        whereabouts queue purge home --all --yes

      Exit codes: 0 done, 1 failed or there is none of that name, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: StoreOptions

  @Argument(help: "The name of the server.")
  var name: String

  @Flag(help: "Also what is still to be sent.")
  var all = false

  @Flag(help: "It is meant.")
  var yes = false

  @Flag(help: "Print how many as JSON.")
  var json = false

  func validate() throws {
    if all, !yes {
      throw ValidationError("--all throws away what is still to be sent: --yes says that it is meant")
    }
  }

  func run() async throws {
    let count = try OpenStore.writing(store).attempt { store in
      try EndpointNames.requireEndpoint(name, in: store)
      return try store.purgeUploads(to: name, all: all)
    }
    try QueueCountReport.printCount(count, "purged", "thrown away", name, json: json)
  }
}
