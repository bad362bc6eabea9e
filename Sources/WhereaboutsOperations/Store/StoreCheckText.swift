import Whereabouts
import WhereaboutsReports
package import WhereaboutsStore

/// The report of a store check as text and as JSON.
package enum StoreCheckText {
  /// Returns a line for each fault, and a summary line.
  package static func lines(_ report: StoreCheckReport, of path: String) -> [String] {
    var lines = report.faults.map { "\($0.kind.rawValue): \($0.message)" }
    let read =
      "\(Quantities.count(report.fixes, "fix", "fixes")) and \(Quantities.count(report.fenceRecords, "event"))"
    lines.append(
      report.faults.isEmpty
        ? "\(path) is whole: \(read)"
        : "\(Quantities.count(report.faults.count, "fault")); \(read) were read")
    if report.isErasurePending {
      lines.append("an erasure is unfinished; `whereabouts forget` finishes it")
    }
    return lines
  }

  /// Returns the remedy. A remedy that loses less data comes first.
  package static func remedy(_ report: StoreCheckReport, of path: String) -> String {
    let kinds = Set(report.faults.map(\.kind))
    if kinds.contains(.file) {
      // .dump and not .recover: the sqlite3 of Debian and Ubuntu lacks the table that .recover needs, and a pipe hides it.
      let quoted = "'\(path.replacing("'", with: #"'\''"#))'"
      return """
        Keep a copy of the file. Save the readable data in a new file with `(umask 077; (echo 'PRAGMA auto_vacuum = 2;'; \
        sqlite3 \(quoted) .dump | sed 's/^ROLLBACK;.*/COMMIT;/'; echo "PRAGMA application_id = 0x57485231; \
        PRAGMA user_version = $(sqlite3 -cmd 'PRAGMA writable_schema = ON' \(quoted) 'PRAGMA user_version');") | \
        sqlite3 NEW)`, check NEW with `whereabouts store check --store NEW`, and put it in the place of the file as \
        docs/store.md describes.
        """
    }
    if kinds.contains(.row) || kinds.contains(.reference) || kinds.contains(.number) {
      return """
        If a newer version of this program wrote these rows, use that version. Otherwise, restore a backup, or erase \
        fixes with `whereabouts forget --since TIME --until TIME`, events with `whereabouts forget --events`.
        """
    }
    return
      """
      Run `whereabouts fence watch --anew` to erase the state, and fences that can't be read, and to determine the side \
      of each fence again.
      """
  }

  /// Appends a line for each fault with `fault` (its kind) and `message`. The last line has `file`, `whole`,
  /// `faults`, `fixes`, `events` and `erasurePending`.
  package static func appendJSON(_ report: StoreCheckReport, of path: String, to bytes: inout [UInt8]) {
    for fault in report.faults {
      var line = JSONObject()
      line.add("fault", fault.kind.rawValue)
      line.add("message", fault.message)
      bytes += line.bytes + [UInt8(ascii: "\n")]
    }
    var line = JSONObject()
    line.add("file", path)
    line.add("whole", report.faults.isEmpty)
    line.add("faults", report.faults.count)
    line.add("fixes", report.fixes)
    line.add("events", report.fenceRecords)
    line.add("erasurePending", report.isErasurePending)
    bytes += line.bytes + [UInt8(ascii: "\n")]
  }
}

/// The progress of a check on a terminal.
package final class StoreCheckMeter {
  private let isShown: Bool
  private var isVisible = false

  package init(isWanted: Bool) { isShown = isWanted && System.isErasableTerminal(System.standardError) }

  /// - Returns: true, so that the check continues.
  package func show(_ progress: StoreCheckProgress) -> Bool {
    guard isShown else { return true }
    isVisible = true
    let share = progress.phase == .history ? " \((progress.share * 100).fixed(0)) %" : ""
    StandardError.write("\r\u{1B}[Kchecking \(progress.phase.rawValue)\(share)")
    return true
  }

  /// Erases the progress line.
  package func end() {
    if isVisible { StandardError.write("\r\u{1B}[K") }
    isVisible = false
  }

  // Also erases the line if an error ended the work.
  deinit { end() }
}
