import WhereaboutsJournal
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsFormats
package import WhereaboutsReports
package import WhereaboutsSources

/// `whereabouts replay` for a journal: a repeated run that is compared with the recorded run.
package struct JournalVerification {
  package var json: Bool
  package var speed: ReplaySpeed

  package init(json: Bool, speed: ReplaySpeed) {
    self.json = json
    self.speed = speed
  }

  /// Replays the files in their order.
  ///
  /// - Throws: an error if a file cannot be read or differs from the recorded run.
  package func run(_ files: JournalReplay.Files, to output: OutputFile) async throws {
    var journalReplay = JournalReplay(warn: StandardError.print)
    let pace = ReplayPace(speed)
    for file in files {
      try await journalReplay.replay(try file.get()) { _ in
      } step: { entry, effects, _ in
        if speed != .asFastAsPossible {
          try output.flush()
          try await pace.wait(until: entry.moment.instant.since(.start))
        }
        guard json else { return }
        for effect in effects { JournalReplayText.append(effect, at: entry.moment, to: &output.bytes) }
        try output.flushIfFull()
      }
    }
    let report = journalReplay.report
    if !json {
      for line in JournalReplayText.lines(report) { output.bytes.appendText("\(line)\n") }
    }
    try output.flush()
    if let (name, line) = report.firstDifference {
      StandardError.print(
        "whereabouts: the run differs from the recorded run, first at \(name), line \(line)")
    }
    if report.firstDifference != nil || report.unreadableEntries > 0 { throw CommandError("") }
  }
}
