public import WhereaboutsCore
public import WhereaboutsFormats

/// A recording in a file, decoded chunk by chunk; its format is found from its content.
///
/// Memory does not grow with the file.
public struct RecordingFile: RecordingFeed {
  private enum Stage {
    case notBegun
    case reading(any RecordingDecoder)
    case ended
  }

  /// Its format, once reading has begun; before that the one that was given, if any.
  public private(set) var format: RecordingFormat?
  /// What to call it in messages: its path, or "standard input".
  public var name: String { file.name }
  /// Bytes of the whole, where that is known beforehand; a pipe has none.
  public var size: Int? { file.size }
  /// Bytes read so far.
  public private(set) var bytesRead = 0
  /// Elements read so far.
  public private(set) var elementCount = 0
  /// What could not be read so far.
  public var problems: ProblemLog { batch.problems }
  /// Elements of a document that were passed over so far, since nothing here stands for them.
  public var unread: UnreadElements { batch.unread }
  /// How many dates of a receiver were moved by whole rounds of 1,024 weeks; known once the recording has ended.
  public var movedDates: Int { batch.movedDates }

  private let file: ByteFile
  private let options: NMEADecoder.Options
  private var stage = Stage.notBegun
  private var batch = RecordingBatch()

  /// Opens a recording.
  ///
  /// - Parameters:
  ///   - path: a file, or `-` for standard input.
  ///   - format: how to read it; `nil` finds out.
  ///   - options: how to read it if it is NMEA 0183.
  /// - Throws: where it can't be opened.
  public init(path: String, format: RecordingFormat? = nil, nmea options: NMEADecoder.Options = .init())
    throws(SourceTrouble)
  {
    self.init(try UnreadFile(path: path), format: format, nmea: options)
  }

  /// A recording in a file of which nothing has been read.
  ///
  /// - Parameters: as ``init(path:format:nmea:)``.
  public init(_ file: UnreadFile, format: RecordingFormat? = nil, nmea options: NMEADecoder.Options = .init())
  {
    self.format = format
    self.options = options
    self.file = file.file
  }

  /// Replaces the elements with the next ones; there may be none of them before the end.
  ///
  /// - Returns: false once the recording has ended.
  /// - Throws: where it can't be read, or is of no format that is known.
  public mutating func read(into elements: inout [RecordingElement]) throws(SourceTrouble) -> Bool {
    elements.removeAll(keepingCapacity: true)
    switch stage {
    case .notBegun: try begin()
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

  private mutating func begin() throws(SourceTrouble) {
    var opening: [UInt8] = []
    while opening.count < RecordingFormat.detectionLength {
      let chunk = try file.next()
      if chunk.isEmpty { break }
      opening.append(contentsOf: chunk)
    }
    guard !opening.isEmpty else {
      throw SourceTrouble(.unreadable, message: "read \(file.name): it is empty")
    }
    format = format ?? RecordingFormat.detect(opening)
    guard let format, var decoder = format.makeDecoder(nmea: options) else {
      let names = RecordingFormat.readable.map(\.rawValue).joined(separator: ", ")
      throw SourceTrouble(.unreadable, message: "read \(file.name): it is none of \(names)")
    }
    decoder.decode(opening, into: &batch)
    bytesRead += opening.count
    stage = .reading(decoder)
  }
}

extension ReplaySource {
  /// A recording in a file, opened when there is the first demand; its format is found from its content.
  ///
  /// - Parameters: as ``init(speed:longestPause:open:)``, with `-` as the path of standard input.
  public init(path: String, speed: ReplaySpeed = .times(1), longestPause: Duration? = nil) {
    self.init(speed: speed, longestPause: longestPause) { try RecordingFile(path: path) }
  }
}
