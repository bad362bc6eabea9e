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
    let opened = try OpenStore.reading(store)
    let meter = StoreCheckMeter(isWanted: !json)
    let report = try opened.attempt { store in
      var report = try store.check(progress: meter.show)
      report.faults += try store.uploadFaults()
      return report
    }
    meter.end()
    let path = opened.path.file
    opened.close()
    let output = try OutputFile(path: nil, replacing: false)
    if json {
      StoreCheckText.appendJSON(report, of: path, to: &output.bytes)
    } else {
      for line in StoreCheckText.lines(report, of: path) {
        output.bytes.appendText("\(line.sanitizedToOneLine)\n")
      }
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
    guard report.faults.isEmpty else {
      throw CommandError("\(path) is damaged. \(StoreCheckText.remedy(report, of: path))")
    }
  }
}
