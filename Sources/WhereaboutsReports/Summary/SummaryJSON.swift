import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

/// A summary as one JSON object with the single member `summary`. Absent values are omitted.
///
/// | key | unit | meaning |
/// | --- | --- | --- |
/// | `file`, `format` | text | name and format of the recording |
/// | `start`, `end`, `duration` | RFC 3339, s | earliest and latest time of a fix |
/// | `movedDates` | count | receiver dates corrected by a multiple of 1,024 weeks |
/// | `fixes`, `accepted`, `refused` | count | `refused` holds a count for each reason |
/// | `restarts` | count | times that the recording's time went back permanently |
/// | `tracks`, `segments`, `waypoints`, `routePoints` | count | |
/// | `problems` | count | of each kind |
/// | `accuracy` | m at 68 % | `best`, `median`, `p95`; `estimated` if not stated by the source |
/// | `reached` | s | time from the first fix to the first fix of each level |
/// | `length` | m | sum of the geodesics between successive fixes of a segment |
/// | `speed` | m/s | `moving`, `max`; `movingTime` in s; `stated` is false if `max` is from positions |
/// | `climb` | m | `up`, `down`, `lowest`, `highest` |
/// | `box` | degrees | `south`, `west`, `north`, `east`; west is greater than east across 180° |
/// | `gaps` | s | `count`, `longest`, `threshold`; `breaks` and `longestBreak` between segments, as long as gaps |
struct SummaryJSON {
  let name: String
  let format: RecordingFormat?
  let summary: RecordingSummary
  let problems: ProblemLog
  /// The number of dates that were corrected by a multiple of 1,024 weeks.
  var movedDates = 0

  /// The text of the object, without a line end.
  var bytes: [UInt8] {
    var object = JSONObject()
    object.add("summary", content)
    return object.bytes
  }

  private var content: JSONObject {
    var object = JSONObject()
    object.add("file", name)
    object.add("format", format?.rawValue)
    object.add("start", summary.firstTime?.iso8601)
    object.add("end", summary.lastTime?.iso8601)
    object.add("duration", summary.duration)
    if movedDates > 0 { object.add("movedDates", movedDates) }
    object.add("fixes", summary.fixes)
    object.add("accepted", summary.accepted)
    object.add("refused", Self.counts(summary.refused.sorted { $0.key < $1.key }))
    if summary.restarts > 0 { object.add("restarts", summary.restarts) }
    object.add("tracks", summary.tracks)
    object.add("segments", summary.segments)
    object.add("waypoints", summary.waypoints)
    object.add("routePoints", summary.routePoints)
    object.add(
      "problems",
      Self.counts(
        InputProblem.Kind.allCases.compactMap { kind in problems.counts[kind].map { (kind.rawValue, $0) } })
    )
    object.add("accuracy", accuracy)
    object.add("reached", reached)
    if summary.accepted > 1 { object.add("length", summary.length) }
    object.add("speed", speed)
    object.add("climb", climb)
    object.add("box", box)
    object.add("gaps", gaps)
    return object
  }

  private static func counts(_ counts: [(String, Int)]) -> JSONObject {
    var object = JSONObject()
    for (key, count) in counts { object.add(key, count) }
    return object
  }

  private static func counts(_ counts: [Dictionary<String, Int>.Element]) -> JSONObject {
    Self.counts(counts.map { ($0.key, $0.value) })
  }

  private var accuracy: JSONObject {
    var object = JSONObject()
    object.add("best", summary.accuracies.least)
    object.add("median", summary.accuracies.quantile(0.5))
    object.add("p95", summary.accuracies.quantile(0.95))
    if summary.hasEstimatedAccuracies { object.add("estimated", true) }
    return object
  }

  private var reached: JSONObject {
    var object = JSONObject()
    for reached in summary.reached { object.add(reached.level.name, reached.after) }
    return object
  }

  private var speed: JSONObject? {
    guard let greatest = summary.speeds.greatest else { return nil }
    var object = JSONObject()
    object.add("moving", summary.speeds.averageWhileMoving)
    object.add("movingTime", summary.speeds.movingSeconds)
    object.add("max", greatest)
    object.add("stated", summary.speeds.isStated)
    return object
  }

  private var climb: JSONObject? {
    guard summary.climb.lowest != nil else { return nil }
    var object = JSONObject()
    object.add("up", summary.climb.ascent)
    object.add("down", summary.climb.descent)
    object.add("lowest", summary.climb.lowest)
    object.add("highest", summary.climb.highest)
    return object
  }

  private var box: JSONObject? {
    guard let box = summary.box else { return nil }
    var object = JSONObject()
    object.add("south", box.south)
    object.add("west", box.west)
    object.add("north", box.north)
    object.add("east", box.east)
    return object
  }

  private var gaps: JSONObject? {
    guard summary.gaps.intervals.count > 0 || summary.gaps.breaks > 0 else { return nil }
    var object = JSONObject()
    object.add("count", summary.gaps.count)
    object.add("longest", summary.gaps.longest)
    object.add("threshold", summary.gaps.threshold)
    if summary.gaps.breaks > 0 {
      object.add("breaks", summary.gaps.breaks)
      object.add("longestBreak", summary.gaps.longestBreak)
    }
    return object
  }
}
