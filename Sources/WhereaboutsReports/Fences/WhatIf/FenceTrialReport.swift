import WhereaboutsModel
import WhereaboutsFormats

/// The result of a trial as a table or as JSON.
package struct FenceTrialReport {
  let trial: FenceTrial
  /// The maximum duration from an exit to the next enter that counts as a flap.
  let within: Duration
  /// Whether each fence has its own row.
  let byFence: Bool

  package init(trial: FenceTrial, within: Duration, byFence: Bool) {
    self.trial = trial
    self.within = within
    self.byFence = byFence
  }

  /// The lines of the table, beginning with the header.
  package var table: [String] {
    let names = trial.settings.max { $0.columns.count < $1.columns.count }?.columns.map(\.name) ?? []
    let results = ["enter", "exit", "dwell", "flaps", "shortest stay", "inside", "known after", "withheld"]
    var rows = [names + (byFence ? ["fence"] : []) + results]
    for (number, setting) in trial.settings.enumerated() {
      let values = setting.isUnchanged ? names.map { _ in "as is" } : setting.columns.map(\.value)
      if byFence {
        for (index, fence) in trial.fences.enumerated() {
          rows.append(values + [fence.name ?? fence.id.name] + cells(trial.row(number, index)))
        }
      } else {
        rows.append(values + cells(trial.row(number)))
      }
    }
    let first = names.count + (byFence ? 1 : 0)
    return TextTable.lines(
      rows.map { $0.map(\.sanitizedToOneLine) }, numbers: Set(first..<first + results.count))
  }

  private func cells(_ row: FenceStatistics.Row) -> [String] {
    let withheld = row.suppressed.filter { $0.key != .notAskedFor }.values.reduce(0, +)
    return [
      row.enters.grouped, row.exits.grouped, row.dwells.grouped, row.flaps(within: within).grouped,
      row.stays.min().map { Quantities.duration($0.rounded()) } ?? "–",
      row.stays.isEmpty ? "–" : Quantities.duration(row.timeInside.rounded()),
      row.medianLatency.map { Quantities.duration(($0 * 10).rounded() / 10) } ?? "–", withheld.grouped,
    ]
  }

  /// Appends a line for each setting, or for each fence under each setting.
  package func append(to bytes: inout [UInt8]) {
    for (number, setting) in trial.settings.enumerated() {
      if byFence {
        for (index, fence) in trial.fences.enumerated() {
          append(setting, fence.id, trial.row(number, index), to: &bytes)
        }
      } else {
        append(setting, nil, trial.row(number), to: &bytes)
      }
    }
  }

  private func append(
    _ setting: FenceVariant, _ fence: FenceID?, _ row: FenceStatistics.Row, to bytes: inout [UInt8]
  ) {
    var heldBack = JSONObject()
    for reason in SuppressionReason.allCases { heldBack.add(reason.key, row.suppressed[reason]) }
    var counts = JSONObject()
    counts.add("of", fence?.name)
    counts.add("enter", row.enters)
    counts.add("exit", row.exits)
    counts.add("dwell", row.dwells)
    counts.add("flaps", row.flaps(within: within))
    counts.add("stays", row.stays.count)
    counts.add("shortest", row.stays.min()?.rounded(to: 1e3))
    counts.add("inside", row.timeInside.rounded(to: 1e3))
    counts.add("latency", row.medianLatency?.rounded(to: 1e3))
    counts.add("heldBack", heldBack)
    bytes.appendJSONObject {
      $0.appendJSONKey("setting")
      $0 += setting.json.bytes
      $0.appendJSONKey("result")
      $0 += counts.bytes
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends the events of each setting.
  package func appendEvents(json: Bool, to bytes: inout [UInt8]) {
    let text = FenceEventText(trial.fences)
    for (number, setting) in trial.settings.enumerated() {
      let events = trial.events[number]
      if !json {
        let title = setting.columns.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        bytes.appendText("\n\(title.isEmpty ? "as is" : title): \(Quantities.count(events.count, "event"))\n")
      }
      for event in events {
        guard json else {
          bytes.appendText("  \(text.line(event))\n")
          continue
        }
        FenceEventJSON.append(
          event,
          after: {
            $0.appendJSONKey("setting")
            $0 += setting.json.bytes
          }, to: &bytes)
      }
    }
  }
}
