#if Server
  import ArgumentParser
  import Whereabouts
  import WhereaboutsFormats
  import WhereaboutsModel
  import WhereaboutsReports
  import WhereaboutsStore

  /// `whereabouts rejected`: lists the rows of phones that could not be read.
  struct Rejected: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the rows of phones that could not be read.",
      discussion: """
        The server sets such rows aside, since some apps would otherwise send the whole batch again for ever. Each with its \
        time of arrival, its device, the form of the request, the place in it, the reason and the beginning of its \
        bytes. The newest 1,000 of a device and 10,000 of all are kept; a row may hold a place.

        Examples:
          whereabouts rejected
          whereabouts rejected --device anna --last 5
          whereabouts rejected --json

        Exit codes: 0 listed, 1 failed, 2 usage, 4 not permitted.
        """)

    /// The greatest number of characters of a row in a line of text.
    private static let shownLength = 120

    @OptionGroup var store: StoreOptions

    @Option(help: ArgumentHelp("At most so many, the newest.", valueName: "number"))
    var last = 100

    @Flag(help: "Print JSON, one object a line.")
    var json = false

    func validate() throws {
      guard (1...RejectedRow.limit).contains(last) else {
        throw ValidationError("--last is 1 to \(RejectedRow.limit)")
      }
    }

    func run() async throws {
      let opened = try OpenStore.readingIfThere(store)
      defer { opened?.close() }
      let rows = try opened?.attempt { try $0.rejectedRows(of: store.device, limit: last) } ?? []
      let output = try OutputFile(path: nil, replacing: false)
      do {
        for row in rows.reversed() {
          if json {
            Self.append(row, to: &output.bytes)
          } else {
            output.bytes.appendText("\(Self.line(row))\n")
          }
          try output.flushIfFull()
        }
        try output.flush()
      } catch is OutputFile.ReaderGoneError {}
      if rows.isEmpty { StandardError.print("no row was set aside") }
    }

    private static func line(_ row: RejectedRow) -> String {
      let bytes = String(decoding: row.bytes, as: UTF8.self).prefix(shownLength)
      let columns = [
        "\(row.arrival.dateText) \(row.arrival.clockText)", row.device?.rawValue ?? "unknown device",
        row.dialect,
        "\(row.place): \(row.reason)", String(bytes),
      ]
      return columns.joined(separator: "  ").sanitizedToOneLine
    }

    private static func append(_ row: RejectedRow, to bytes: inout [UInt8]) {
      bytes.appendJSONObject { body in
        body.appendJSONMember("arrival", row.arrival)
        body.appendJSONMember("device", row.device?.rawValue)
        body.appendJSONMember("dialect", row.dialect)
        body.appendJSONMember("place", row.place)
        body.appendJSONMember("reason", row.reason)
        body.appendJSONMember("bytes", String(decoding: row.bytes, as: UTF8.self))
      }
      bytes.append(UInt8(ascii: "\n"))
    }
  }
#endif
