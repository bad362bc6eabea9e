public import WhereaboutsFormats
import WhereaboutsModel

/// A decoder of a journal's lines from a stream. An unreadable line is counted and located, and decoding resumes.
public struct JournalDecoder: Sendable {
  /// A line that was read.
  public struct Line: Hashable, Sendable {
    /// The line number, counted from 1.
    public var number: Int
    /// The line's content.
    public var content: JournalLine
  }

  /// The longest line that is read, in bytes: enough for the largest set of fences.
  static let maxLineLength = 1 << 26

  /// The decoded lines that the caller has not removed yet.
  public var lines: [Line] = []
  /// The problems found so far.
  public private(set) var problems = ProblemLog()
  /// Whether the last line was torn: unreadable and without its end, as after a process was killed while writing.
  public private(set) var isTorn = false
  /// The version of a header that a newer program has written; `nil` if no header is newer. The following lines may
  /// mean something else.
  public private(set) var newerVersion: Int?
  private var splitter = LineSplitter(limit: JournalDecoder.maxLineLength)

  /// Creates a decoder at the beginning of a file.
  public init() {}

  /// Decodes the next bytes.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer) {
    // A closure receives the lines, and can't change the splitter that calls it.
    var splitter = splitter
    splitter.split(bytes) { read($0, isLast: false) }
    self.splitter = splitter
  }

  /// Decodes a last line that has no line feed.
  public mutating func finish() {
    var splitter = splitter
    splitter.finish { isTorn = !read($0, isLast: true) }
    self.splitter = splitter
  }

  /// - Returns: false if the line is unreadable.
  @discardableResult
  private mutating func read(_ line: TextLine, isLast: Bool) -> Bool {
    func report(_ kind: InputProblem.Kind, _ rule: String) {
      problems.report(kind, line: line.number, byteOffset: line.offset, rule)
    }
    guard !line.isTooLong else {
      report(.tooLong, "line longer than 64 MiB")
      return false
    }
    var scanner = JSONScanner(line.bytes)
    guard scanner.peek() != nil else { return true }
    guard let fields = scanner.wholeObject() else {
      report(
        isLast ? .truncated : .malformed, isLast ? "the last line is torn" : "not a JSON object on a line")
      return false
    }
    do throws(JSONFields.FieldError) {
      lines.append(Line(number: line.number, content: try fields.journalLine()))
      return true
    } catch {
      newerVersion = newerVersion ?? error.newerVersion
      report(error.kind, error.rule)
      return false
    }
  }
}
