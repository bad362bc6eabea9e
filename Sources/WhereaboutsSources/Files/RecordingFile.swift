public import WhereaboutsModel
public import WhereaboutsFormats

/// A recording in a file, decoded chunk by chunk; the content determines the format.
///
/// Memory use does not grow with the file.
public struct RecordingFile: RecordingFeed {
  private enum Stage {
    case notStarted
    case reading(any RecordingDecoder)
    case ended
  }

  /// The recording's format once reading has begun; before, the format that the caller gave, if any.
  public private(set) var format: RecordingFormat?
  /// The name in messages: the path, or "standard input".
  public var name: String { file.name }
  /// The size in bytes, where known beforehand; `nil` for a pipe.
  public var size: Int? { file.size }
  /// The number of bytes read so far.
  public private(set) var bytesRead = 0
  /// The number of elements read so far.
  public private(set) var elementCount = 0
  /// The input problems found so far.
  public var problems: ProblemLog { batch.problems }
  /// The document's elements skipped so far because they have no counterpart in the model.
  public var skippedElements: SkippedElements { batch.skippedElements }
  /// The number of receiver dates moved by whole rounds of 1,024 weeks; final once the recording has ended.
  public var rolloverCorrections: Int { batch.rolloverCorrections }

  private let file: ByteFile
  private let options: NMEADecoder.Options
  private var stage = Stage.notStarted
  private var batch = RecordingBatch()

  /// Opens a recording.
  ///
  /// - Parameters:
  ///   - path: a file, or `-` for standard input.
  ///   - format: the format; `nil` detects it.
  ///   - options: the decoder's options for NMEA 0183.
  /// - Throws: a `SourceProblem` if the file can't be opened.
  public init(path: String, format: RecordingFormat? = nil, nmea options: NMEADecoder.Options = .init())
    throws(SourceProblem)
  {
    self.init(try InputFile(path: path), format: format, nmea: options)
  }

  /// A recording in an open file that has not been read.
  ///
  /// - Parameters: as ``init(path:format:nmea:)``.
  public init(_ file: InputFile, format: RecordingFormat? = nil, nmea options: NMEADecoder.Options = .init())
  {
    self.format = format
    self.options = options
    self.file = file.file
  }

  /// Replaces the elements with the next ones, which may be none before the end.
  ///
  /// - Returns: false once the recording has ended.
  /// - Throws: a `SourceProblem` if the file can't be read or its format is unknown.
  public mutating func read(into elements: inout [RecordingElement]) throws(SourceProblem) -> Bool {
    elements.removeAll(keepingCapacity: true)
    switch stage {
    case .notStarted: try detectFormat()
    case .reading(var decoder):
      stage = .ended  // Lets go of the other copy of the decoder, so that its storage need not be copied.
      let chunk = try file.next()
      bytesRead += chunk.count
      if chunk.isEmpty {
        decoder.finish(into: &batch)
      } else {
        decoder.decode(chunk, into: &batch)
        stage = .reading(decoder)
      }
    case .ended:
      return false
    }
    swap(&elements, &batch.elements)
    elementCount += elements.count
    return true
  }

  private mutating func detectFormat() throws(SourceProblem) {
    var opening: [UInt8] = []
    while opening.count < RecordingFormat.detectionLength {
      let chunk = try file.next()
      if chunk.isEmpty { break }
      opening.append(contentsOf: chunk)
    }
    guard !opening.isEmpty else {
      throw SourceProblem(.unreadable, message: "read \(file.name): it is empty")
    }
    format = format ?? RecordingFormat.detect(opening)
    guard let format, var decoder = format.makeDecoder(nmea: options) else {
      let names = RecordingFormat.readable.map(\.rawValue).joined(separator: ", ")
      throw SourceProblem(.unreadable, message: "read \(file.name): it is none of \(names)")
    }
    decoder.decode(opening, into: &batch)
    bytesRead += opening.count
    stage = .reading(decoder)
  }
}

extension ReplaySource {
  /// A source that plays a file and opens it at the first demand; the content determines the format.
  ///
  /// - Parameters: as ``init(speed:longestPause:open:)``, with `-` as the path of standard input.
  public init(path: String, speed: ReplaySpeed = .times(1), longestPause: Duration? = nil) {
    self.init(speed: speed, longestPause: longestPause) { try RecordingFile(path: path) }
  }
}
