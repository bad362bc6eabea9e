public import WhereaboutsModel
public import WhereaboutsFormats

/// A recording in a file, decoded chunk by chunk; the content determines the format.
///
/// Of a zip archive all recordings are read, one after the other; of a KMZ the document. Gzip is inflated, around the
/// file and in an archive. If NMEA 0183 states its date only after the first fixes, these fixes get it, too; the date is
/// found in the first 256 KiB, or in the first 4 KiB of a pipe. Memory use does not grow with the file, but with an
/// archive within an archive.
public struct RecordingFile: RecordingFeed {
  /// The number of elements of a document that are created at once, to limit the memory for a long track.
  private static let elementsAtOnce = 4_096

  private enum Stage {
    case beforePart
    case reading(any RecordingDecoder, ByteFile)
    /// The file has been read, and its decoder may hold elements back.
    case finishing(any RecordingDecoder, ByteFile)
    case ended
  }

  /// The format of the recording that is read; before reading, the format that the caller gave, if any.
  public private(set) var format: RecordingFormat?
  /// The name in messages: the path, or "standard input".
  public let name: String
  /// The size in bytes, compressed if the file is; `nil` for a pipe.
  public let size: Int?
  /// The number of bytes read so far, compressed if the file is.
  public var bytesRead: Int { parts.consumed }
  /// The number of elements read so far.
  public private(set) var elementCount = 0
  /// The path of the recording in its own archive, which may be within others; `nil` outside of archives.
  package var pathInArchive: String? { parts.entryName }
  /// The number of recordings begun so far: more than one in an archive.
  public private(set) var partCount = 0
  /// The number of files in an archive that are no recordings.
  public private(set) var skippedPartCount = 0
  /// The names of the first of them.
  package private(set) var skippedPartNames: [String] = []
  /// The problem that compressed bytes so far were damaged, cut or refused, so that recordings may be missing; `nil` if
  /// there is none.
  package private(set) var loss: SourceProblem?
  /// Whether recordings may be missing because of ``loss``.
  package var isIncomplete: Bool { loss != nil }
  /// The format that the content shows, if the caller gave another one; in an archive that of the first such file.
  package private(set) var otherFormat: RecordingFormat?
  /// The kind of an archive whose files are not read, and what to do with it; `nil` for any other file.
  package private(set) var archiveAdvice: String?
  /// The input problems found so far.
  public var problems: ProblemLog {
    guard endedProblems.total > 0 || parts.partName != nil else { return batch.problems }
    var all = endedProblems
    all.append(batch.problems, part: parts.partName)
    return all
  }
  /// The number of fixes so far that are problems, too, because their time could not be read.
  package var unreadableTimes: Int { batch.unreadableTimes }
  /// The number of waypoints and route points so far that are problems, too, because their time could not be read.
  package var waypointsWithUnreadableTime: Int { batch.waypointsWithUnreadableTime }
  /// The number of times so far whose text states no zone, so that they count as UTC.
  package var timesWithoutZone: Int { batch.timesWithoutZone }
  /// The document's elements skipped so far because they have no counterpart in the model.
  public var skippedElements: SkippedElements { batch.skippedElements }
  /// The number of receiver dates moved by whole rounds of 1,024 weeks; final once the recording has ended.
  public private(set) var rolloverCorrections = 0

  /// The greatest number of files in an archive that are named because they are no recordings.
  private static let maxSkippedNames = 3

  /// The instant before which times of fixes are wrong by whole rounds of 1,024 weeks, in formats other than NMEA 0183;
  /// `nil` to keep all times.
  package var notBefore: UTCTime?

  private let givenFormat: RecordingFormat?
  private let options: NMEADecoder.Options
  private let isArchive: Bool
  private var parts: RecordingParts
  private var stage = Stage.beforePart
  private var batch: RecordingBatch = {
    var batch = RecordingBatch()
    batch.limit = Self.elementsAtOnce
    return batch
  }()
  /// Whether the present part has had no element yet, and is not the first one.
  private var isSegmentPending = false
  /// The problems of the parts that have ended.
  private var endedProblems = ProblemLog()
  /// The counts at the beginning of a part whose content does not show the format that the caller gave, and the format
  /// that it shows, if any; `nil` for any other part.
  private var otherPart: (content: RecordingFormat?, elementCount: Int, skippedElements: SkippedElements)?
  /// Whether the archive is a workbook of Excel, as the reports of Traccar are.
  private var isWorkbook = false
  /// The number of parts whose content shows no format, and of which nothing could be read in the one that the caller
  /// gave.
  private var unreadPartCount = 0
  /// The first problem of the first of them.
  private var unreadPartReason: String?

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

  /// Creates a recording in an open file that has not been read.
  ///
  /// - Parameters: as ``init(path:format:nmea:)``.
  public init(_ file: InputFile, format: RecordingFormat? = nil, nmea options: NMEADecoder.Options = .init())
  {
    self.format = format
    givenFormat = format
    self.options = options
    name = file.name
    size = file.file.size
    isArchive = file.archive != nil
    parts = RecordingParts(file)
  }

  /// Replaces the elements with the next ones, which may be none before the end.
  ///
  /// - Returns: false once the recording has ended.
  /// - Throws: a `SourceProblem` if the file can't be read or its format is unknown.
  public mutating func read(into elements: inout [RecordingElement]) throws(SourceProblem) -> Bool {
    elements.removeAll(keepingCapacity: true)
    switch stage {
    case .beforePart:
      guard try beginPart() else { return false }
    case .reading(var decoder, let file):
      stage = .ended  // Lets go of the other copy of the decoder, so that its storage need not be copied.
      if decoder.decodeHeldBack(into: &batch) {
        stage = .reading(decoder, file)
        break
      }
      let chunk = try readChunk(of: file)
      if chunk.isEmpty {
        decoder.finish(into: &batch)
        stage = .finishing(decoder, file)
      } else {
        decoder.decode(chunk, into: &batch)
        stage = .reading(decoder, file)
      }
    case .finishing(var decoder, let file):
      stage = .ended
      if decoder.decodeHeldBack(into: &batch) {
        stage = .finishing(decoder, file)
      } else {
        endPart(of: file)
      }
    case .ended:
      return false
    }
    beginSegment()
    batch.removeImpossibleValues()
    if let notBefore, format != .nmea { batch.correctRollover(notBefore: notBefore) }
    swap(&elements, &batch.elements)
    elementCount += elements.count
    return true
  }

  /// Puts the beginning of a segment before the first element of a further recording. A part without elements has none.
  private mutating func beginSegment() {
    guard isSegmentPending, !batch.elements.isEmpty else { return }
    isSegmentPending = false
    if elementCount > 0 { batch.elements.insert(.segmentBegan, at: 0) }
  }

  /// Reads on; in an archive, a part that can't be read ends with a problem.
  private mutating func readChunk(of file: ByteFile) throws(SourceProblem) -> UnsafeRawBufferPointer {
    do throws(SourceProblem) { return try file.next() } catch {
      guard isArchive else { throw error }
      recordLoss(error.rule, in: parts.partName)
      batch.problems.report(.malformed, line: 1, byteOffset: 0, error.rule)
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }

  /// Opens the next part and detects its format; false after the last part.
  private mutating func beginPart() throws(SourceProblem) -> Bool {
    var skipped: [RecordingParts.Skipped] = []
    let next = try parts.next(isFormatGiven: givenFormat != nil) { skipped.append($0) }
    for entry in skipped { recordSkippedPart(entry) }
    guard let file = next else {
      stage = .ended
      guard partCount > unreadPartCount else { throw noReadablePartProblem }
      return false
    }
    try begin(file)
    return true
  }

  private mutating func recordSkippedPart(_ entry: RecordingParts.Skipped) {
    countSkippedPart(entry.name)
    guard let damage = entry.damage else { return }
    var log = ProblemLog()
    log.report(damage.kind, line: 1, byteOffset: 0, damage.rule)
    endedProblems.append(log, part: entry.name)
    if !entry.isOtherArchive { recordLoss(damage.rule, in: entry.name) }
  }

  private var noReadablePartProblem: SourceProblem {
    guard !isWorkbook else {
      return SourceProblem(
        .unreadable, message: "read \(name): it is an Excel workbook; save its table as CSV")
    }
    let reason = endedProblems.samples.first.map { "\($0.part ?? ""): \($0.detail)" }
    let text = (reason ?? unreadPartReason).map { ": \($0)" } ?? ""
    return SourceProblem(
      .unreadable, message: "read \(name): no file in the archive is a readable recording\(text)",
      remedy: reason == nil ? nil : "Unpack the archive, and read the files in it.")
  }

  /// Detects the format of a part, and creates its decoder.
  private mutating func begin(_ file: ByteFile) throws(SourceProblem) {
    file.toleratesDamage = true
    let opening = try file.peek(RecordingFormat.detectionLength)
    if opening.isEmpty, file.damage == nil {
      throw SourceProblem(.unreadable, message: "read \(name): it is empty")
    }
    let content = try file.detectFormat()
    // Too little is left to show the format.
    if content == nil, opening.isEmpty || givenFormat == nil, opening.count < RecordingFormat.detectionLength,
      let damage = file.damage
    {
      throw SourceProblem(
        .unreadable, message: "read \(name): \(damage.rule)", remedy: "Copy or download it again.")
    }
    let detected = givenFormat ?? content
    archiveAdvice = RecordingFormat.archiveAdvice(for: opening)
    // Sentences are found in a tar archive, too.
    if givenFormat == nil, let advice = RecordingFormat.advice(for: opening, detectedAs: detected) {
      throw SourceProblem(.unreadable, message: "read \(name): \(advice)")
    }
    format = detected
    if otherFormat == nil, content != detected { otherFormat = content }
    guard let detected else {
      let names = RecordingFormat.readable.map(\.rawValue).joined(separator: ", ")
      throw SourceProblem(.unreadable, message: "read \(name): it is none of \(names)")
    }
    partCount += 1
    isSegmentPending = partCount > 1
    if isArchive, content != detected { otherPart = (content, elementCount, batch.skippedElements) }
    stage = .reading(detected.makeDecoder(nmea: decoderOptions(for: detected, of: file, opening)), file)
  }

  /// Returns the decoder's options, with the date of the first fix if the recording states it later.
  ///
  /// A pipe is not read further for a date, since its sender may be slow.
  private func decoderOptions(
    for format: RecordingFormat, of file: ByteFile, _ opening: UnsafeRawBufferPointer
  ) -> NMEADecoder.Options {
    guard format == .nmea, options.startDate == nil else { return options }
    // A file that can't be read further fails after these bytes.
    let bytes = size == nil ? opening : (try? file.peek(ByteFile.chunkSize)) ?? opening
    var options = options
    options.startDate = NMEADecoder.startDate(of: bytes, options: options)
    return options
  }

  private mutating func endPart(of file: ByteFile) {
    if let part = otherPart, part.elementCount == elementCount + batch.elements.count {
      batch.skippedElements = part.skippedElements
      if let content = part.content { reportOtherPart(content) } else { skipUnknownPart() }
    }
    otherPart = nil
    if let damage = file.damage {
      recordLoss(damage.rule, in: parts.partName, remedy: "Copy or download it again.")
      batch.problems.report(damage.kind, line: 1, byteOffset: file.consumed, damage.rule)
    }
    rolloverCorrections += batch.rolloverCorrections
    batch.rolloverCorrections = 0
    if isArchive {
      endedProblems.append(batch.problems, part: parts.partName)
      batch.problems = ProblemLog()
      stage = .beforePart
    }
  }

  /// Counts the present part as one that is no recording: neither does its content show a format, nor could anything be
  /// read in the one that the caller gave. Images and texts are beside recordings, and their bytes are no problems.
  private mutating func skipUnknownPart() {
    let partName = parts.partName ?? ""
    unreadPartReason =
      unreadPartReason ?? batch.problems.samples.first.map { "\(partName): \($0.detail)" }
    batch.problems = ProblemLog()
    unreadPartCount += 1
    countSkippedPart(partName)
  }

  /// Makes the format that the present part shows its only problem, since nothing could be read in the one that the
  /// caller gave.
  private mutating func reportOtherPart(_ content: RecordingFormat) {
    let given = format?.rawValue ?? ""
    batch.problems = ProblemLog()
    batch.problems.report(
      .malformed, line: 1, byteOffset: 0,
      "it looks like \(content.rawValue), and nothing in it could be read as \(given)")
  }

  /// - Parameter part: the name of the file in an archive; `nil` outside of archives.
  private mutating func recordLoss(_ rule: String, in part: String?, remedy: String? = nil) {
    let place = part.map { "\($0): " } ?? ""
    loss = loss ?? SourceProblem(.unreadable, message: "read all of \(name): \(place)\(rule)", remedy: remedy)
  }

  private mutating func countSkippedPart(_ name: String) {
    skippedPartCount += 1
    if skippedPartNames.count < Self.maxSkippedNames { skippedPartNames.append(name) }
    if name == "xl/workbook.xml" { isWorkbook = true }
  }
}

extension ReplaySource {
  /// Creates a source that plays a file and opens it at the first demand; the content determines the format.
  ///
  /// - Parameters: as ``init(speed:longestPause:open:)``, with `-` as the path of standard input.
  public init(path: String, speed: ReplaySpeed = .times(1), longestPause: Duration? = nil) {
    self.init(speed: speed, longestPause: longestPause) { try RecordingFile(path: path) }
  }
}
