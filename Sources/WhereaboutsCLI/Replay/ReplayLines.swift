import WhereaboutsCore
import WhereaboutsFormats

/// What a replay shows on standard output.
struct ReplayLines {
  /// JSON, one object a line.
  var json: Bool
  /// The way is shown, and not the fixes.
  var track: Bool
  /// What happens at these fences is shown, and not the fixes; `nil` where none are watched.
  var fences: WatchedFences?
  /// Fixes or points of the way are shown as they come, to people too.
  var isLive: Bool
  /// Nothing but a picture goes there.
  var isSilent: Bool

  /// Shows what the engine made of the recording.
  func show(_ event: ReplaySession.Event, on output: OutputFile) {
    switch event {
    case .accepted(let fix): if !track, fences == nil { show(fix, on: output) }
    case .settled(let point): show(point, on: output)
    case .answered(let level, let answer, let after):
      if json, !track, fences == nil { show(answer, at: level, after: after, on: output) }
    case .told(let event): show(event, on: output)
    case .refused, .restarted, .decided: break
    }
  }

  /// Shows what a recording amounts to.
  func show(_ summary: RecordingSummary, _ way: Way?, of reader: RecordingReader, on output: OutputFile) {
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

  /// Shows what happened at the fences of a recording.
  func show(_ tally: FenceTally, of reader: RecordingReader, fixes: Int, on output: OutputFile) {
    guard let fences else { return }
    guard !json else {
      return FenceTallyJSON.append(tally, of: fences.fences, in: reader.name, to: &output.bytes)
    }
    guard !isSilent else { return }
    let counts = [Quantities.count(fixes, "fix", "fixes"), Quantities.count(fences.fences.count, "fence")]
    output.bytes.appendText("\(reader.name.onOneLine)  (\(counts.joined(separator: ", ")))\n")
    for line in FenceTallyText(tally, of: fences.fences, text: fences.text).lines {
      output.bytes.appendText("  \(line)\n")
    }
  }

  /// Shows what several ways amount to.
  func show(together ways: [Way], on output: OutputFile) {
    let totals = TrackTotals(together: ways.map(\.figures))
    if json {
      TrackJSON.append(totals, of: ways.count, to: &output.bytes)
    } else if !isSilent {
      let moving = Quantities.duration(totals.moving.rounded())
      let distance = WayText.distance(totals.distance, totals.uncertainty)
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

  private func show(_ event: ToldEvent, on output: OutputFile) {
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
      output.bytes.appendText("\(WayText.line(point))\n")
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
