import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

/// A summary as text: one line for each available value.
struct SummaryText {
  let name: String
  let format: RecordingFormat?
  let summary: RecordingSummary
  let problems: ProblemLog
  /// The number of dates that were corrected by a multiple of 1,024 weeks.
  var movedDates = 0
  /// The summary of the track, which replaces the plain figures; `nil` if no track was measured.
  var track: TrackSummary?

  /// The lines, without line ends.
  var lines: [String] {
    let name = name.sanitizedToOneLine
    var lines = [format.map { "\(name)  (\($0.title))" } ?? name]
    func add(_ label: String, _ text: String?) {
      guard let text else { return }
      for (index, line) in text.split(separator: "\n").enumerated() {
        let margin =
          index == 0 ? label + String(repeating: " ", count: max(12 - label.count, 1)) : "            "
        lines.append("  \(margin)\(line)")
      }
    }
    add("When", when)
    add("Dates", OmissionText.line(movedDates: movedDates))
    add("Fixes", fixes)
    add("Contents", contents)
    add("Problems", problems.total > 0 ? ProblemReport.counts(problems) : nil)
    add("Accuracy", accuracy)
    if let track {
      for (label, text) in TrackSummaryText(track: track).entries { add(label, text) }
      return lines
    }
    add("Reached", reached)
    add("Length", length)
    add("Speed", speed)
    add("Climb", climb)
    add("Box", box)
    add("Gaps", gaps)
    return lines
  }

  private var when: String? {
    guard let first = summary.firstTime, let last = summary.lastTime, let duration = summary.duration else {
      guard summary.accepted > 0 else { return nil }
      return format == .nmea ? "not stated\n\(OmissionText.remedyForMissingDates)" : "not stated"
    }
    if first == last { return "\(first.dateText) \(first.clockText) UTC" }
    let end = first.dateText == last.dateText ? last.clockText : "\(last.dateText) \(last.clockText)"
    return "\(first.dateText) \(first.clockText) to \(end) UTC · \(Quantities.duration(duration.rounded()))"
  }

  private var fixes: String {
    guard summary.fixes > 0 else { return "none" }
    guard !summary.refused.isEmpty else { return "\(summary.accepted.grouped), all accepted" }
    let reasons = summary.refused.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value.grouped) \($0.key)" }
    let text =
      "\(summary.fixes.grouped) read, \(summary.accepted.grouped) accepted; refused: \(reasons.joined(separator: ", "))"
    // Some programs write the newest fix first.
    let unordered = summary.refused[Refusal.Reason.outOfOrder.rawValue] ?? 0
    guard unordered > summary.fixes / 2 else { return text }
    return "\(text)\n`whereabouts import` reads fixes in any order, and `export` sorts them by time"
  }

  private var contents: String? {
    var parts: [String] = []
    if summary.tracks > 1 { parts.append(Quantities.count(summary.tracks, "track")) }
    if summary.segments > 1 { parts.append(Quantities.count(summary.segments, "segment")) }
    if summary.waypoints > 0 { parts.append(Quantities.count(summary.waypoints, "place")) }
    if summary.routePoints > 0 { parts.append(Quantities.count(summary.routePoints, "route point")) }
    if summary.restarts > 0 { parts.append("time goes back \(Quantities.count(summary.restarts, "time"))") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private var accuracy: String? {
    let values = summary.accuracies
    guard let best = values.least, let median = values.quantile(0.5), let most = values.quantile(0.95) else {
      return summary.accepted > 0 ? "not stated" : nil
    }
    let text =
      "best \(Quantities.accuracy(best)) · typical \(Quantities.accuracy(median)) · 95 % of fixes within "
      + "\(Quantities.accuracy(most)) (68 % radius)"
    return summary.hasEstimatedAccuracies ? "\(text)\nestimated from what the recording states" : text
  }

  /// The times of the levels: `city, neighborhood at once · block after 12 s · house never`.
  private var reached: String? {
    guard summary.accuracies.count > 0, summary.firstTime != nil else { return nil }
    var groups: [(names: [String], when: String)] = []
    for reached in summary.reached {
      let when = reached.after.map { $0 == 0 ? "at once" : "after \(Quantities.duration($0))" } ?? "never"
      if let last = groups.indices.last, groups[last].when == when {
        groups[last].names.append(reached.level.name)
      } else {
        groups.append(([reached.level.name], when))
      }
    }
    return groups.map { "\($0.names.joined(separator: ", ")) \($0.when)" }.joined(separator: " · ")
  }

  private var length: String? {
    guard summary.accepted > 1 else { return nil }
    return "\(Quantities.length(summary.length)) (plain sum of the steps, noise and all)"
  }

  private var speed: String? {
    guard let greatest = summary.speeds.greatest else { return nil }
    let source = summary.speeds.isStated ? "" : " (from positions)"
    let most = "at most \(Quantities.speed(greatest))\(source)"
    guard let average = summary.speeds.averageWhileMoving else { return most }
    let moving = Quantities.duration(summary.speeds.movingSeconds.rounded())
    return "\(Quantities.speed(average)) while moving, for \(moving) · \(most)"
  }

  private var climb: String? {
    let climb = summary.climb
    guard let lowest = climb.lowest, let highest = climb.highest else { return nil }
    let heights =
      lowest.fixed(0) == highest.fixed(0) ? lowest.fixed(0) : "\(lowest.fixed(0)) to \(highest.fixed(0))"
    guard climb.ascent + climb.descent > 0 else { return "none · \(heights) m high" }
    return
      "\(climb.ascent.fixed(0)) m up, \(climb.descent.fixed(0)) m down (noise taken out) · "
      + "\(heights) m high"
  }

  private var box: String? {
    guard let box = summary.box else { return nil }
    return "\(box.south.fixed(5)), \(box.west.fixed(5)) to \(box.north.fixed(5)), \(box.east.fixed(5))"
  }

  private var gaps: String? {
    let gaps = summary.gaps
    let breaks = breaks
    guard gaps.intervals.count > 0 else { return breaks }
    let threshold = "longer than \(Quantities.duration(gaps.threshold))"
    var text = "none \(threshold)"
    if let longest = gaps.longest, let began = gaps.longestBegan {
      text =
        "\(gaps.count.grouped) \(threshold) · the longest \(Quantities.duration(longest)), from \(began.clockText)"
    }
    return breaks.map { "\(text)\n\($0)" } ?? text
  }

  private var breaks: String? {
    let gaps = summary.gaps
    guard let longest = gaps.longestBreak, let began = gaps.longestBreakBegan else { return nil }
    let lasting = "\(Quantities.duration(longest)), from \(began.clockText)"
    return gaps.breaks == 1
      ? "1 break between segments: \(lasting)"
      : "\(gaps.breaks.grouped) breaks between segments · the longest \(lasting)"
  }
}
