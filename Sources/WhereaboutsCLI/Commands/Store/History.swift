import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsReports

/// `whereabouts history`: lists stored fixes.
struct History: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the fixes that were kept.",
    discussion: """
      From the oldest to the newest; where nothing says which, the last 20. With --all those too that were taken and not \
      used: they came late, or the device can't have come there. With --summary what the store holds, and how large it is.

      Examples:
        whereabouts history
        whereabouts history --today --json
        whereabouts history --since 2024-05-14T08:20:00Z --until 2024-05-14T08:21:00Z
        whereabouts history --last 100 --all
        whereabouts history --last 5 --format '{time}\\t{lat:5}\\t{lon:5}'
        whereabouts history --summary

      Exit codes: 0 listed, 1 failed or there is no store, 2 usage, 4 not permitted.
      """)

  /// The default number of listed fixes.
  private static let defaultCount = 20

  @OptionGroup var store: RecordsOptions

  @OptionGroup var span: SpanOptions

  @Option(help: ArgumentHelp("At most so many, the newest.", valueName: "number"))
  var last: Int?

  @Flag(help: "Those too that were not used, with what was made of them.")
  var all = false

  @Flag(help: "Say what the store holds.")
  var summary = false

  @OptionGroup var output: FixOutputOptions

  func validate() throws {
    if let last, last < 1 { throw ValidationError("--last is at least 1") }
    if summary, span.isGiven || last != nil || all || output.format != nil {
      throw ValidationError("--summary is of all there is, and has no other options but --json")
    }
    if summary, store.server.server != nil {
      throw ValidationError("--summary is of a store's file: --server and it can't be combined")
    }
  }

  func run() async throws {
    let file = try OutputFile(path: nil, replacing: false)
    do {
      if summary { try summarize(file) } else { try await list(file) }
      try file.flush()
    } catch is OutputFile.ReaderGoneError {}
  }

  private func list(_ file: OutputFile) async throws {
    let store = try await store.reading()
    defer { store.close() }
    let text = StoredFixText(form: output.form, showsUse: all)
    var count = 0
    if span.isGiven, span.span == nil { return }
    let limit = last ?? (span.isGiven ? nil : Self.defaultCount)
    try await store.fixes(in: span.span, all: all, limit: limit) { fix in
      text.append(fix, to: &file.bytes)
      count += 1
      try file.flushIfFull()
    }
    if count == 0 { StandardError.print("there is no fix\(span.isGiven ? " of that time" : " yet")") }
  }

  private func summarize(_ file: OutputFile) throws {
    // The file's size, which only the file itself tells.
    let store = try OpenStore.reading(store.place)
    defer { store.close() }
    let summary = try store.summary()
    if output.json {
      StoreSummaryText.appendJSON(summary, to: &file.bytes)
    } else {
      for line in StoreSummaryText.lines(summary) { file.bytes.appendText("\(line)\n") }
    }
  }
}
