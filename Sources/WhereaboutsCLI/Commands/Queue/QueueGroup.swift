import ArgumentParser

/// `whereabouts queue`: commands for upload endpoints and their queues.
struct QueueGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Upload fixes and crossings to servers, and manage the upload queue.",
    discussion: """
      An endpoint is a server with a name, the records to send, and an upload format. `watch`, `track` and `fence \
      watch` upload the records that they store. `serve` does not; run `queue flush` regularly for its store. \
      Records that cannot be sent wait in the store across failures and \
      restarts. Requests are sent in order. Each request keeps its key when it is sent again.

      Examples:
        whereabouts queue add home https://example.org/pub --template owntracks --auth-file ~/.config/owntracks
        whereabouts queue status
        whereabouts queue flush home
        whereabouts queue retry home
      """,
    subcommands: [
      QueueAdd.self, QueueList.self, QueueStatus.self, QueueFlush.self, QueueRetry.self, QueuePurge.self,
      QueueRemove.self,
    ])
}
