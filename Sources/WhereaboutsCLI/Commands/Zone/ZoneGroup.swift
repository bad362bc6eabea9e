#if Server
  import ArgumentParser

  /// `whereabouts zone`: commands for privacy zones of the daemon.
  struct ZoneGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "zone",
      abstract: "Add, list and remove privacy zones of the daemon.",
      discussion: """
        In a privacy zone the daemon withholds fixes from readers, or shows them on a coarse grid. The owner still sees \
        everything. A zone applies to all answers, also to those about the past, and changes nothing in the store.

        Examples:
          whereabouts zone add home --at 51.4779,-0.0015 --radius 200m
          whereabouts zone list
          whereabouts zone remove home
        """,
      subcommands: [ZoneAdd.self, ZoneList.self, ZoneRemove.self])
  }
#endif
