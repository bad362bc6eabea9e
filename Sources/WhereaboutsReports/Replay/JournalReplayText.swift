package import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsJournal
package import WhereaboutsModel

/// The result of a journal's replay as text, and its effects as JSON lines.
package enum JournalReplayText {
  /// Returns the verdict, and a line for each file with an incomplete last line.
  package static func lines(_ report: JournalReplay.Report) -> [String] {
    [verdict(report)] + report.tornFiles.map { "\($0): the last line is torn and left out" }
  }

  private static func verdict(_ report: JournalReplay.Report) -> String {
    let counts =
      "\(Quantities.count(report.entries, "entry", "entries")), \(Quantities.count(report.effects, "effect"))"
    return report.differences == 0
      ? "\(counts): all the same as recorded"
      : "\(counts): \(Quantities.count(report.differences, "entry", "entries")) not the same as recorded"
  }

  /// Appends an effect's line.
  package static func append(_ effect: Effect, at now: Moment, to bytes: inout [UInt8]) {
    bytes.appendJSONObject {
      $0.appendJSONMember("at", now.instant)
      $0.appendJSONMember("wall", now.wall)
      $0.appendJSONMembers(effect)
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}
