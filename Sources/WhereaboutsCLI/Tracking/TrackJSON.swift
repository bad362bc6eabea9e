import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsGeodesy

/// A way as JSON lines: a line for each settled point, and one for what they amount to. Absent is left out.
///
/// | key of a point | unit | meaning |
/// | --- | --- | --- |
/// | `time`, `lat`, `lon` | RFC 3339, degrees | when and where |
/// | `distance`, `uncertainty` | m | how far it had come, and one standard deviation of that; neither falls |
/// | `speed` | m/s | 0 while it stands |
/// | `height` | m | as the fix says: above mean sea level, or above the ellipsoid where that is all it says |
/// | `motion` | text | how it moved |
/// | `begins` | flag | true at the first point of a segment |
/// | `gap` | s, m | `duration`, `geodesic`, `counted` and its `uncertainty`, where one ends here |
///
/// | key of `totals` | unit | meaning |
/// | --- | --- | --- |
/// | `file`, `start`, `end` | text, RFC 3339 | what was measured, its first and its last point |
/// | `trip` | text | what it is kept as; the other figures are of the whole trip, `start` and what follows of this run |
/// | `files` | count | how many recordings this line sums up; that line has no `file` |
/// | `segments`, `gaps`, `stops` | count | gaps counted or not; stops of a minute or more |
/// | `late` | count | fixes that came too late to count; left out where there were none |
/// | `fasterThan` | text | the activity that was stated, where the way was faster than that allows; all of it counts |
/// | `bridged` | m | the part of `distance` that was counted for gaps |
/// | `elapsed`, `moving` | s | the time of the segments, and the part in which it moved |
/// | `average`, `fastest` | m/s | the average while moving, gaps left out, and the greatest speed |
/// | `ascent`, `descent` | m | noise taken out |
/// | `motion` | s, m | for each kind of motion its `time` and `distance`; gaps have none |
/// | `untimed` | count | where most fixes don't say when they were made: how many; the figures are of the others |
///
/// Beside `totals` stand its `distance` and `uncertainty`, as in a point. Where there is `untimed`, `distance` is the plain
/// sum of the steps from fix to fix, and there is no `uncertainty`.
enum TrackJSON {
  /// Appends a point's line.
  static func append(_ point: TrackPoint, to bytes: inout [UInt8]) {
    bytes.putObject {
      $0.put("time", point.time)
      $0.put("lat", point.coordinate.latitude.rounded(to: 1e9))
      $0.put("lon", point.coordinate.longitude.rounded(to: 1e9))
      $0.put("distance", point.distance.rounded(to: 1e3))
      $0.put("uncertainty", point.uncertainty.rounded(to: 1e3))
      $0.put("speed", point.speed.rounded(to: 1e3))
      $0.put("height", point.height?.rounded(to: 1e3))
      $0.put("motion", text: point.motion.jsonText)
      switch point.link {
      case .follows: break
      case .begins: $0.put("begins", true)
      case .bridges(let gap): $0.put("gap") { put(gap, to: &$0) }
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private static func put(_ gap: TrackGap, to bytes: inout [UInt8]) {
    bytes.put("duration", gap.duration.rounded(to: 1e3))
    bytes.put("geodesic", gap.geodesic.rounded(to: 1e3))
    bytes.put("counted", gap.counted.rounded(to: 1e3))
    bytes.put("uncertainty", gap.uncertainty.rounded(to: 1e3))
  }

  /// Appends the line of how things stand with a tracker: a single member `update`.
  ///
  /// Its `distance` is what is settled, in metres, and `ahead` what has come since as it seems; `time` is that of the last
  /// fix.
  static func append(_ update: TrackUpdate, to bytes: inout [UInt8]) {
    bytes.putObject {
      $0.put("update") {
        $0.put("time", update.fix?.time)
        $0.put("phase", update.phase.rawValue)
        $0.put("signal", update.signal.rawValue)
        $0.put("motion", text: update.motion.jsonText)
        $0.put("speed", update.speed?.rounded(to: 1e3))
        $0.put("distance", update.totals.distance.rounded(to: 1e3))
        $0.put("uncertainty", update.totals.uncertainty.rounded(to: 1e3))
        $0.put("ahead", update.ahead.rounded(to: 1e3))
        $0.put("moving", update.totals.moving.rounded(to: 1e3))
        $0.put("settledTo", update.settledTo)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends the line of what a way amounts to: `totals`, and the two that matter most beside it.
  ///
  /// - Parameters:
  ///   - name: the recording it was measured in; `nil` for a live source.
  ///   - trip: what it is kept as, if it is; the totals are then those of the whole trip.
  static func append(_ way: Way, of name: String?, trip: TripID? = nil, to bytes: inout [UInt8]) {
    append(way.totals, plain: way.plain, to: &bytes) {
      $0.put("file", name)
      $0.put("trip", trip?.rawValue)
      $0.put("start", way.tally.first)
      $0.put("end", way.tally.last)
      $0.put("stops", way.tally.stops.count)
      if way.late > 0 { $0.put("late", way.late) }
      if way.contradictsActivity { $0.put("fasterThan", way.activity.rawValue) }
      $0.put("motion") { members in
        for motion in Motion.allCases {
          guard let share = way.tally.shares[motion] else { continue }
          members.put(motion.jsonText) {
            $0.put("time", share.seconds.rounded(to: 1e3))
            $0.put("distance", share.metres.rounded(to: 1e3))
          }
        }
      }
    }
  }

  /// Appends the line of what so many ways amount to together.
  static func append(_ totals: TrackTotals, of count: Int, to bytes: inout [UInt8]) {
    append(totals, to: &bytes) { $0.put("files", count) }
  }

  private static func append(
    _ totals: TrackTotals, plain: PlainLength? = nil, to bytes: inout [UInt8],
    _ members: (inout [UInt8]) -> Void
  ) {
    bytes.putObject {
      $0.put("totals") {
        members(&$0)
        $0.put("untimed", plain?.share.untimed)
        $0.put("bridged", totals.bridged.rounded(to: 1e3))
        $0.put("gaps", totals.gaps)
        $0.put("segments", totals.segments)
        $0.put("elapsed", totals.elapsed.rounded(to: 1e3))
        $0.put("moving", totals.moving.rounded(to: 1e3))
        $0.put("average", totals.averageMovingSpeed?.rounded(to: 1e3))
        $0.put("fastest", totals.fastest.rounded(to: 1e3))
        $0.put("ascent", totals.ascent?.rounded(to: 1e3))
        $0.put("descent", totals.descent?.rounded(to: 1e3))
      }
      $0.put("distance", (plain?.metres(besides: totals) ?? totals.distance).rounded(to: 1e3))
      $0.put("uncertainty", plain == nil ? totals.uncertainty.rounded(to: 1e3) : nil)
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}

extension Motion {
  /// As it stands in JSON.
  fileprivate var jsonText: StaticString {
    switch self {
    case .unknown: "unknown"
    case .still: "still"
    case .moving: "moving"
    case .walking: "walking"
    case .running: "running"
    case .cycling: "cycling"
    case .driving: "driving"
    case .fast: "fast"
    }
  }
}
