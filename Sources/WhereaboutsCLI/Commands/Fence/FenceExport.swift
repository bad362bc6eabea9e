import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsOperations
import WhereaboutsReports

/// `whereabouts fence export`: exports all fences to one file.
struct FenceExport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export the fences as GeoJSON.",
    discussion: """
      Writes a FeatureCollection (RFC 7946) with the id, terms, name and properties of each fence. A circle is a \
      point with a "radius", and a corridor is a line with a "width". `fence import` reads the file.

      Examples:
        whereabouts fence export fences.geojson
        whereabouts fence export --fence home --fence work > some.geojson

      Exit codes: 0 success, 1 failure, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: RecordsOptions

  @Option(
    name: .customLong("fence"),
    help: ArgumentHelp("Export only this fence; repeatable. (default: all fences)", valueName: "id"),
    completion: StoreCompletion.fences)
  var ids: [String] = []

  @Flag(help: "Replace an existing file.")
  var force = false

  @Argument(help: "File to write. (default: standard output)", completion: .file(extensions: ["geojson"]))
  var file: String?

  func run() async throws {
    let place = try store.place.path()
    let records = try await store.readingIfThere()
    defer { records?.close() }
    let fences = try await (records?.fences() ?? []).those(ids)
    let output = try OutputFile(path: file, replacing: force, besides: [place.file])
    if fences.isEmpty {
      StandardError.print(FenceHint.noFences(at: place))
      FenceHint.reportOtherDevices(than: records)
    }
    FenceWriter().write(fences, to: &output.bytes)
    do { try output.finish() } catch is OutputFile.ReaderGoneError {}
  }
}
