import WhereaboutsJournal
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsSources

/// `whereabouts replay` for a journal: a repeated run that is compared with the recorded run.
struct JournalVerification {
  var json: Bool
  var speed: SpeedArgument

  /// Replays the files in their order.
  ///
  /// - Throws: an error if a file cannot be read or differs from the recorded run.
  func run(_ files: JournalReplay.Files, to output: OutputFile) async throws {
    var tour = JournalReplay()
    let pace = ReplayPace(speed)
    for file in files {
      try await tour.replay(try file.get()) { _ in
      } step: { entry, effects, _ in
        if speed != .unlimited {
          try output.flush()
          try await pace.wait(until: entry.moment.instant.since(.start))
        }
        guard json else { return }
        for effect in effects { Self.write(effect, at: entry.moment, to: &output.bytes) }
        try output.flushIfFull()
      }
    }
    let report = tour.report
    if !json {
      output.bytes.appendText("\(Self.verdict(report))\n")
      for name in report.tornFiles {
        output.bytes.appendText("\(name): the last line is torn and left out\n")
      }
    }
    try output.flush()
    if let (name, line) = report.firstDifference {
      StandardError.print(
        "whereabouts: could not do the same again: \(name), line \(line) is the first that differs")
    }
    if report.firstDifference != nil || report.unreadableEntries > 0 { throw CommandError("") }
  }

  private static func verdict(_ report: JournalReplay.Report) -> String {
    let counts =
      "\(Quantities.count(report.entries, "entry", "entries")), \(Quantities.count(report.effects, "effect"))"
    return report.differences == 0
      ? "\(counts): all the same as recorded"
      : "\(counts): \(Quantities.count(report.differences, "entry", "entries")) not the same as recorded"
  }

  private static func write(_ effect: Effect, at now: Moment, to bytes: inout [UInt8]) {
    bytes.appendJSONObject {
      $0.appendJSONMember("at", now.instant)
      $0.appendJSONMember("wall", now.wall)
      $0.appendJSONMembers(effect)
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}
