package import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

/// A track as JSON lines: a line for each settled point, and a line for the totals. Absent values are omitted.
///
/// | key of a point | unit | meaning |
/// | --- | --- | --- |
/// | `time`, `lat`, `lon` | RFC 3339, degrees | time and position |
/// | `distance`, `uncertainty` | m | distance so far, and its standard deviation; neither decreases |
/// | `speed` | m/s | 0 at rest |
/// | `height` | m | above mean sea level, or above the ellipsoid if the fix has no other height |
/// | `motion` | text | kind of motion up to the point |
/// | `begins` | flag | true at the first point of a segment |
/// | `gap` | s, m | gap that ends here: `duration`, `geodesic`, `counted` and its `uncertainty` |
///
/// | key of `totals` | unit | meaning |
/// | --- | --- | --- |
/// | `file`, `start`, `end` | text, RFC 3339 | recording, time of the first and of the last point |
/// | `trip` | text | name of the trip; `start`, `end`, `stops` and `motion` describe this run, others the trip |
/// | `files` | count | number of recordings in a combined line, which has no `file` |
/// | `segments`, `gaps`, `stops` | count | gaps with and without a counted length; stops of a minute or more |
/// | `lateFixes` | count | fixes that were too late to count; omitted if 0 |
/// | `fasterThan` | text | stated activity whose speed limit the track exceeded; everything counts |
/// | `bridged` | m | part of `distance` counted for gaps |
/// | `elapsed`, `moving` | s | duration of the segments, and the moving part |
/// | `average`, `fastest` | m/s | average while moving without gaps, and greatest speed |
/// | `ascent`, `descent` | m | noise removed |
/// | `motion` | s, m | `time` and `distance` of each kind of motion, without gaps |
/// | `untimed` | count | number of untimed fixes, if most fixes are untimed; the figures describe the others |
///
/// The line of `totals` also has `distance` and `uncertainty`, as in a point. With `untimed`, `distance` is the plain
/// sum of the steps between fixes, and `uncertainty` is absent.
///
/// The first points of a run that resumes a trip may belong to fixes of the earlier run, which are settled only now.
/// `start`, `stops` and `motion` leave these points out: `start` is the time of the first point of a fix of this run.
package enum TrackJSON {
  /// Appends the line of a point.
  package static func append(_ point: TrackPoint, to bytes: inout [UInt8]) {
    bytes.appendJSONObject {
      $0.appendJSONMember("time", point.time)
      $0.appendJSONMember("lat", point.coordinate.latitude.rounded(to: 1e9))
      $0.appendJSONMember("lon", point.coordinate.longitude.rounded(to: 1e9))
      $0.appendJSONMember("distance", point.distance.rounded(to: 1e3))
      $0.appendJSONMember("uncertainty", point.uncertainty.rounded(to: 1e3))
      $0.appendJSONMember("speed", point.speed.rounded(to: 1e3))
      $0.appendJSONMember("height", point.height?.rounded(to: 1e3))
      $0.appendJSONMember("motion", text: point.motion.jsonText)
      switch point.link {
      case .follows: break
      case .begins: $0.appendJSONMember("begins", true)
      case .bridges(let gap): $0.appendJSONMember("gap") { appendGap(gap, to: &$0) }
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private static func appendGap(_ gap: TrackPoint.Gap, to bytes: inout [UInt8]) {
    bytes.appendJSONMember("duration", gap.duration.rounded(to: 1e3))
    bytes.appendJSONMember("geodesic", gap.geodesic.rounded(to: 1e3))
    bytes.appendJSONMember("counted", gap.counted.rounded(to: 1e3))
    bytes.appendJSONMember("uncertainty", gap.uncertainty.rounded(to: 1e3))
  }

  /// Appends the line of a tracker's update: a single member `update`.
  ///
  /// `distance` is the settled distance in metres, and `ahead` the provisional distance since then. `time` is the
  /// time of the last fix.
  package static func append(_ update: TrackUpdate, to bytes: inout [UInt8]) {
    bytes.appendJSONObject {
      $0.appendJSONMember("update") {
        $0.appendJSONMember("time", update.fix?.time)
        $0.appendJSONMember("phase", update.phase.rawValue)
        $0.appendJSONMember("signal", update.signal.rawValue)
        $0.appendJSONMember("motion", text: update.motion.jsonText)
        $0.appendJSONMember("speed", update.speed?.rounded(to: 1e3))
        $0.appendJSONMember("distance", update.totals.distance.rounded(to: 1e3))
        $0.appendJSONMember("uncertainty", update.totals.uncertainty.rounded(to: 1e3))
        $0.appendJSONMember("ahead", update.ahead.rounded(to: 1e3))
        $0.appendJSONMember("moving", update.totals.moving.rounded(to: 1e3))
        $0.appendJSONMember("settledTo", update.settledTo)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends the line of a track's totals, with `distance` and `uncertainty` beside `totals`.
  ///
  /// - Parameters:
  ///   - name: the name of the recording; `nil` for a live source.
  ///   - trip: the trip that records the track, if any. The totals then describe the whole trip, the
  ///     statistics this run.
  package static func append(
    _ summary: TrackSummary, of name: String?, trip: TripID? = nil, to bytes: inout [UInt8]
  ) {
    append(summary.totals, plain: summary.plain, to: &bytes) {
      $0.appendJSONMember("file", name)
      $0.appendJSONMember("trip", trip?.rawValue)
      $0.appendJSONMember("start", summary.statistics.first)
      $0.appendJSONMember("end", summary.statistics.last)
      $0.appendJSONMember("stops", summary.statistics.stops.count)
      if summary.lateFixes > 0 { $0.appendJSONMember("lateFixes", summary.lateFixes) }
      if summary.contradictsActivity { $0.appendJSONMember("fasterThan", summary.activity.rawValue) }
      $0.appendJSONMember("motion") { members in
        for motion in Motion.allCases {
          guard let share = summary.statistics.shares[motion] else { continue }
          members.appendJSONMember(motion.jsonText) {
            $0.appendJSONMember("time", share.seconds.rounded(to: 1e3))
            $0.appendJSONMember("distance", share.metres.rounded(to: 1e3))
          }
        }
      }
    }
  }

  /// Appends the line of the combined totals of several tracks.
  static func append(_ totals: TrackTotals, of count: Int, to bytes: inout [UInt8]) {
    append(totals, to: &bytes) { $0.appendJSONMember("files", count) }
  }

  private static func append(
    _ totals: TrackTotals, plain: PlainLength? = nil, to bytes: inout [UInt8],
    _ members: (inout [UInt8]) -> Void
  ) {
    bytes.appendJSONObject {
      $0.appendJSONMember("totals") {
        members(&$0)
        $0.appendJSONMember("untimed", plain?.share.untimed)
        $0.appendJSONMember("bridged", totals.bridged.rounded(to: 1e3))
        $0.appendJSONMember("gaps", totals.gaps)
        $0.appendJSONMember("segments", totals.segments)
        $0.appendJSONMember("elapsed", totals.elapsed.rounded(to: 1e3))
        $0.appendJSONMember("moving", totals.moving.rounded(to: 1e3))
        $0.appendJSONMember("average", totals.averageMovingSpeed?.rounded(to: 1e3))
        $0.appendJSONMember("fastest", totals.fastest.rounded(to: 1e3))
        $0.appendJSONMember("ascent", totals.ascent?.rounded(to: 1e3))
        $0.appendJSONMember("descent", totals.descent?.rounded(to: 1e3))
      }
      $0.appendJSONMember("distance", (plain?.metres(besides: totals) ?? totals.distance).rounded(to: 1e3))
      $0.appendJSONMember("uncertainty", plain == nil ? totals.uncertainty.rounded(to: 1e3) : nil)
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}

extension Motion {
  /// The JSON text of the value.
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
