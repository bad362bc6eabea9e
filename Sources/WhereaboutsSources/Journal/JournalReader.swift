public import WhereaboutsCore
public import WhereaboutsFormats

/// A journal in a file, read line by line. Memory does not grow with the file.
public struct JournalReader {
  /// What to call it in messages: its path, or "standard input".
  public var name: String { file.name }
  /// What could not be read so far; a line that can't be is passed over.
  public var problems: ProblemLog { decoder.problems }
  /// Whether the last line turned out to be torn, as a process leaves it that is killed while it writes.
  public var isTorn: Bool { decoder.isTorn }

  private let file: ByteFile
  private var decoder = JournalDecoder()
  private var isOver = false

  /// Opens a journal, or standard input for `-`.
  ///
  /// - Throws: where it can't be opened.
  public init(path: String) throws(SourceTrouble) {
    self.init(try ByteFile(path: path))
  }

  /// A journal in a file of which nothing has been read.
  public init(_ file: UnreadFile) {
    self.init(file.file)
  }

  private init(_ file: ByteFile) {
    self.file = file
  }

  /// Replaces the lines with the next ones; there may be none of them before the end.
  ///
  /// - Returns: false once the journal has ended.
  /// - Throws: where it can't be read, or a newer program has written it.
  public mutating func read(into lines: inout [JournalDecoder.Line]) throws(SourceTrouble) -> Bool {
    lines.removeAll(keepingCapacity: true)
    guard !isOver else { return false }
    let chunk = try file.next()
    if chunk.isEmpty {
      isOver = true
      decoder.finish()
    } else {
      decoder.decode(chunk)
    }
    if let version = decoder.newerVersion {
      throw SourceTrouble(
        .unreadable,
        message: "read \(name): it is a journal of version \(version), and this program knows up to "
          + "\(JournalHeader.currentVersion)")
    }
    swap(&lines, &decoder.lines)
    return true
  }
}
