import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsSources

/// One or more files of journals, gone through entry by entry.
///
/// A file without a header goes on where the one before ended; one with a header begins anew.
struct JournalTour {
  /// What happened on the way.
  struct Report {
    /// The first entry that differs from what was recorded: its file and line.
    var firstDifference: (name: String, line: Int)?
    var differences = 0
    /// Lines that could not be read, and entries that no engine can have been given.
    var unreadable = 0
    /// Files whose last line was torn.
    var torn: [String] = []
    var entries = 0
    var effects = 0
  }

  private(set) var report = Report()
  private var player: JournalPlayer?
  private var effects: [Effect] = []

  /// Opens files one by one, as they are wanted: they may be more than can be open at once.
  struct Files: Sequence, IteratorProtocol {
    /// Whether they are journals, and not recordings: as the first of them is.
    let areJournals: Bool
    private var first: Result<UnreadFile, SourceTrouble>?
    private var paths: ArraySlice<String>

    /// - Throws: where the first goes on with a journal whose beginning is missing.
    init(_ paths: [String]) throws(CommandFailure) {
      self.paths = paths[...]
      guard let path = self.paths.popFirst() else {
        areJournals = false
        return
      }
      let first = Result { () throws(SourceTrouble) in try UnreadFile(path: path) }
      self.first = first
      guard case .success(let file) = first else {
        areJournals = false
        return
      }
      if file.content == .journalContinuation {
        throw CommandFailure(
          "could not go through \(file.name): it goes on with a journal whose beginning is elsewhere; name that first"
        )
      }
      areJournals = file.content == .journal
    }

    /// The next file, or why it can't be opened.
    mutating func next() -> Result<UnreadFile, SourceTrouble>? {
      if let first {
        self.first = nil
        return first
      }
      guard let path = paths.popFirst() else { return nil }
      return Result { () throws(SourceTrouble) in
        let file = try UnreadFile(path: path)
        guard (file.content == .recording) == !areJournals else {
          throw SourceTrouble(
            .unreadable, message: "read \(file.name): journals and recordings don't go together")
        }
        return file
      }
    }
  }

  /// Goes through a file.
  ///
  /// - Parameters:
  ///   - begin: called with each header.
  ///   - step: called with each entry's input, its moment, what the engine makes of it now, and the engine then.
  mutating func take(
    _ file: UnreadFile, begin: (JournalHeader) throws -> Void,
    step: (JournalEntry, [Effect], Engine) async throws -> Void
  ) async throws {
    var reader = JournalReader(file)
    var lines: [JournalDecoder.Line] = []
    while try reader.read(into: &lines) {
      for line in lines {
        switch line.content {
        case .header(let header):
          player = JournalPlayer(header)
          try begin(header)
        case .entry(let entry):
          try await play(entry, line: line.number, of: reader.name, step)
        }
      }
    }
    for line in ProblemReport.lines(reader.problems, of: reader.name) { StandardError.say("\(line)") }
    report.unreadable += reader.problems.total - (reader.isTorn ? 1 : 0)
    if reader.isTorn { report.torn.append(reader.name) }
  }

  private mutating func play(
    _ entry: JournalEntry, line: Int, of name: String,
    _ step: (JournalEntry, [Effect], Engine) async throws -> Void
  ) async throws {
    guard player != nil else {
      throw CommandFailure("could not replay \(name): its first line can't be read")
    }
    do throws(JournalPlayer.Fault) {
      let isSame = try player?.play(entry, into: &effects) ?? true
      if !isSame {
        report.differences += 1
        report.firstDifference = report.firstDifference ?? (name, line)
      }
    } catch {
      report.unreadable += 1
      StandardError.say("\(name): line \(line) passed over: \(error.message)")
      return
    }
    report.entries += 1
    report.effects += effects.count
    guard let engine = player?.engine else { return }
    try await step(entry, effects, engine)
  }
}
