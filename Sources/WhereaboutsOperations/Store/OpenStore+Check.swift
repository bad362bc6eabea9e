package import Whereabouts
package import WhereaboutsStore
import WhereaboutsUploadQueue

extension OpenStore {
  /// Returns the faults of an existing store. A file that is too damaged to be opened has one, and the error with its
  /// remedy.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - showsProgress: whether a terminal shows the progress.
  ///   - others: returns the faults of rows that other targets decode.
  package static func check(
    _ path: String, showsProgress: Bool, _ others: (SQLiteStore) throws(StoreError) -> [StoreFault]
  ) throws(CommandError) -> (StoreCheckReport, StoreError?) {
    let meter = StoreCheckMeter(isWanted: showsProgress)
    defer { meter.end() }
    do throws(StoreError) {
      let opened = try SQLiteStore.open(at: path, access: .readOnly)
      defer { opened.close() }
      var report = try opened.check(progress: meter.show)
      report.faults += try opened.uploadFaults()
      report.faults += try others(opened)
      return (report, nil)
    } catch {
      guard error.code == .corrupt else { throw CommandError(error) }
      var report = StoreCheckReport()
      report.faults = [StoreFault(.file, "could not \(error.message)")]
      return (report, error)
    }
  }
}
