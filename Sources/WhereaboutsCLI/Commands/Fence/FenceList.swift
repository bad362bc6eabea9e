import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsReports

/// `whereabouts fence list`: lists the fences.
struct FenceList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the fences.",
    discussion: """
      Each with its id, its name, what it is, where the device was last seen of it, and its terms where they are not as \
      usual. Where the fences are is left out; `fence show` says it of one, and --json of all.

      Examples:
        whereabouts fence list
        whereabouts fence list --json

      Exit codes: 0 done, 1 failed, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: RecordsOptions

  @Flag(help: "Print each fence as a feature of GeoJSON, one a line.")
  var json = false

  func run() async throws {
    let place = try store.place.path()
    let store = try await store.readingIfThere()
    defer { store?.close() }
    let fences = try await store?.fences() ?? []
    let output = try OutputFile(path: nil, replacing: false)
    do {
      if json {
        for fence in fences {
          FenceWriter().append(fence, to: &output.bytes)
          output.bytes.append(UInt8(ascii: "\n"))
          try output.flushIfFull()
        }
      } else {
        for line in Self.table(fences, try await store?.fenceStates() ?? [:]) {
          output.bytes.appendText("\(line)\n")
          try output.flushIfFull()
        }
        if fences.isEmpty { StandardError.print(FenceHint.noFences(at: place)) }
      }
      try output.flush()
    } catch is OutputFile.ReaderGoneError {}
  }

  private static func table(_ fences: [Fence], _ states: [FenceID: FenceState]) -> [String] {
    let rows = fences.map { fence in
      [
        fence.id.name, fence.name ?? "", ShapeText.shape(fence.area),
        ShapeText.state(states[fence.id]), ShapeText.terms(fence.terms).joined(separator: ", "),
      ].map(\.sanitizedToOneLine)
    }
    return TextTable.lines(rows)
  }
}
