#if Server
  import ArgumentParser
  import Whereabouts
  import WhereaboutsOperations
  import WhereaboutsReports
  import WhereaboutsServer
  import WhereaboutsStore

  /// `whereabouts zone list`: lists privacy zones.
  struct ZoneList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the privacy zones.",
      discussion: """
        Lists each zone with its name and its terms. The list leaves out coordinates; --json includes them.

        Examples:
          whereabouts zone list
          whereabouts zone list --json

        Exit codes: 0 success, 1 failure, 2 usage error, 4 permission denied.
        """)

    @OptionGroup var store: StoreFileOptions

    @Option(
      help: ArgumentHelp(
        "List only the zones that apply to this device. (default: all zones)", valueName: "name"),
      transform: StoreOptions.device)
    var device: DeviceID?

    @Flag(help: "Print JSON, one object per line.")
    var json = false

    func run() async throws {
      let opened = try OpenStore.readingIfThere(store.selection)
      defer { opened?.close() }
      var zones = try opened?.attempt { try ZoneRegistry($0).zones } ?? []
      if let device { zones.removeAll { !$0.applies(to: device) } }
      let output = try OutputFile(path: nil, replacing: false)
      do {
        if json {
          for zone in zones { output.bytes += ZoneText.json(zone).bytes + [UInt8(ascii: "\n")] }
        } else {
          let rows = zones.map { zone in
            [zone.name, ZoneText.terms(zone).joined(separator: ", ")].map(\.sanitizedToOneLine)
          }
          for line in TextTable.lines(rows) { output.bytes.appendText("\(line)\n") }
          if zones.isEmpty {
            StandardError.print("no privacy zones. Run `whereabouts zone add` to add a zone.")
          }
        }
        try output.flush()
      } catch is OutputFile.ReaderGoneError {}
    }
  }
#endif
