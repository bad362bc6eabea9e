package import WhereaboutsModel

/// The summary of a resumed trip as text: the whole trip first, then this run.
package enum ResumedTripText {
  /// Returns the lines of the summary.
  ///
  /// - Parameter previous: the trip before this run; `nil` for a new trip.
  package static func lines(_ summary: TrackSummary, of trip: TripID, after previous: Trip?) -> [String] {
    let totals = summary.totals
    let before = previous?.totals ?? TrackTotals()
    let bridged = totals.bridged > 0 ? ", \(Quantities.length(totals.bridged)) of it over gaps" : ""
    var entries = [("Trip", trip.rawValue)]
    if let began = previous?.began { entries.append(("Began", "\(began.dateText) \(began.clockText)")) }
    entries.append(
      ("Distance", "\(TrackSummaryText.distance(totals.distance, totals.uncertainty))\(bridged)"))
    entries.append(("", "\(Quantities.length(max(0, totals.distance - before.distance))) of it in this run"))
    let rest = TrackSummaryText(track: summary).entries.filter { $0.label != "Distance" }
    return entries.map { "\($0.0.padded(to: 10))\($0.1)".sanitizedToOneLine }
      + rest.flatMap { label, text in
        text.split(separator: "\n").enumerated().map { index, line in
          "\((index == 0 ? label : "").padded(to: 10))\(line)"
        }
      }
  }
}
