import WhereaboutsCore

/// Reads a journal's lines from bytes as they come. A line that can't be read is counted and located; the rest goes on.
public struct JournalDecoder: Sendable {
  /// A line that could be read.
  public struct Line: Hashable, Sendable {
    /// Which line it is, counted from 1.
    public var number: Int
    /// What stands on it.
    public var content: JournalLine
  }

  /// The longest line that is read, in bytes: as many fences as may come at once.
  static let longestLine = 1 << 26

  /// Lines that could be read and have not been taken away.
  public var lines: [Line] = []
  /// What could not be read.
  public private(set) var problems = ProblemLog()
  /// Whether the last line was torn: without its end and not readable, as a process leaves it that is killed while it
  /// writes.
  public private(set) var isTorn = false
  /// The version of a header that a newer program has written. What follows it is not to be trusted.
  public private(set) var newerVersion: Int?
  private var splitter = LineSplitter(limit: JournalDecoder.longestLine)

  /// A decoder at the beginning of a file.
  public init() {}

  /// Decodes the next bytes.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer) {
    // Lines are handed over by a closure, which can't change what it is called from.
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

  /// - Returns: false where the line could not be read.
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
    do throws(JSONFields.Mistake) {
      lines.append(Line(number: line.number, content: try fields.journalLine()))
      return true
    } catch {
      newerVersion = newerVersion ?? error.newerVersion
      report(error.kind, error.rule)
      return false
    }
  }
}
