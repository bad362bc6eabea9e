package import WhereaboutsModel

/// The summary of a resumed trip as text: the whole trip first, then this run.
package enum ResumedTripText {
  /// Returns the lines of the summary.
  ///
  /// - Parameter previous: the trip before this run; `nil` for a new trip.
  package static func lines(_ summary: TrackSummary, of trip: TripID, after previous: Trip?) -> [String] {
    let totals = summary.totals
    // The provisional distance of the run before is settled in this run, but was not travelled in it.
    let before = (previous?.totals.distance ?? 0) + (previous?.ahead ?? 0)
    let bridged = totals.bridged > 0 ? ", \(Quantities.length(totals.bridged)) of it over gaps" : ""
    var entries = [("Trip", trip.rawValue)]
    if let began = previous?.began { entries.append(("Began", "\(began.dateText) \(began.clockText)")) }
    entries.append(
      ("Distance", "\(TrackSummaryText.distance(totals.distance, totals.uncertainty))\(bridged)"))
    entries.append(("", "\(Quantities.length(max(0, totals.distance - before))) of it in this run"))
    let rest = TrackSummaryText(track: summary).entries.filter { $0.label != "Distance" }
    return entries.map { "\($0.0.padded(to: 10))\($0.1)".sanitizedToOneLine }
      + rest.flatMap { label, text in
        text.split(separator: "\n").enumerated().map { index, line in
          "\((index == 0 ? label : "").padded(to: 10))\(line)"
        }
      }
  }
}
