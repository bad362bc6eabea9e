import WhereaboutsModel
import WhereaboutsFormats

/// The output of a replay on standard output.
struct ReplayLines {
  /// Whether the output is JSON, one object per line.
  var json: Bool
  /// Whether the output shows the track instead of the fixes.
  var track: Bool
  /// The fences whose events are shown instead of the fixes; `nil` without fences.
  var fences: WatchedFences?
  /// Whether fixes or track points are printed as they arrive, in text output too.
  var isLive: Bool
  /// Whether only a picture goes to standard output.
  var isSilent: Bool

  /// Prints an event of the session.
  func show(_ event: ReplaySession.Event, on output: OutputFile) {
    switch event {
    case .accepted(let fix): if !track, fences == nil { show(fix, on: output) }
    case .settled(let point): show(point, on: output)
    case .answered(let level, let answer, let after):
      if json, !track, fences == nil { show(answer, at: level, after: after, on: output) }
    case .fenceEvent(let event): show(event, on: output)
    case .refused, .restarted, .fenceDecision: break
    }
  }

  /// Prints the summary of a recording.
  func show(
    _ summary: RecordingSummary, _ way: TrackSummary?, of reader: RecordingReader, on output: OutputFile
  ) {
    guard !json else {
      if let way {
        TrackJSON.append(way, of: reader.name, to: &output.bytes)
      } else {
        let line = SummaryJSON(
          name: reader.name, format: reader.format, summary: summary, problems: reader.problems,
          movedDates: reader.movedDates)
        output.bytes += line.bytes + [UInt8(ascii: "\n")]
      }
      return
    }
    guard !isSilent else { return }
    let text = SummaryText(
      name: reader.name, format: reader.format, summary: summary, problems: reader.problems,
      movedDates: reader.movedDates, way: way)
    for line in text.lines { output.bytes.appendText("\(line)\n") }
  }

  /// Prints the fence statistics of a recording.
  func show(_ tally: FenceStatistics, of reader: RecordingReader, fixes: Int, on output: OutputFile) {
    guard let fences else { return }
    guard !json else {
      return FenceStatisticsJSON.append(tally, of: fences.fences, in: reader.name, to: &output.bytes)
    }
    guard !isSilent else { return }
    let counts = [Quantities.count(fixes, "fix", "fixes"), Quantities.count(fences.fences.count, "fence")]
    output.bytes.appendText("\(reader.name.sanitizedToOneLine)  (\(counts.joined(separator: ", ")))\n")
    for line in FenceStatisticsText(tally, of: fences.fences, text: fences.text).lines {
      output.bytes.appendText("  \(line)\n")
    }
  }

  /// Prints the combined summary of several tracks.
  func show(together ways: [TrackSummary], on output: OutputFile) {
    let totals = TrackTotals(together: ways.map(\.combinableTotals))
    if json {
      TrackJSON.append(totals, of: ways.count, to: &output.bytes)
    } else if !isSilent {
      let moving = Quantities.duration(totals.moving.rounded())
      let distance = TrackSummaryText.distance(totals.distance, totals.uncertainty)
      output.bytes.appendText("\nTogether      \(distance), moving for \(moving)\n")
    }
  }

  private func show(_ fix: Fix, on output: OutputFile) {
    if json {
      output.bytes.appendJSON(fix)
      output.bytes.append(UInt8(ascii: "\n"))
    } else if isLive, !isSilent {
      output.bytes.appendText("\(FixText.line(fix))\n")
    }
  }

  private func show(_ event: ReportedFenceEvent, on output: OutputFile) {
    guard let fences else { return }
    if json {
      FenceEventJSON.append(event, to: &output.bytes)
    } else if !isSilent {
      output.bytes.appendText("\(fences.text.line(event))\n")
    }
  }

  private func show(_ point: TrackPoint, on output: OutputFile) {
    if json {
      TrackJSON.append(point, to: &output.bytes)
    } else if isLive, !isSilent {
      output.bytes.appendText("\(TrackSummaryText.line(point))\n")
    }
  }

  private func show(
    _ answer: Answer, at level: AccuracyLevel, after: Duration, on output: OutputFile
  ) {
    var content = JSONObject()
    content.add("level", level.name)
    content.add("after", after.inSeconds)
    content.add("age", answer.age.inSeconds)
    content.add("fix", answer.fix)
    var line = JSONObject()
    line.add("answer", content)
    output.bytes += line.bytes + [UInt8(ascii: "\n")]
  }
}
