import WhereaboutsModel

/// The summary of a resumed trip as text: the whole trip first, then this run.
enum ResumedTripText {
  static func lines(_ way: TrackSummary, of trip: TrackedTrip) -> [String] {
    let totals = way.totals
    let before = trip.previous?.totals ?? TrackTotals()
    let bridged = totals.bridged > 0 ? ", \(Quantities.length(totals.bridged)) of it over gaps" : ""
    var entries = [("Trip", trip.id.rawValue)]
    if let began = trip.previous?.began { entries.append(("Began", "\(began.dateText) \(began.clockText)")) }
    entries.append(
      ("Distance", "\(TrackSummaryText.distance(totals.distance, totals.uncertainty))\(bridged)"))
    entries.append(("", "\(Quantities.length(max(0, totals.distance - before.distance))) of it in this run"))
    let rest = TrackSummaryText(track: way).entries.filter { $0.label != "Distance" }
    return entries.map { "\($0.0.padded(to: 10))\($0.1)".sanitizedToOneLine }
      + rest.flatMap { label, text in
        text.split(separator: "\n").enumerated().map { index, line in
          "\((index == 0 ? label : "").padded(to: 10))\(line)"
        }
      }
  }
}
