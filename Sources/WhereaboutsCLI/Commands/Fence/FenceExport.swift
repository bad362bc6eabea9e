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
    let fences = try await store.fences().those(ids)
    let output = try OutputFile(path: file, replacing: force, besides: [try store.place.path().file])
    FenceWriter().write(fences, to: &output.bytes)
    do { try output.finish() } catch is OutputFile.ReaderGoneError {}
  }
}

extension [Fence] {
  /// Returns the fences with the given ids, in the same order; returns all fences for an empty list.
  ///
  /// - Throws: an error if a fence does not exist.
  func those(_ ids: [String]) throws(CommandError) -> [Fence] {
    guard !ids.isEmpty else { return self }
    let wanted = Set(ids.map { FenceID($0) })
    let there = Set(map(\.id))
    if let missing = ids.first(where: { !there.contains(FenceID($0)) }) {
      throw CommandError("no fence has the id \(missing)\(FenceID.hint(for: missing, among: there))")
    }
    return filter { wanted.contains($0.id) }
  }
}
