import WhereaboutsEngine
public import WhereaboutsModel
public import WhereaboutsFormats
public import WhereaboutsJournal

/// A journal in a file, read line by line. Memory use does not grow with the file.
public struct JournalReader {
  /// The name in messages: the path, or "standard input".
  public var name: String { file.name }
  /// The input problems found so far; unreadable lines are skipped.
  public var problems: ProblemLog { decoder.problems }
  /// Whether the last line is torn, as after a process was killed while writing.
  public var isTorn: Bool { decoder.isTorn }

  private let file: ByteFile
  private var decoder = JournalDecoder()
  private var hasEnded = false

  /// Opens a journal, or standard input for `-`.
  ///
  /// - Throws: a `SourceProblem` if the file can't be opened.
  public init(path: String) throws(SourceProblem) {
    self.init(try ByteFile(path: path))
  }

  /// Creates a journal in an open file that has not been read.
  public init(_ file: InputFile) {
    self.init(file.file)
  }

  private init(_ file: ByteFile) {
    self.file = file
  }

  /// Replaces the lines with the next ones, which may be none before the end.
  ///
  /// - Returns: false once the journal has ended.
  /// - Throws: a `SourceProblem` if the file can't be read, or a newer program has written the journal.
  public mutating func read(into lines: inout [JournalDecoder.Line]) throws(SourceProblem) -> Bool {
    lines.removeAll(keepingCapacity: true)
    guard !hasEnded else { return false }
    let chunk = try file.next()
    if chunk.isEmpty {
      hasEnded = true
      decoder.finish()
    } else {
      decoder.decode(chunk)
    }
    if let version = decoder.newerVersion {
      throw SourceProblem(
        .unreadable,
        message: "read \(name): it is a journal of version \(version), and this program knows up to "
          + "\(JournalHeader.currentVersion)")
    }
    swap(&lines, &decoder.lines)
    return true
  }
}
