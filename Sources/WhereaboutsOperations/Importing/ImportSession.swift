import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
package import WhereaboutsReports
import WhereaboutsSources
import WhereaboutsStore
import WhereaboutsUploadQueue

/// An import of files, one after the other.
package final class ImportSession {
  /// The store; `nil` as long as it does not exist.
  package private(set) var store: OpenStore?
  private let selection: StoreSelection
  private let devices: ImportDevices
  private let reading: ReadingSettings
  /// The prediction of a dry run; `nil` in an import.
  private let prediction: ImportPrediction?
  private var isDryRun: Bool { prediction != nil }
  /// The output of a line of JSON for each file; `nil` without.
  private let output: OutputFile?
  /// The result of all files so far.
  package private(set) var total = ImportReport()
  private var readFiles = 0
  private var otherFiles = 0
  private var worst: CommandError.Code?

  /// - Parameters:
  ///   - store: the store; `nil` if it does not exist.
  ///   - selection: the store that is created with the first fix or visit if it does not exist.
  package init(
    store: OpenStore?, at selection: StoreSelection, devices: ImportDevices, reading: ReadingSettings,
    isDryRun: Bool, output: OutputFile?
  ) {
    self.store = store
    self.selection = selection
    self.devices = devices
    self.reading = reading
    prediction = isDryRun ? ImportPrediction() : nil
    self.output = output
  }

  /// Imports files. One that can't be read is reported, and the next ones are read.
  ///
  /// - Throws: the errors of the store and the output, which end the import.
  package func run(_ files: [ImportFile]) throws {
    let sizes = files.map { System.size(ofFile: $0.path) }
    let isKnown = sizes.allSatisfy { $0 != nil }
    let meter = ProgressMeter(total: isKnown ? sizes.reduce(0) { $0 + ($1 ?? 0) } : nil)
    defer { meter.end() }
    var done = 0
    for (file, size) in zip(files, sizes) {
      do {
        try importFile(file, after: done, meter)
      } catch let problem as SourceProblem {
        handle(problem, of: file)
      }
      done += size ?? 0
    }
  }

  /// Returns the store, and creates a missing store; `nil` for a dry run without one. An import without a fix creates none.
  private func openStore() throws(CommandError) -> OpenStore? {
    if store == nil, !isDryRun { store = try .writing(selection) }
    return store
  }

  private func importFile(_ file: ImportFile, after done: Int, _ meter: ProgressMeter) throws {
    var recording = try RecordingFile(path: file.path, format: reading.format, nmea: reading.nmea)
    recording.notBefore = reading.notBefore
    var importer = PastImporter(openStore: openStore, devices: devices, dryRun: prediction)
    var problem: SourceProblem?
    do {
      try importer.importAll(of: &recording) { meter.advance(to: done + $0) }
      problem = recording.contentProblem(reading)
    } catch let error as SourceProblem {
      // The points read before the failure are stored.
      problem = error
    } catch {
      // Without a store nothing is stored, so that a report would only hide the error.
      guard store != nil || isDryRun else { throw error }
      // The store is full or fails. The points before are stored.
      meter.pause()
      var report = importer.report
      report.skippedFiles = recording.skippedPartCount
      report.movedDates = recording.rolloverCorrections
      total.add(report)
      try? write(report, of: recording, isStopped: true)
      throw error
    }
    var report = importer.report
    report.skippedFiles = recording.skippedPartCount
    report.movedDates = recording.rolloverCorrections
    if problem == nil { readFiles += 1 }
    total.add(report)
    if problem == nil || report.kept + report.duplicates + report.refused + report.visits > 0 {
      meter.pause()
      try write(report, of: recording)
    }
    // It may hold recordings, so that it is more than a file of another kind.
    if file.isFromFolder, problem != nil, let advice = recording.formatAdvice {
      meter.pause()
      StandardError.print("\(recording.name): \(advice)")
    }
    if recording.isIncomplete, problem == nil || file.isFromFolder {
      meter.pause()
      StandardError.print("whereabouts: \(CommandError.incomplete(recording.name))".sanitizedToOneLine)
      worst = .failed
    }
    if let problem {
      // Without `--from`, a position or a time with a wrong value is one of a recording.
      guard reading.format == nil, report.hasWrongValues else { throw problem }
      meter.pause()
      reportFailure(problem)
      return
    }
    if let reason = report.refusalReason {
      meter.pause()
      StandardError.print(
        "whereabouts: nothing to import from \(recording.name): \(reason)".sanitizedToOneLine)
      worst = .failed
    }
  }

  private func write(_ report: ImportReport, of recording: RecordingFile, isStopped: Bool = false) throws {
    for line in report.remarkLines(of: recording.name, isStopped: isStopped) { StandardError.print(line) }
    if recording.skippedPartCount > 0 { StandardError.print(Self.line(skippedPartsOf: recording)) }
    guard let output else { return }
    output.bytes += report.json(file: recording.name, isDryRun: isDryRun).bytes + [UInt8(ascii: "\n")]
    // Nobody reads the lines, but the files are still to be imported.
    do { try output.flushIfFull() } catch is OutputFile.ReaderGoneError {}
  }

  private static func line(skippedPartsOf recording: RecordingFile) -> String {
    let count = recording.skippedPartCount
    var names = recording.skippedPartNames.map(\.sanitizedToOneLine)
    if names.count < count { names.append("…") }
    return
      "\(recording.name): skipped \(Quantities.count(count, "file")) in the archive that \(count == 1 ? "is" : "are") not a recording: \(names.joined(separator: ", "))"
  }

  private func handle(_ problem: SourceProblem, of file: ImportFile) {
    // A remedy makes a recording of the file, so it is no file of another kind.
    if file.isFromFolder, CommandError(problem).code == .failed, problem.remedy == nil {
      otherFiles += 1
      total.skippedFiles += 1
      return
    }
    reportFailure(problem)
  }

  private func reportFailure(_ problem: SourceProblem) {
    let failure = CommandError(problem)
    StandardError.print("whereabouts: \(failure.message)")
    worst = worst == .failed ? .failed : failure.code
  }

  /// Reports the counts of an import that an error has ended, but not if the store could not be opened: nothing was
  /// imported then.
  package func reportStop() {
    guard store != nil || isDryRun else { return }
    let remedy = ". The kept points are stored. Run the same command again: it adds the others."
    StandardError.print(
      "\(isDryRun ? "dry run: " : "")stopped: \(total.countLine)\(isDryRun || total.kept == 0 ? "" : remedy)")
  }

  /// Reports the counts.
  ///
  /// - Throws: an error if a file could not be read, or every row of a file was refused.
  package func end() throws {
    if otherFiles > 0 {
      StandardError.print(
        "skipped \(Quantities.count(otherFiles, "file")) that \(otherFiles == 1 ? "is" : "are") not a recording, found in folders"
      )
    }
    for (name, device) in devices.renames.sorted(by: { $0.key < $1.key }) where !total.renamed.contains(name)
    {
      StandardError.print(
        "--rename \(name)=\(device): no file has fixes or visits of \(name)".sanitizedToOneLine)
    }
    reportUploads()
    StandardError.print("\(isDryRun ? "dry run: " : "")\(total.countLine)")
    if let worst { throw CommandError("", code: worst) }
    guard readFiles > 0 else { throw CommandError("no file is a recording") }
    if let reason = total.refusalReason { throw CommandError("nothing to import: \(reason)") }
  }

  /// Reports the endpoints that have not read the imported fixes yet, and so upload them.
  private func reportUploads() {
    guard let store, !isDryRun, total.kept > 0, let uploads = try? store.base.uploadStatus() else { return }
    let devices = total.newDevices
    for upload in uploads where upload.unreadFixes > 0 {
      let name = upload.endpoint.name
      if let device = upload.endpoint.device, !devices.contains(device) { continue }
      StandardError.print(
        """
        endpoint \(name) uploads imported fixes, except those older than the last fix it has read. To discard \
        everything it has not uploaded yet, run `whereabouts queue purge \(name) --all --yes\(store.path.options())`.
        """.sanitizedToOneLine)
    }
  }
}
