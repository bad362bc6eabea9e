import ArgumentParser
import Whereabouts
import WhereaboutsReports
import WhereaboutsStore
import WhereaboutsUploadQueue

/// `whereabouts store check`: checks the integrity of a store.
struct StoreCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Read all of a store and report damage.",
    discussion: """
      Checks every page of the file, as SQLite does; rows that belong to no device; and whether every fix, event, fence and \
      state can be understood. Changes nothing, and others may watch meanwhile. Says what helps where something is wrong.

      Examples:
        whereabouts store check
        whereabouts store check --json

      Exit codes: 0 the store is whole, 1 it is damaged or could not be read, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON: an object for each fault, then one for all of it.")
  var json = false

  func run() async throws {
    let path = try OpenStore.existingPath(store).file
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
      report.faults = [StoreFault(.file, error.message)]
      return (report, error)
    }
  }
}
