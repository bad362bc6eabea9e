import ArgumentParser
import Whereabouts
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsStore
import WhereaboutsUploadQueue

/// `whereabouts store check`: checks the integrity of a store.
struct StoreCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a store for damage.",
    discussion: """
      Runs the SQLite integrity check on every page, finds rows without a device, and decodes every fix, event, \
      fence and state. The command changes nothing, and other processes may use the store meanwhile. For damage, \
      the command prints a remedy.

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
    let (report, error) = try readStore(at: path)
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

  /// Returns the faults of an existing store. A file that is too damaged to be opened has one, and the error with its
  /// remedy.
  private func readStore(at path: String) throws(CommandError) -> (StoreCheckReport, StoreError?) {
    let meter = StoreCheckMeter(isWanted: !json)
    defer { meter.end() }
    do throws(StoreError) {
      let opened = try SQLiteStore.open(at: path, access: .readOnly)
      defer { opened.close() }
      var report = try opened.check(progress: meter.show)
      report.faults += try opened.uploadFaults()
      return (report, nil)
    } catch {
      guard error.code == .corrupt else { throw CommandError(error) }
      var report = StoreCheckReport()
      report.faults = [StoreFault(.file, "could not \(error.message)")]
      return (report, error)
    }
  }
}
