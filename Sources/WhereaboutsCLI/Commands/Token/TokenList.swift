#if Server
  import ArgumentParser
  import WhereaboutsModel
  import WhereaboutsReports
  import WhereaboutsServer
  import WhereaboutsStore

  /// `whereabouts token list`: lists access tokens.
  struct TokenList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the access tokens.",
      discussion: """
        Each with its number, its label, its device, its scopes and its limits, oldest first. With --device those of \
        one device.

        Examples:
          whereabouts token list
          whereabouts token list --json

        Exit codes: 0 done, 1 failed, 2 usage, 4 not permitted.
        """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print each as JSON, one object a line.")
    var json = false

    func run() async throws {
      let opened = try OpenStore.readingIfThere(store)
      defer { opened?.close() }
      var tokens = try opened?.attempt { try TokenRegistry($0).list() } ?? []
      if let device = store.device { tokens.removeAll { $0.device != device } }
      let output = try OutputFile(path: nil, replacing: false)
      do {
        if json {
          for token in tokens { output.bytes += TokenText.json(token).bytes + [UInt8(ascii: "\n")] }
        } else {
          let rows = tokens.map { TokenText.columns($0, now: .now).map(\.sanitizedToOneLine) }
          for line in TextTable.lines(rows, numbers: [0]) { output.bytes.appendText("\(line)\n") }
          if tokens.isEmpty {
            StandardError.print("there are no tokens; `whereabouts token create` adds one")
          }
        }
        try output.flush()
      } catch is OutputFile.ReaderGoneError {}
    }
  }
#endif
