import WhereaboutsModel

/// Fence statistics as text, a line for each fence.
struct FenceStatisticsText {
  /// The maximum number of fences without events that are listed.
  private static let quietFenceLimit = 20

  let statistics: FenceStatistics
  let fences: [Fence]
  let text: FenceEventText

  init(_ statistics: FenceStatistics, of fences: [Fence], text: FenceEventText) {
    self.statistics = statistics
    self.fences = fences
    self.text = text
  }

  /// The lines of the report.
  var lines: [String] {
    var lines: [String] = []
    var quiet = 0
    for fence in fences {
      let row = statistics[fence.id]
      let isQuiet =
        row.enters + row.exits + row.dwells == 0 && row.insideSince == nil && row.suppressed.isEmpty
      if isQuiet {
        quiet += 1
        if fences.count > Self.quietFenceLimit { continue }
      }
      lines.append("\(text.name(fence.id).padded(to: text.width))  \(Self.sentence(row))".sanitizedToOneLine)
      for (reason, count) in Self.sorted(row.suppressed) {
        lines.append("\("".padded(to: text.width))  withheld: \(Self.suppressed(count, reason))")
      }
    }
    if fences.count > Self.quietFenceLimit, quiet > 0 {
      lines.append("and \(Quantities.count(quiet, "fence")) where nothing happened")
    }
    for (reason, count) in Self.sorted(statistics.unusedFixes) {
      lines.append(Self.unused(count, reason))
    }
    return lines
  }

  private static func sorted(_ counts: [SuppressionReason: Int]) -> [(SuppressionReason, Int)] {
    counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map { ($0.key, $0.value) }
  }

  /// Returns `entered 2 times, left once · inside 1 h 04 min in 2 stays, the shortest 12 min 03 s`.
  static func sentence(_ row: FenceStatistics.Row) -> String {
    var parts: [String] = []
    if row.enters > 0 { parts.append("entered \(timesText(row.enters))") }
    if row.exits > 0 { parts.append("left \(timesText(row.exits))") }
    if row.dwells > 0 { parts.append("stayed \(timesText(row.dwells))") }
    let events = parts.isEmpty ? "no event" : parts.joined(separator: ", ")
    guard let shortest = row.stays.min() else {
      if row.insideSince != nil { return "\(events) · inside" }
      return row.isDetermined && parts.isEmpty ? "never inside" : events
    }
    var stays = "inside \(Quantities.duration(row.timeInside.rounded()))"
    if row.stays.count > 1 {
      stays += " in \(row.stays.count.grouped) stays, the shortest \(Quantities.duration(shortest.rounded()))"
    }
    return "\(events) · \(stays)\(row.insideSince == nil ? "" : ", still inside at the end")"
  }

  /// Returns `1 fix that wanders while it rests`, `2 too short to count`.
  static func suppressed(_ count: Int, _ reason: SuppressionReason) -> String {
    guard reason != .atRest || count != 1 else { return "1 fix that wanders while it rests" }
    return "\(count.grouped) \(reason.rawValue)"
  }

  /// Returns the text of a number of decisions about fixes. A doubted fix may be used with the next one, and coarse fixes
  /// in a row are one decision.
  static func unused(_ count: Int, _ reason: SuppressionReason) -> String {
    let fixes = Quantities.count(count, "fix", "fixes")
    return switch reason {
    case .doubted: "\(fixes) held until the next one: possibly an outlier"
    case .tooCoarse: "\(Quantities.count(count, "run")) of fixes not looked at: \(reason.rawValue)"
    default: "\(fixes) not looked at: \(reason.rawValue)"
    }
  }

  private static func timesText(_ count: Int) -> String {
    switch count {
    case 1: "once"
    case 2: "twice"
    default: "\(count.grouped) times"
    }
  }
}
