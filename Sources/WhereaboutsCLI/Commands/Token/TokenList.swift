#if Server
  import ArgumentParser
  import Whereabouts
  import WhereaboutsModel
  import WhereaboutsOperations
  import WhereaboutsReports
  import WhereaboutsServer
  import WhereaboutsStore

  /// `whereabouts token list`: lists access tokens.
  struct TokenList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the access tokens.",
      discussion: """
        Lists each token with its number, its label, its device, its scopes and its limits, the oldest first. \
        --device selects the tokens of one device.

        Examples:
          whereabouts token list
          whereabouts token list --json

        Exit codes: 0 success, 1 failure, 2 usage error, 4 permission denied.
        """)

    @OptionGroup var store: StoreFileOptions

    @Option(
      help: ArgumentHelp("List only the tokens of this device. (default: all tokens)", valueName: "name"),
      transform: StoreOptions.device)
    var device: DeviceID?

    @Flag(help: "Print JSON, one object per line.")
    var json = false

    func run() async throws {
      let opened = try OpenStore.readingIfThere(store.selection)
      defer { opened?.close() }
      var tokens = try opened?.attempt { try TokenRegistry($0).list() } ?? []
      if let opened { StoreCheckText.report(try opened.attempt { try $0.tokenFaults() }, in: opened.path) }
      if let device { tokens.removeAll { $0.device != device } }
      let output = try OutputFile(path: nil, replacing: false)
      do {
        if json {
          for token in tokens { output.bytes += TokenText.json(token).bytes + [UInt8(ascii: "\n")] }
        } else {
          let rows = tokens.map { TokenText.columns($0, now: .now).map(\.sanitizedToOneLine) }
          for line in TextTable.lines(rows, numbers: [0]) { output.bytes.appendText("\(line)\n") }
          if tokens.isEmpty {
            StandardError.print("no tokens. Run `whereabouts token create` to create a token.")
          }
        }
        try output.flush()
      } catch is OutputFile.ReaderGoneError {}
    }
  }
#endif
