#if Server
  import ArgumentParser
  import Whereabouts
  import WhereaboutsFormats
  import WhereaboutsModel
  import WhereaboutsOperations
  import WhereaboutsReports
  import WhereaboutsStore

  /// `whereabouts rejected`: lists the rows of phones that could not be read.
  struct Rejected: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rejected", abstract: "List rows from phones that the server could not read.",
      discussion: """
        The server stores rejected rows separately, because some apps would otherwise repeat the whole batch \
        forever. Each row has its time of arrival, its device, the format of the request, its position in the \
        request, the reason, and its first bytes; JSON also has them as base64 if they are not UTF-8, as in an \
        encrypted row. The store keeps the newest 1,000 rows of a device and 10,000 \
        rows in total. A row may contain a location. `whereabouts serve rejected` is the same command.

        Examples:
          whereabouts rejected
          whereabouts rejected --device anna --last 5
          whereabouts rejected --json

        Exit codes: 0 success, 1 failure, 2 usage error, 4 permission denied.
        """)

    @OptionGroup var store: StoreFileOptions

    @Option(
      help: ArgumentHelp("List only the rows of this device. (default: all rows)", valueName: "name"),
      transform: StoreOptions.device)
    var device: DeviceID?

    @Option(
      help: ArgumentHelp(
        "Maximum number of rows; the newest rows are listed. (default: 100)", valueName: "number"),
      transform: Int.parseArgument)
    var last = 100

    @Flag(help: "Print JSON, one object per line.")
    var json = false

    func validate() throws {
      guard (1...RejectedRow.limit).contains(last) else {
        throw ValidationError("--last must be between 1 and \(RejectedRow.limit)")
      }
    }

    func run() async throws {
      let opened = try OpenStore.readingIfThere(store.selection)
      defer { opened?.close() }
      let rows = try opened?.attempt { try $0.rejectedRows(of: device, limit: last) } ?? []
      let output = try OutputFile(path: nil, replacing: false)
      do {
        for row in rows.reversed() {
          if json {
            RejectedRowText.append(row, to: &output.bytes)
          } else {
            output.bytes.appendText("\(RejectedRowText.line(row))\n")
          }
          try output.flushIfFull()
        }
        try output.flush()
      } catch is OutputFile.ReaderGoneError {}
      if rows.isEmpty { StandardError.print("no rejected rows") }
    }
  }
#endif
