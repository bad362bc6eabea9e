import ArgumentParser
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports

/// `whereabouts fence remove`: removes fences.
struct FenceRemove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove fences.",
    discussion: """
      Removes all given fences, or no fence if one of the ids does not exist. Stored events are not removed.

      Examples:
        whereabouts fence remove home work
        whereabouts fence remove --all

      Exit codes: 0 success, 1 failure or unknown id, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: RecordsOptions

  @Argument(help: "Ids of the fences.", completion: StoreCompletion.fences)
  var ids: [String] = []

  @Flag(help: "Remove every fence.")
  var all = false

  @Flag(help: "Print the ids of removed fences as JSON.")
  var json = false

  func validate() throws {
    if ids.isEmpty, !all { throw ValidationError("no fence was given. Pass ids or --all.") }
    if !ids.isEmpty, all { throw ValidationError("--all and ids can't be combined") }
  }

  func run() async throws {
    let removed = try await store.writing(creates: false).changeFences { fences throws(CommandError) in
      let there = Set(fences.map(\.id))
      if let missing = ids.first(where: { !there.contains(FenceID($0)) }) {
        throw CommandError(
          "could not remove \(missing): no fence has this id\(FenceID.hint(for: missing, among: there))")
      }
      let gone = all ? there : Set(ids.map { FenceID($0) })
      let removed = fences.filter { gone.contains($0.id) }.map(\.id)
      fences.removeAll { gone.contains($0.id) }
      return removed
    }
    let output = try OutputFile(path: nil, replacing: false)
    if json {
      for id in removed { output.bytes += JSONObject("removed", id.name).bytes + [UInt8(ascii: "\n")] }
    } else {
      output.bytes.appendText("\(Quantities.count(removed.count, "fence")) removed\n")
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
  }
}
