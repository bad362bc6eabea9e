import ArgumentParser

/// `whereabouts queue`: commands for upload endpoints and their queues.
struct QueueGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Send fixes and crossings to servers, and look after what waits to be sent.",
    discussion: """
      An endpoint is a server with a name, and what goes there in which form. While `watch`, `track` or `fence watch` run \
      on the same store, what they keep is sent; what could not be sent waits in the store, over any number of failures \
      and restarts. Requests go in order, each under a name that stays the same however often it must be sent.

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
