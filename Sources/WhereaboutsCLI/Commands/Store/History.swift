import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports

/// `whereabouts history`: lists stored fixes.
struct History: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List stored fixes.",
    discussion: """
      Lists fixes, the oldest first. Without a range, the command lists the last 20 fixes. --all includes unused \
      fixes, which were late or implausible. --summary prints the contents and the size of the store.

      Examples:
        whereabouts history
        whereabouts history --today --json
        whereabouts history --since 2024-05-14T08:20:00Z --until 2024-05-14T08:21:00Z
        whereabouts history --last 100 --all
        whereabouts history --last 5 --format '{time}\\t{lat:5}\\t{lon:5}'
        whereabouts history --summary

      Exit codes: 0 success, 1 failure or no store, 2 usage error, 4 permission denied.
      """)

  /// The default number of listed fixes.
  private static let defaultCount = 20

  @OptionGroup var store: RecordsOptions

  @OptionGroup var span: SpanOptions

  @Option(
    help: ArgumentHelp(
      """
      Maximum number of fixes; the newest fixes are listed. (default: 20, or no limit with a time range)
      """, valueName: "number"), transform: Int.parseArgument)
  var last: Int?

  @Flag(help: "Include unused fixes, with their status.")
  var all = false

  @Flag(help: "Print the contents of the store.")
  var summary = false

  @OptionGroup var output: FixOutputOptions

  func validate() throws {
    if let last, last < 1 { throw ValidationError("--last must be at least 1") }
    if summary, span.isGiven || last != nil || all || output.format != nil {
      throw ValidationError("--summary can be combined only with --json")
    }
    if summary, store.server.server != nil {
      throw ValidationError("--summary and --server can't be combined: --summary reads a store file")
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
    guard count == 0 else { return }
    var unused = 0
    if !all { try await store.fixes(in: span.span, all: true, limit: 1) { _ in unused += 1 } }
    StandardError.print(absence + (unused > 0 ? "; --all lists the unused ones" : ""))
  }

  /// The message without any fix. A server may have fixes that the token may not see.
  private var absence: String {
    let isReader = store.server.server != nil
    let range = span.isGiven ? " in this time range" : isReader ? "" : " are stored"
    return "no fixes\(range)\(isReader ? " that this token may see" : "")"
  }

  private func summarize(_ file: OutputFile) throws {
    // The file's size, which only the file itself has.
    let store = try OpenStore.reading(store.place.selection)
    defer { store.close() }
    let summary = try store.summary()
    if output.json {
      StoreSummaryText.appendJSON(summary, to: &file.bytes)
    } else {
      for line in StoreSummaryText.lines(summary) { file.bytes.appendText("\(line)\n") }
    }
  }
}
