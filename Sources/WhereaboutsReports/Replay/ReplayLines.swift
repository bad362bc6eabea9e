import WhereaboutsModel
import WhereaboutsFormats

/// The lines of a replay, as text or as JSON.
package struct ReplayLines {
  /// Whether the output is JSON, one object per line.
  var json: Bool
  /// Whether the output shows the track instead of the fixes.
  var track: Bool
  /// The fences whose events are shown instead of the fixes; `nil` without fences.
  var fences: WatchedFences?
  /// Whether fixes or track points are printed as they arrive, in text output too.
  var isLive: Bool
  /// Whether only a picture goes to standard output.
  package var isSilent: Bool

  package init(json: Bool, track: Bool, fences: WatchedFences? = nil, isLive: Bool, isSilent: Bool) {
    self.json = json
    self.track = track
    self.fences = fences
    self.isLive = isLive
    self.isSilent = isSilent
  }

  /// Appends an event of the session.
  package func append(_ event: ReplaySession.Event, to bytes: inout [UInt8]) {
    switch event {
    case .accepted(let fix): if !track, fences == nil { append(fix, to: &bytes) }
    case .settled(let point): append(point, to: &bytes)
    case .answered(let level, let answer, let after):
      if json, !track, fences == nil { append(answer, at: level, after: after, to: &bytes) }
    case .fenceEvent(let event): append(event, to: &bytes)
    case .refused, .restarted, .fenceDecision: break
    }
  }

  /// Appends the summary of a recording.
  package func append(
    _ summary: RecordingSummary, _ trackSummary: TrackSummary?, of reader: RecordingReader,
    to bytes: inout [UInt8]
  ) {
    guard !json else {
      if let trackSummary {
        TrackJSON.append(trackSummary, of: reader.name, to: &bytes)
      } else {
        let line = SummaryJSON(
          name: reader.name, format: reader.format, summary: summary, problems: reader.problems,
          movedDates: reader.movedDates)
        bytes += line.bytes + [UInt8(ascii: "\n")]
      }
      return
    }
    guard !isSilent else { return }
    // Standard error lists the problems of a damaged recording, with their places.
    let text = SummaryText(
      name: reader.name, format: reader.format, summary: summary,
      problems: reader.isIncomplete ? ProblemLog() : reader.problems, movedDates: reader.movedDates,
      track: trackSummary)
    for line in text.lines { bytes.appendText("\(line)\n") }
  }

  /// Appends the fence statistics of a recording.
  package func append(
    _ statistics: FenceStatistics, of reader: RecordingReader, fixes: Int, to bytes: inout [UInt8]
  ) {
    guard let fences else { return }
    guard !json else {
      return FenceStatisticsJSON.append(statistics, of: fences.fences, in: reader.name, to: &bytes)
    }
    guard !isSilent else { return }
    let counts = [Quantities.count(fixes, "fix", "fixes"), Quantities.count(fences.fences.count, "fence")]
    bytes.appendText("\(reader.name.sanitizedToOneLine)  (\(counts.joined(separator: ", ")))\n")
    for line in FenceStatisticsText(statistics, of: fences.fences, text: fences.text).lines {
      bytes.appendText("  \(line)\n")
    }
  }

  /// Appends the combined summary of several tracks.
  package func append(together tracks: [TrackSummary], to bytes: inout [UInt8]) {
    let totals = TrackTotals(together: tracks.map(\.combinableTotals))
    if json {
      TrackJSON.append(totals, of: tracks.count, to: &bytes)
    } else if !isSilent {
      let moving = Quantities.duration(totals.moving.rounded())
      let distance = TrackSummaryText.distance(totals.distance, totals.uncertainty)
      bytes.appendText("\nTogether      \(distance), moving for \(moving)\n")
    }
  }

  private func append(_ fix: Fix, to bytes: inout [UInt8]) {
    if json {
      bytes.appendJSON(fix)
      bytes.append(UInt8(ascii: "\n"))
    } else if isLive, !isSilent {
      bytes.appendText("\(FixText.line(fix))\n")
    }
  }

  private func append(_ event: ReportedFenceEvent, to bytes: inout [UInt8]) {
    guard let fences else { return }
    if json {
      FenceEventJSON.append(event, to: &bytes)
    } else if !isSilent {
      bytes.appendText("\(fences.text.line(event))\n")
    }
  }

  private func append(_ point: TrackPoint, to bytes: inout [UInt8]) {
    if json {
      TrackJSON.append(point, to: &bytes)
    } else if isLive, !isSilent {
      bytes.appendText("\(TrackSummaryText.line(point))\n")
    }
  }

  private func append(
    _ answer: Answer, at level: AccuracyLevel, after: Duration, to bytes: inout [UInt8]
  ) {
    var content = JSONObject()
    content.add("level", level.name)
    content.add("after", after.inSeconds)
    content.add("age", answer.age.inSeconds)
    content.add("fix", answer.fix)
    var line = JSONObject()
    line.add("answer", content)
    bytes += line.bytes + [UInt8(ascii: "\n")]
  }
}
