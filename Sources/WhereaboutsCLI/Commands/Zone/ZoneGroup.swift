#if Server
  import ArgumentParser

  /// `whereabouts zone`: commands for privacy zones of the server.
  struct ZoneGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "zone",
      abstract: "Add, list and remove privacy zones of the server.",
      discussion: """
        In a privacy zone, the server hides fixes from readers, or shows them on a coarse grid. The owner still \
        sees all fixes. A zone applies to all responses, also about the past, and does not change the stored \
        fixes.

        Examples:
          whereabouts zone add home --at 51.4779,-0.0015 --radius 200m
          whereabouts zone list
          whereabouts zone remove home
        """,
      subcommands: [ZoneAdd.self, ZoneList.self, ZoneRemove.self])
  }
#endif
