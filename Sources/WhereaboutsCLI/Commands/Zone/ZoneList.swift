#if Server
  import ArgumentParser
  import WhereaboutsReports
  import WhereaboutsServer
  import WhereaboutsStore

  /// `whereabouts zone list`: lists privacy zones.
  struct ZoneList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the privacy zones.",
      discussion: """
        Each with its name and its terms. Where the zones are is left out; --json says it.

        Examples:
          whereabouts zone list
          whereabouts zone list --json

        Exit codes: 0 done, 1 failed, 2 usage, 4 not permitted.
        """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print each as JSON, one object a line.")
    var json = false

    func run() async throws {
      let opened = try OpenStore.readingIfThere(store)
      defer { opened?.close() }
      var zones = try opened?.attempt { try ZoneRegistry($0).zones } ?? []
      if let device = store.device { zones.removeAll { !$0.applies(to: device) } }
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
            StandardError.print("there are no privacy zones; `whereabouts zone add` adds one")
          }
        }
        try output.flush()
      } catch is OutputFile.ReaderGoneError {}
    }
  }
#endif
