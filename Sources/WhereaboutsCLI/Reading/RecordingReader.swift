import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsSources

/// A recording in a file, with a progress line and a check that the file is a recording.
struct RecordingReader: RecordingFeed {
  /// The name of the recording in messages.
  var name: String { file.name }
  /// The format, known after the first read.
  var format: RecordingFormat? { file.format }
  /// The problems so far.
  var problems: ProblemLog { file.problems }
  /// The skipped elements of a document so far.
  var unread: SkippedElements { file.skippedElements }
  /// The number of a receiver's dates that were corrected by a multiple of 1,024 weeks; final at the end.
  var movedDates: Int { file.rolloverCorrections }

  private var file: RecordingFile
  private let isFormatForced: Bool
  private let progress: ProgressMeter

  /// Opens a recording, `-` for standard input.
  ///
  /// - Parameter showsProgress: whether to show progress; false for a replay in real time.
  init(path: String, settings: ReadingSettings, showsProgress: Bool = true) throws(SourceProblem) {
    self.init(try InputFile(path: path), settings: settings, showsProgress: showsProgress)
  }

  /// Creates a reader of an unread file.
  init(_ unread: InputFile, settings: ReadingSettings, showsProgress: Bool = true) {
    isFormatForced = settings.format != nil
    file = RecordingFile(unread, format: settings.format, nmea: settings.nmea)
    progress = ProgressMeter(total: file.size, isWanted: showsProgress)
  }

  /// Replaces the elements with the next elements. The array may be empty before the end.
  ///
  /// - Returns: false once the recording has ended.
  /// - Throws: an error if the file cannot be read, or if the whole content is invalid.
  mutating func read(into elements: inout [RecordingElement]) throws(SourceProblem) -> Bool {
    let isMore = try file.read(into: &elements)
    if isMore {
      progress.advance(to: file.bytesRead)
    } else {
      progress.end()
      try failIfUnreadable()
    }
    return isMore
  }

  /// Throws if the content is not a recording. A receiver's capture without a fix is valid. A document with problems
  /// only is unreadable, and so is content that only the caller's settings call a recording.
  private func failIfUnreadable() throws(SourceProblem) {
    guard let format, file.elementCount == 0, problems.total > 0 else { return }
    if format == .nmea, problems.counts[.missing] != nil {
      throw SourceProblem(
        .unreadable, message: "read \(name): its sentences have no checksum",
        remedy:
          "With --checksums optional, or ?checksums=optional behind the file's name, they are read all the same."
      )
    }
    guard isFormatForced || format != .nmea else { return }
    // A single problem is given as the reason; the caller lists several problems.
    let reason = problems.total == 1 ? problems.samples.first.map { ": \($0.detail)" } ?? "" : ""
    throw SourceProblem(
      .unreadable, message: "read \(name): nothing in it could be read as \(format.title)\(reason)")
  }
}
