#if Server
  import ArgumentParser
  import WhereaboutsOperations
  import WhereaboutsReports
  import WhereaboutsServer
  import WhereaboutsStore

  /// `whereabouts zone remove`: removes a privacy zone.
  struct ZoneRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove a privacy zone.",
      discussion: """
        Readers then see all fixes in the zone, also past fixes. The location of the zone is erased from the \
        store.

        Examples:
          whereabouts zone remove home

        Exit codes: 0 success, 1 failure or unknown name, 2 usage error, 4 permission denied.
        """)

    @OptionGroup var store: StoreFileOptions

    @Argument(help: "Name of the zone.")
    var name: String

    @Flag(help: "Print the name as JSON.")
    var json = false

    func run() async throws {
      try OpenStore.writingExisting(store.selection).attempt { try ZoneRegistry.remove(name, from: $0) }
      let output = try OutputFile(path: nil, replacing: false)
      if json {
        output.bytes += JSONObject("removed", name).bytes + [UInt8(ascii: "\n")]
      } else {
        output.bytes.appendText("\("\(name) removed".sanitizedToOneLine)\n")
      }
      do { try output.flush() } catch is OutputFile.ReaderGoneError {}
    }
  }
#endif
