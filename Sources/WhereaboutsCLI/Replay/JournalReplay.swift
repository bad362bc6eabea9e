import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsSources

/// `whereabouts replay` of a journal: the run again, beside what was recorded of it.
struct JournalReplay {
  var json: Bool
  var speed: SpeedArgument

  /// Goes through the files in their order.
  ///
  /// - Throws: where anything can't be read, or is not the same as it was.
  func run(_ files: JournalTour.Files, to output: OutputFile) async throws {
    var tour = JournalTour()
    let pace = ReplayPace(speed)
    for file in files {
      try await tour.take(try file.get()) { _ in
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
      for name in report.torn { output.bytes.appendText("\(name): the last line is torn and left out\n") }
    }
    try output.flush()
    if let (name, line) = report.firstDifference {
      StandardError.say(
        "whereabouts: could not do the same again: \(name), line \(line) is the first that differs")
    }
    if report.firstDifference != nil || report.unreadable > 0 { throw CommandFailure("") }
  }

  private static func verdict(_ report: JournalTour.Report) -> String {
    let counts =
      "\(Quantities.count(report.entries, "entry", "entries")), \(Quantities.count(report.effects, "effect"))"
    return report.differences == 0
      ? "\(counts): all the same as recorded"
      : "\(counts): \(Quantities.count(report.differences, "entry", "entries")) not the same as recorded"
  }

  private static func write(_ effect: Effect, at now: Moment, to bytes: inout [UInt8]) {
    bytes.putObject {
      $0.put("at", now.instant)
      $0.put("wall", now.wall)
      $0.put(effect)
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}
