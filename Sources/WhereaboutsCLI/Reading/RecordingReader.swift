import WhereaboutsCore
import WhereaboutsFormats

/// Reads a recording from a file or standard input: finds its format, decodes it chunk by chunk, shows progress.
struct RecordingReader {
  /// What the recording is called in messages.
  var name: String { file.name }
  /// Its format, known once reading has begun.
  private(set) var format: RecordingFormat?
  /// What could not be read so far.
  var problems: ProblemLog { batch.problems }

  /// Elements read so far.
  private(set) var elementCount = 0
  /// Whether it has been read and turned out not to be what it was taken for.
  ///
  /// A receiver's capture may well hold no fix. A document that gives nothing but problems, or bytes that only the
  /// caller called a recording, are unreadable.
  var isUnreadable: Bool {
    elementCount == 0 && problems.total > 0 && (options.format != nil || format != .nmea)
  }

  private let file: InputFile
  private let options: ReadingOptions
  private var batch = RecordingBatch()
  private var progress: ProgressMeter

  init(path: String, options: ReadingOptions) throws(CommandFailure) {
    file = try InputFile(path: path)
    self.options = options
    progress = ProgressMeter(total: file.size)
  }

  /// Reads everything, giving elements in batches as they come.
  ///
  /// - Throws: ``CommandFailure`` where the file can't be read or its format is not known; what `take` throws.
  mutating func read(_ take: (borrowing [RecordingElement]) throws -> Void) throws {
    defer { progress.end() }
    var opening: [UInt8] = []
    while opening.count < RecordingFormat.detectionLength {
      let chunk = try file.next()
      if chunk.isEmpty { break }
      opening.append(contentsOf: chunk)
    }
    guard !opening.isEmpty else { throw CommandFailure("could not read \(name): it is empty") }
    let format = try options.format ?? detected(opening)
    self.format = format
    var decoder = try options.decoder(for: format)
    try opening.withUnsafeBytes { try decode($0, with: &decoder, take) }
    opening = []
    while true {
      let chunk = try file.next()
      if chunk.isEmpty { break }
      try decode(chunk, with: &decoder, take)
    }
    decoder.finish(into: &batch)
    try give(take)
  }

  func failIfUnreadable() throws(CommandFailure) {
    guard isUnreadable, let format else { return }
    throw CommandFailure("could not read \(name): nothing in it could be read as \(format.rawValue)")
  }

  private func detected(_ opening: [UInt8]) throws(CommandFailure) -> RecordingFormat {
    let format = opening.withUnsafeBytes { RecordingFormat.detect($0) }
    guard let format else {
      let names = RecordingFormat.readable.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure("could not read \(name): it is none of \(names) (--from says which)")
    }
    return format
  }

  private mutating func decode(
    _ chunk: UnsafeRawBufferPointer, with decoder: inout any RecordingDecoder,
    _ take: (borrowing [RecordingElement]) throws -> Void
  ) throws {
    decoder.decode(chunk, into: &batch)
    try give(take)
    progress.advance(by: chunk.count)
  }

  private mutating func give(_ take: (borrowing [RecordingElement]) throws -> Void) throws {
    elementCount += batch.elements.count
    try take(batch.elements)
    batch.removeAll()
  }
}
