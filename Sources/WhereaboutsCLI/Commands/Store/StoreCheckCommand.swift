import ArgumentParser
import Whereabouts
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsStore

#if Server
  import WhereaboutsServer
#endif

/// `whereabouts store check`: checks the integrity of a store.
struct StoreCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a store for damage.",
    discussion: """
      Runs the SQLite integrity check on every page, finds rows without a device, and decodes every fix, event, \
      fence, place, token, privacy zone and state. The command changes nothing, and other processes may use the \
      store meanwhile. For damage, the command prints a remedy.

      Examples:
        whereabouts store check
        whereabouts store check --json

      Exit codes: 0 store intact, 1 store damaged or unreadable, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: StoreFileOptions

  @Flag(help: "Print JSON: an object for each fault, then an object for the store.")
  var json = false

  func run() async throws {
    let path = try OpenStore.existingPath(store.selection).file
    let (report, error) = try OpenStore.check(path, showsProgress: !json) { store throws(StoreError) in
      #if Server
        return try store.serverFaults()
      #else
        return []
      #endif
    }
    let output = try OutputFile(path: nil, replacing: false)
    if json {
      StoreCheckText.appendJSON(report, of: path, to: &output.bytes)
    } else {
      for line in StoreCheckText.lines(report, of: path) {
        output.bytes.appendText("\(line.sanitizedToOneLine)\n")
      }
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
    if let error { throw CommandError(error) }
    guard report.faults.isEmpty else {
      throw CommandError("\(path) is damaged. \(StoreCheckText.remedy(report, of: path))")
    }
  }
}
