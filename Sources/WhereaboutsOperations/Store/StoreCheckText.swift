import Whereabouts
import WhereaboutsReports
package import WhereaboutsStore
import WhereaboutsSystem

/// The report of a store check as text and as JSON.
package enum StoreCheckText {
  /// Returns a line for each fault, and a summary line. Faults with the same text are one line with their number, before
  /// any remedy in the text: each read of a damaged page is a fault.
  package static func lines(_ report: StoreCheckReport, of path: String) -> [String] {
    func text(_ fault: StoreFault, _ times: String = "") -> String {
      "\(fault.kind.rawValue): \(times)\(fault.message)"
    }
    var faults: [StoreFault] = []
    var counts: [String: Int] = [:]
    for fault in report.faults {
      if counts[text(fault)] == nil { faults.append(fault) }
      counts[text(fault), default: 0] += 1
    }
    var lines = faults.map { fault in
      let count = counts[text(fault)] ?? 1
      return text(fault, count == 1 ? "" : "\(count.grouped) times: ")
    }
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
    let faults = report.faults.filter { !$0.isReplaced }
    let kinds = Set(faults.map(\.kind)), store = StorePath(path)
    if kinds.isEmpty {
      return """
        Erase nothing: an alert whose progress can't be read begins anew, and its next crossing replaces the progress. \
        The next start of the server erases the progress of an alert that no longer exists.
        """
    }
    if kinds.contains(.file) {
      // A dump ends at a damaged page of a table, and begins again after the last one: the devices between are lost.
      // .dump and not .recover: the sqlite3 of Debian and Ubuntu lacks the table that .recover needs, and a pipe hides it.
      let quoted = path.shellQuoted
      return """
        Keep a copy of the file. First export each device that can be read, with `whereabouts export \
        --all\(store.options()) --device NAME NAME.jsonl`. Then save the readable data in a new file with `(umask 077; (echo 'PRAGMA auto_vacuum = 2;'; \
        sqlite3 \(quoted) .dump | sed 's/^ROLLBACK;.*/COMMIT;/'; echo "PRAGMA application_id = 0x57485231; \
        PRAGMA user_version = $(sqlite3 -cmd 'PRAGMA writable_schema = ON' \(quoted) 'PRAGMA user_version');") | \
        sqlite3 NEW)`, and check NEW with `whereabouts store check --store NEW`. Compare its counts, by `whereabouts \
        history --summary --store NEW`, with the lines of the exported files: NEW may lack whole devices. Add missing \
        fixes with `whereabouts import --store NEW --device NAME NAME.jsonl`. Put NEW in the place of the file as \
        docs/store.md describes.
        """
    }
    if kinds.contains(.row) || kinds.contains(.reference) || kinds.contains(.number) {
      return """
        If a newer version of this program wrote these rows, use that version. Otherwise, restore a backup, or erase \
        \(erasures(of: faults.filter { $0.kind != .state }, store).joined(separator: ", ")).
        """
    }
    return
      """
      Run `whereabouts fence watch --anew\(options(for: faults, store))` to erase the state, and fences that \
      can't be read, and to determine the side of each fence again.
      """
  }

  /// Returns the commands that erase damaged rows.
  private static func erasures(of faults: [StoreFault], _ store: StorePath) -> [String] {
    let unnamed = faults.filter(\.command.isEmpty), named = faults.filter { !$0.command.isEmpty }
    var ways: [String] = []
    if !unnamed.isEmpty {
      let options = Self.options(for: unnamed, store)
      ways = [
        "fixes with `whereabouts forget --since TIME --until TIME\(options)`",
        "events with `whereabouts forget --events\(options)`",
      ]
    }
    return ways + named.prefix(5).map { "a row with \(erasure(of: $0, store))" }
  }

  /// Returns the command that erases a damaged row.
  private static func erasure(of fault: StoreFault, _ store: StorePath) -> String {
    let words = fault.command.dropLast() + fault.command.suffix(1).map(\.shellQuoted)
    return "`whereabouts \(words.joined(separator: " "))\(store.options(of: fault.device ?? .this))`"
  }

  /// Reports damaged rows that a list leaves out or shows in part, with the commands that erase them.
  package static func report(_ faults: [StoreFault], in store: StorePath) {
    for fault in faults {
      StandardError.print(
        "\(fault.message). Run \(erasure(of: fault, store)) to erase it.".sanitizedToOneLine)
    }
  }

  /// Returns the options of a command about damaged rows or states, for the device that the faults name.
  private static func options(for faults: [StoreFault], _ store: StorePath) -> String {
    let devices = Set(faults.compactMap(\.device))
    return devices.count > 1
      ? "\(store.options()) --device NAME" : store.options(of: devices.first ?? .this)
  }

  /// Appends a line for each fault with `fault` (its kind), `device` and `message`. The last line has `file`, `whole`,
  /// `faults`, `fixes`, `events` and `erasurePending`.
  package static func appendJSON(_ report: StoreCheckReport, of path: String, to bytes: inout [UInt8]) {
    for fault in report.faults {
      var line = JSONObject()
      line.add("fault", fault.kind.rawValue)
      line.add("message", fault.message)
      line.add("device", fault.device?.rawValue)
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
    StandardError.showProgress("checking \(progress.phase.rawValue)\(share)")
    return true
  }

  /// Erases the progress line.
  package func end() {
    if isVisible { StandardError.eraseProgress() }
    isVisible = false
  }

  // Also erases the line if an error ended the work.
  deinit { end() }
}
