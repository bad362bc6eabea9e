import Whereabouts
package import WhereaboutsModel
import WhereaboutsFormats

/// Trips and the gaps of a trip as JSON lines. Absent values are omitted.
///
/// | key of a trip | unit | meaning |
/// | --- | --- | --- |
/// | `trip` | text | its name |
/// | `began`, `settledTo`, `ended` | RFC 3339 | time of the first fix; end of the settled part; end of the trip |
/// | `open` | flag | whether the trip can be resumed |
/// | `distance`, `uncertainty` | m | distance, and its standard deviation |
/// | `ahead` | m | provisional distance after `settledTo` that would be added if the trip ended now; absent if there is none |
/// | `bridged`, `gaps`, `segments` | m, count | as in the totals of `track` |
/// | `elapsed`, `moving` | s | duration of the segments, and the moving part |
/// | `average`, `fastest` | m/s | average while moving without gaps, and greatest speed |
/// | `ascent`, `descent` | m | noise removed |
/// | `lateFixes`, `duplicates` | count | fixes that were too late to count, and fixes with a duplicate time |
///
/// A gap has `trip`, and `gap` with `end` (RFC 3339), `duration` (s), `geodesic`, `counted` and `uncertainty` (m).
/// Interruptions between the segments are gaps too, with `counted` and `uncertainty` 0; `gaps` of the trip does not
/// count them.
package enum TripJSON {
  /// Appends a trip's line.
  package static func append(_ trip: Trip, to bytes: inout [UInt8]) {
    let totals = trip.totals
    var object = JSONObject()
    object.add("trip", trip.id.rawValue)
    object.add("began", trip.began?.iso8601)
    object.add("settledTo", trip.settledTo?.iso8601)
    object.add("ended", trip.ended?.iso8601)
    object.add("open", trip.ended == nil)
    object.add("distance", totals.distance.rounded(to: 1e3))
    object.add("uncertainty", totals.uncertainty.rounded(to: 1e3))
    if let ahead = trip.ahead?.rounded(to: 1e3), ahead > 0 { object.add("ahead", ahead) }
    object.add("bridged", totals.bridged.rounded(to: 1e3))
    object.add("gaps", totals.gaps)
    object.add("segments", totals.segments)
    object.add("elapsed", totals.elapsed.rounded(to: 1e3))
    object.add("moving", totals.moving.rounded(to: 1e3))
    object.add("average", totals.averageMovingSpeed?.rounded(to: 1e3))
    object.add("fastest", totals.fastest.rounded(to: 1e3))
    object.add("ascent", totals.ascent?.rounded(to: 1e3))
    object.add("descent", totals.descent?.rounded(to: 1e3))
    if trip.lateFixes > 0 { object.add("lateFixes", trip.lateFixes) }
    if trip.duplicates > 0 { object.add("duplicates", trip.duplicates) }
    bytes += object.bytes
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends a gap's line.
  package static func append(_ gap: Trip.Gap, to bytes: inout [UInt8]) {
    var members = JSONObject()
    members.add("end", gap.end.iso8601)
    members.add("duration", gap.gap.duration.rounded(to: 1e3))
    members.add("geodesic", gap.gap.geodesic.rounded(to: 1e3))
    members.add("counted", gap.gap.counted.rounded(to: 1e3))
    members.add("uncertainty", gap.gap.uncertainty.rounded(to: 1e3))
    var object = JSONObject()
    object.add("trip", gap.trip.rawValue)
    object.add("gap", members)
    bytes += object.bytes
    bytes.append(UInt8(ascii: "\n"))
  }
}
