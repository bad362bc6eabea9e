import WhereaboutsFormats
package import WhereaboutsEngine
package import WhereaboutsModel
import WhereaboutsJournal
package import WhereaboutsSources

/// A replay of one or more journal files, entry by entry.
///
/// A file without a header continues the previous file. A file with a header begins a new journal.
package struct JournalReplay {
  /// The problems and differences of the replay.
  package struct Report {
    /// The file and the line of the first entry that differs from the recorded run.
    package var firstDifference: (name: String, line: Int)?
    var differences = 0
    /// The number of unreadable lines and of entries that are invalid as an engine's input.
    package var unreadableEntries = 0
    /// Files with an incomplete last line.
    var tornFiles: [String] = []
    var entries = 0
    var effects = 0
  }

  package private(set) var report = Report()
  private let warn: (String) -> Void
  private var player: JournalPlayer?
  private var effects: [Effect] = []
  /// The entries of the file that are invalid as an engine's input.
  private var invalidEntries = 0
  /// The number of invalid entries of a file that are listed.
  private static let listedEntries = 3

  /// - Parameter warn: called with each line about an unreadable part of a file.
  package init(warn: @escaping (String) -> Void) {
    self.warn = warn
  }

  /// A sequence that opens each file on demand. The number of files may exceed the limit of open files.
  package struct Files: Sequence, IteratorProtocol {
    /// Whether the files are journals and not recordings. The first file decides.
    package let areJournals: Bool
    private var first: Result<InputFile, SourceProblem>?
    private var paths: ArraySlice<String>

    /// - Throws: an error if the first file continues a journal whose beginning is missing.
    package init(_ paths: [String]) throws(SourceProblem) {
      self.paths = paths[...]
      guard let path = self.paths.popFirst() else {
        areJournals = false
        return
      }
      let first = Result { () throws(SourceProblem) in try InputFile(path: path) }
      self.first = first
      guard case .success(let file) = first else {
        areJournals = false
        return
      }
      if file.content == .journalContinuation {
        throw SourceProblem(
          .unreadable,
          message:
            "go through \(file.name): it resumes a journal that begins elsewhere; name that journal first"
        )
      }
      areJournals = file.content == .journal
    }

    /// Returns the next file, or the reason why the file cannot be opened.
    package mutating func next() -> Result<InputFile, SourceProblem>? {
      if let first {
        self.first = nil
        return first
      }
      guard let path = paths.popFirst() else { return nil }
      return Result { () throws(SourceProblem) in
        let file = try InputFile(path: path)
        guard (file.content == .recording) == !areJournals else {
          throw SourceProblem(
            .unreadable, message: "read \(file.name): journals and recordings don't go together")
        }
        return file
      }
    }
  }

  /// Replays a file.
  ///
  /// - Parameters:
  ///   - begin: called with each header.
  ///   - step: called with each entry's input, its moment, the engine's effects now, and the engine after the input.
  package mutating func replay(
    _ file: InputFile, begin: (JournalHeader) throws -> Void,
    step: (JournalEntry, [Effect], Engine) async throws -> Void
  ) async throws {
    var reader = JournalReader(file)
    var lines: [JournalDecoder.Line] = []
    invalidEntries = 0
    while try reader.read(into: &lines) {
      for line in lines {
        switch line.content {
        case .header(let header):
          player = JournalPlayer(header)
          try begin(header)
        case .entry(let entry):
          try await replayEntry(entry, line: line.number, of: reader.name, step)
        }
      }
    }
    if invalidEntries > Self.listedEntries {
      let more = (invalidEntries - Self.listedEntries).grouped
      warn("\(reader.name): \(more) more passed over for such reasons")
    }
    for line in ProblemReport.lines(reader.problems, of: reader.name) { warn(line) }
    report.unreadableEntries += reader.problems.total - (reader.isTorn ? 1 : 0)
    if reader.isTorn { report.tornFiles.append(reader.name) }
  }

  private mutating func replayEntry(
    _ entry: JournalEntry, line: Int, of name: String,
    _ step: (JournalEntry, [Effect], Engine) async throws -> Void
  ) async throws {
    guard player != nil else {
      throw SourceProblem(.unreadable, message: "replay \(name): its first line can't be read")
    }
    do throws(JournalPlayer.ReplayError) {
      let isSame = try player?.play(entry, into: &effects) ?? true
      if !isSame {
        report.differences += 1
        report.firstDifference = report.firstDifference ?? (name, line)
      }
    } catch {
      report.unreadableEntries += 1
      invalidEntries += 1
      if invalidEntries <= Self.listedEntries {
        warn("\(name): line \(line) passed over: \(error.message)")
      }
      return
    }
    report.entries += 1
    report.effects += effects.count
    guard let engine = player?.engine else { return }
    try await step(entry, effects, engine)
  }
}
