import Whereabouts
package import WhereaboutsModel

/// Trips as text.
package enum TripText {
  /// Returns a row of the table.
  package static func row(_ trip: Trip) -> [String] {
    [
      trip.id.rawValue.sanitizedToOneLine, trip.began.map(moment) ?? "no fix yet",
      trip.settledTo == nil ? "" : "elapsed \(Quantities.duration(trip.totals.elapsed.rounded()))",
      TrackSummaryText.distance(trip.totals.distance, trip.totals.uncertainty),
      "moving \(Quantities.duration(trip.totals.moving.rounded()))", gaps(trip.totals),
      trip.ended == nil ? "open\(ahead(trip).map { ", \($0) ahead" } ?? "")" : "ended",
    ]
  }

  /// The right-aligned columns.
  package static let numbers: Set<Int> = [2, 3]

  /// Returns the details of one trip.
  ///
  /// - Parameter resumption: the command that resumes the trip while it is open.
  package static func lines(_ trip: Trip, gaps: [Trip.Gap], resumption: String) -> [String] {
    let totals = trip.totals
    var entries: [(String, String)] = [("Trip", trip.id.rawValue)]
    entries.append(("Began", trip.began.map(moment) ?? "no fix yet"))
    if let settled = trip.settledTo { entries.append(("Settled", "to \(moment(settled))")) }
    entries.append(("Ended", trip.ended.map(moment) ?? "not yet: `\(resumption)` resumes it"))
    let bridged = totals.bridged > 0 ? ", \(Quantities.length(totals.bridged)) of it over gaps" : ""
    entries.append(
      ("Distance", "\(TrackSummaryText.distance(totals.distance, totals.uncertainty))\(bridged)"))
    if let ahead = TrackSummaryText.ahead(trip.ahead ?? 0) { entries.append(("Ahead", ahead)) }
    entries.append(("Elapsed", Quantities.duration(totals.elapsed.rounded())))
    entries.append(("Moving", Quantities.duration(totals.moving.rounded())))
    if totals.fastest > 0 {
      let most = "at most \(Quantities.speed(totals.fastest))"
      let average = totals.averageMovingSpeed.map { "\(Quantities.speed($0)) while moving · " } ?? ""
      entries.append(("Speed", "\(average)\(most)"))
    }
    if let up = totals.ascent, let down = totals.descent {
      entries.append(("Climb", "\(up.fixed(0)) m up, \(down.fixed(0)) m down"))
    }
    if trip.lateFixes > 0 {
      entries.append(("Unused", "\(Quantities.count(trip.lateFixes, "fix", "fixes")) too late to count"))
    }
    for (index, gap) in gaps.enumerated() {
      let began = gap.end.advanced(by: .zero - .seconds(min(max(gap.gap.duration, 0), 9e9)))
      let length = Quantities.duration(gap.gap.duration.rounded())
      let text = "\(moment(began)) for \(length): \(TrackSummaryText.bridge(gap.gap))"
      entries.append((index == 0 ? "Gaps" : "", text))
    }
    return entries.map { "\($0.0.padded(to: 10))\($0.1)".sanitizedToOneLine }
  }

  private static func moment(_ time: UTCTime) -> String { "\(time.dateText) \(time.clockText) UTC" }

  /// Returns the provisional distance of an open trip; `nil` below a metre.
  private static func ahead(_ trip: Trip) -> String? {
    guard let ahead = trip.ahead, ahead >= 1 else { return nil }
    return Quantities.length(ahead)
  }

  /// Returns the numbers of gaps inside segments and of interruptions between segments: `2 gaps, 1 interruption`.
  private static func gaps(_ totals: TrackTotals) -> String {
    let gaps = totals.gaps == 0 ? nil : Quantities.count(totals.gaps, "gap")
    let interruptions = totals.segments < 2 ? nil : Quantities.count(totals.segments - 1, "interruption")
    return [gaps, interruptions].compactMap(\.self).joined(separator: ", ")
  }
}
