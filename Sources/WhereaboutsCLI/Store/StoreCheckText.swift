import Whereabouts
import WhereaboutsStore

/// What came of checking a store, for people and for programs.
enum StoreCheckText {
  /// A line for each fault, and one for all of it.
  static func lines(_ report: StoreCheckReport, of path: String) -> [String] {
    var lines = report.faults.map { "\($0.kind.rawValue): \($0.message)" }
    let read =
      "\(Quantities.count(report.fixes, "fix", "fixes")) and \(Quantities.count(report.notes, "event"))"
    lines.append(
      report.faults.isEmpty
        ? "\(path) is whole: \(read)"
        : "\(Quantities.count(report.faults.count, "fault")); \(read) were read")
    if report.isErasurePending {
      lines.append("something that was forgotten is still to be erased: `whereabouts forget` finishes that")
    }
    return lines
  }

  /// What helps: in order of what is lost by it.
  static func remedy(_ report: StoreCheckReport, of path: String) -> String {
    let kinds = Set(report.faults.map(\.kind))
    if kinds.contains(.file) {
      return
        "Keep a copy, save what can be read with `sqlite3 \(path) .recover | sqlite3 NEW`, and put the new file in its place"
    }
    if kinds.contains(.row) || kinds.contains(.reference) || kinds.contains(.number) {
      return "A newer version may have written these rows: use that one. Otherwise go back to a copy"
    }
    return
      "`whereabouts fence watch --anew` forgets the state and finds out anew where the device is of its fences"
  }

  /// Appends a line for each fault: `fault` (its kind) and `message`; then one with `file`, `whole`, `faults`, `fixes`,
  /// `events` and `erasurePending`.
  static func appendJSON(_ report: StoreCheckReport, of path: String, to bytes: inout [UInt8]) {
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
    line.add("events", report.notes)
    line.add("erasurePending", report.isErasurePending)
    bytes += line.bytes + [UInt8(ascii: "\n")]
  }
}

/// Shows on a terminal how far a check is.
final class StoreCheckMeter {
  private let isShown: Bool
  private var isThere = false

  init(isWanted: Bool) { isShown = isWanted && System.isTerminal(System.standardError) }

  /// - Returns: that it is to go on.
  func show(_ progress: StoreCheckProgress) -> Bool {
    guard isShown else { return true }
    isThere = true
    let share = progress.phase == .history ? " \((progress.share * 100).fixed(0)) %" : ""
    StandardError.write("\r\u{1B}[Kchecking \(progress.phase.rawValue)\(share)")
    return true
  }

  /// Nothing of the line is left on the terminal.
  func end() {
    if isThere { StandardError.write("\r\u{1B}[K") }
    isThere = false
  }

  // Whatever ended the work.
  deinit { end() }
}
