import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsSources

/// A recording in a file that shows how far it has been read, and in the end says if it was none.
struct RecordingReader: RecordingFeed {
  /// What the recording is called in messages.
  var name: String { file.name }
  /// Its format, known once reading has begun.
  var format: RecordingFormat? { file.format }
  /// What could not be read so far.
  var problems: ProblemLog { file.problems }
  /// Elements of a document that were passed over so far.
  var unread: UnreadElements { file.unread }
  /// How many dates of a receiver were moved by 1,024 weeks or a multiple; known at the end.
  var movedDates: Int { file.movedDates }

  private var file: RecordingFile
  private let isFormatForced: Bool
  private let progress: ProgressMeter

  /// Opens a recording, `-` for standard input.
  ///
  /// - Parameter showsProgress: false where reading takes as long as somebody wants it to.
  init(path: String, settings: ReadingSettings, showsProgress: Bool = true) throws(SourceTrouble) {
    self.init(try UnreadFile(path: path), settings: settings, showsProgress: showsProgress)
  }

  /// A recording in a file of which nothing has been read.
  init(_ unread: UnreadFile, settings: ReadingSettings, showsProgress: Bool = true) {
    isFormatForced = settings.format != nil
    file = RecordingFile(unread, format: settings.format, nmea: settings.nmea)
    progress = ProgressMeter(total: file.size, isWanted: showsProgress)
  }

  /// Replaces the elements with the next ones; there may be none of them before the end.
  ///
  /// - Returns: false once the recording has ended.
  /// - Throws: where it can't be read, or where at its end nothing in it was what it was taken for.
  mutating func read(into elements: inout [RecordingElement]) throws(SourceTrouble) -> Bool {
    let isMore = try file.read(into: &elements)
    if isMore {
      progress.advance(to: file.bytesRead)
    } else {
      progress.end()
      try failIfUnreadable()
    }
    return isMore
  }

  /// A receiver's capture may well hold no fix. A document that gives nothing but problems, or bytes that only the
  /// caller called a recording, are unreadable.
  private func failIfUnreadable() throws(SourceTrouble) {
    guard let format, file.elementCount == 0, problems.total > 0 else { return }
    if format == .nmea, problems.counts[.missing] != nil {
      throw SourceTrouble(
        .unreadable, message: "read \(name): its sentences have no checksum",
        remedy:
          "With --checksums optional, or ?checksums=optional behind the file's name, they are read all the same."
      )
    }
    guard isFormatForced || format != .nmea else { return }
    // One problem is the reason; of several the caller prints a list.
    let reason = problems.total == 1 ? problems.samples.first.map { ": \($0.detail)" } ?? "" : ""
    throw SourceTrouble(
      .unreadable, message: "read \(name): nothing in it could be read as \(format.title)\(reason)")
  }
}
