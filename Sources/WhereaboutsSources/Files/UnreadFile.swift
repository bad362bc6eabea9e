public import WhereaboutsCore
import WhereaboutsFormats

/// A file, or standard input, that has been opened and of which nothing has been read: to see what it is, and then to
/// read it as that, even where it can be read only once.
public struct UnreadFile {
  /// What a file is to be read as.
  public enum Content: Hashable, Sendable {
    /// A journal from its beginning on.
    case journal
    /// A journal whose beginning is elsewhere.
    case journalContinuation
    /// Anything else.
    case recording
  }

  /// Enough to know a journal by.
  private static let openingLength = 64

  /// What it is.
  public let content: Content
  /// What to call it in messages: its path, or "standard input".
  public var name: String { file.name }
  let file: ByteFile

  /// Opens a file, or standard input for `-`.
  ///
  /// - Throws: where it can't be opened or read.
  public init(path: String) throws(SourceTrouble) {
    file = try ByteFile(path: path)
    let opening = try file.opening(Self.openingLength)
    if JournalForm.isOpening(opening) {
      content = .journal
    } else {
      content = JournalForm.isContinuation(opening) ? .journalContinuation : .recording
    }
  }
}
