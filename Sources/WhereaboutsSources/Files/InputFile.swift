public import WhereaboutsModel
import WhereaboutsJournal

/// A file, or standard input, that is open and not yet read.
///
/// Check ``content``, then read the file with the matching reader. That works even for an input that can be read only
/// once. Compressed bytes (gzip) are inflated; a zip archive is opened for the recordings in it.
public struct InputFile {
  /// The kind of content that a file is read as.
  public enum Content: Hashable, Sendable {
    /// A journal with its header.
    case journal
    /// A journal without its header, which is in another file.
    case journalContinuation
    /// Any other content.
    case recording
  }

  /// Bytes that are enough to recognise a journal.
  private static let signatureLength = 64

  /// The kind of content.
  public let content: Content
  /// The name in messages: the path, or "standard input".
  public var name: String { file.name }
  let file: ByteFile
  let archive: ZipArchive?

  /// Opens a file, or standard input for `-`.
  ///
  /// - Throws: a `SourceProblem` if the file can't be opened or read.
  public init(path: String) throws(SourceProblem) {
    file = try ByteFile(path: path)
    archive = try file.archive()
    let opening = try file.peek(Self.signatureLength)
    if JournalFormat.isJournalStart(opening) {
      content = .journal
    } else {
      content = JournalFormat.isContinuation(opening) ? .journalContinuation : .recording
    }
  }
}
