import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsGeodesy

/// A way on its way into a GPX file, which is whole after each write: what closes the document is written too, and
/// written over by what comes next.
///
/// The file has its name from the first point on; until then what was there before is left alone. So a kill at any time
/// leaves a document that can be read, with all but what was settled within
/// the last few seconds.
final class TrackFile {
  /// Points that come in quick succession wait for one write, for so long and so many bytes.
  private static let patience = Duration.seconds(1)
  private static let bufferSize = 1 << 16

  private let path: String
  private let temporary: String
  private let replacing: Bool
  private let descriptor: Int32
  /// Whether it has its name, and holds something.
  private(set) var isNamed = false
  private var isClosed = false
  private var writer = GPXWriter()
  private var waiting: [UInt8] = []
  /// Bytes that were written and stay.
  private var written: Int64 = 0
  private var lastWrite: ContinuousClock.Instant?

  /// Makes room for a file, and names it later.
  ///
  /// - Parameters:
  ///   - replacing: whether a file that is there already may be replaced; otherwise that is a failure.
  ///   - recording: what is read meanwhile, which is never replaced.
  init(path: String, replacing: Bool, besides recording: String) throws(CommandFailure) {
    self.path = path
    self.replacing = replacing
    temporary = "\(path).part-\(System.processIdentifier)"
    if System.isSameFile(path, recording) {
      throw CommandFailure("could not write \(path): it is the recording that is to be read")
    }
    if let status = System.status(atPath: path) {
      if status.isDirectory { throw CommandFailure("could not write \(path): it is a folder") }
      if !status.isRegular { throw CommandFailure("could not write \(path): it is no file") }
      if !replacing { throw OutputFile.existing(path) }
    }
    do throws(System.Failure) { descriptor = try System.create(temporary, inPlaceOf: path) } catch {
      throw CommandFailure("could not write \(path): \(error.reason)")
    }
    System.removeOnSignal(temporary)
  }

  deinit { close() }

  /// Takes the next point. A gap and a start begin a segment.
  func add(_ point: TrackPoint) throws(CommandFailure) {
    if point.link != .follows { writer.write(.segmentBegan, to: &waiting) }
    var fix = Fix(coordinate: point.coordinate.rounded, time: point.time, source: .gpx)
    fix.speed = point.speed.rounded(to: 1e3)
    fix.heightAboveGeoid = point.height?.rounded(to: 1e3)
    writer.write(fix, to: &waiting)
    let isRecent = lastWrite.map { $0.duration(to: .now) < Self.patience } ?? false
    if !isRecent || waiting.count >= Self.bufferSize { try flush() }
  }

  /// Writes what is waiting.
  func flush() throws(CommandFailure) {
    guard !waiting.isEmpty else { return }
    lastWrite = .now
    try write()
  }

  /// Writes what is waiting, and leaves no file behind where there was nothing.
  func finish() throws(CommandFailure) {
    try flush()
    close()
  }

  private func write() throws(CommandFailure) {
    let kept = Int64(waiting.count)
    var ending = writer
    ending.finish(to: &waiting)
    defer { waiting.removeAll(keepingCapacity: true) }
    do throws(System.Failure) {
      try waiting.withUnsafeBufferPointer { (buffer) throws(System.Failure) in
        try System.write(descriptor, UnsafeRawBufferPointer(buffer), at: written)
      }
      written += kept
      if !isNamed { try name() }
    } catch {
      throw error.isExisting
        ? OutputFile.existing(path) : CommandFailure("could not write \(path): \(error.reason)")
    }
  }

  private func name() throws(System.Failure) {
    if replacing {
      try System.move(temporary, to: path)
    } else {
      try System.moveWithoutReplacing(temporary, to: path)
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
  /// To a billionth of a degree, a tenth of a millimetre: more would be digits for nothing.
  fileprivate var rounded: Coordinate {
    Coordinate(latitude: latitude.rounded(to: 1e9), longitude: longitude.rounded(to: 1e9)) ?? self
  }
}
