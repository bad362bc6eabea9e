package import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsReports

/// A writer of a track to a GPX file that is a whole document after each write.
///
/// The file gets its name with the first point, and an existing file stays unchanged until then. A killed process
/// leaves a whole document with all points except those settled within the last few seconds.
package final class TrackFile {
  /// The maximum time for which points are buffered before one write.
  private static let flushInterval = Duration.seconds(1)
  private static let bufferSize = 1 << 16

  private let path: String
  private let temporary: String
  private let replacing: Bool
  private let descriptor: Int32
  /// Whether the last write failed; the next one repeats it.
  private(set) var hasFailed = false
  /// Whether the file has its final name and contains points.
  package private(set) var isNamed = false
  private var isClosed = false
  private var writer = GPXWriter()
  private var document = PagedDocument()
  private var pendingBytes: [UInt8] = []
  /// The index after each point in the pending bytes.
  private var pendingEnds: [Int] = []
  /// The writes that failed so far, in their order.
  private var failedWrites: ArraySlice<PagedDocument.Write> = []
  private var lastWrite: ContinuousClock.Instant?

  /// Prepares a temporary file, which is renamed later.
  ///
  /// - Parameters:
  ///   - replacing: whether an existing file may be replaced; otherwise an existing file is an error.
  ///   - recording: the path of the recording that is read, which is never replaced.
  ///   - store: the path of the store, which is never replaced; the run may create it later.
  package init(
    path: String, replacing: Bool, besides recording: String, store: StorePath? = nil
  ) throws(CommandError) {
    self.path = path
    self.replacing = replacing
    temporary = System.temporaryName(of: path)
    if System.isSameFile(path, recording) {
      throw CommandError("could not write \(path): the command reads this recording")
    }
    if let status = System.status(atPath: path) {
      if status.isDirectory { throw CommandError("could not write \(path): it is a folder") }
      if !status.isRegular { throw CommandError("could not write \(path): it is not a regular file") }
      if !replacing { throw OutputFile.existingFileError(path) }
    }
    if let error = OutputFile.databaseError(path) { throw error }
    if let error = store.flatMap({ OutputFile.storeError(path, of: $0) }) { throw error }
    System.removeAbandonedParts(of: path)
    do throws(System.CallError) { descriptor = try System.create(temporary, inPlaceOf: path) } catch {
      throw CommandError("could not write \(path): \(error.reason)", code: error.code(otherwise: .failed))
    }
    _ = try? System.lock(descriptor)
    System.removeOnSignal(temporary)
  }

  deinit { close() }

  /// Adds the next point. A gap or a start begins a segment. The next call repeats a write that failed.
  package func add(_ point: TrackPoint) throws(CommandError) {
    if point.link != .follows { writer.write(.segmentBegan, to: &pendingBytes) }
    var fix = Fix(coordinate: point.coordinate.rounded, time: point.time, source: .gpx)
    fix.speed = point.speed.rounded(to: 1e3)
    fix.heightAboveGeoid = point.height?.rounded(to: 1e3)
    writer.write(fix, to: &pendingBytes)
    pendingEnds.append(pendingBytes.count)
    let isRecent = lastWrite.map { $0.duration(to: .now) < Self.flushInterval } ?? false
    if !isRecent || pendingBytes.count >= Self.bufferSize { try flush() }
  }

  /// Writes the buffered points.
  package func flush() throws(CommandError) {
    guard !pendingBytes.isEmpty || hasFailed else { return }
    lastWrite = .now
    try write()
  }

  /// Writes the buffered points. Removes the temporary file if there were no points; an existing file stays then.
  package func finish() throws(CommandError) {
    try flush()
    close()
  }

  private func write() throws(CommandError) {
    var points: [ArraySlice<UInt8>] = [], begin = 0
    for end in pendingEnds {
      points.append(pendingBytes[begin..<end])
      begin = end
    }
    var ending: [UInt8] = [], ended = writer
    ended.finish(to: &ending)
    failedWrites += document.append(points, ending: ending)
    pendingBytes.removeAll(keepingCapacity: true)
    pendingEnds.removeAll(keepingCapacity: true)
    hasFailed = true
    do throws(System.CallError) {
      while let write = failedWrites.first {
        try write.bytes.withUnsafeBufferPointer { (bytes) throws(System.CallError) in
          try System.write(descriptor, UnsafeRawBufferPointer(bytes), at: Int64(write.offset))
        }
        failedWrites.removeFirst()
      }
    } catch {
      throw CommandError("could not write \(path): \(error.reason)")
    }
    if !isNamed { try moveIntoPlace() }
    hasFailed = false
  }

  private func moveIntoPlace() throws(CommandError) {
    // The file may have become a database since the beginning.
    if replacing, let error = OutputFile.databaseError(path) { throw error }
    do throws(System.CallError) {
      if replacing {
        try System.move(temporary, to: path)
      } else {
        try System.moveWithoutReplacing(temporary, to: path)
      }
    } catch {
      throw error.isExisting
        ? OutputFile.existingFileError(path) : CommandError("could not write \(path): \(error.reason)")
    }
    isNamed = true
    System.keepOnSignal(temporary)
  }

  private func close() {
    guard !isClosed else { return }
    isClosed = true
    System.close(descriptor)
    guard !isNamed else { return }
    System.remove(temporary)
    System.keepOnSignal(temporary)
  }
}

extension Coordinate {
  /// The coordinate rounded to 10⁻⁹ degrees (0.1 mm).
  fileprivate var rounded: Coordinate {
    Coordinate(latitude: latitude.rounded(to: 1e9), longitude: longitude.rounded(to: 1e9)) ?? self
  }
}
