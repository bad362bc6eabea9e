import WhereaboutsCore

/// What a trip amounts to that was gone on with, for people: the whole of it first, then what came in this run.
enum GoneOnText {
  static func lines(_ way: Way, of trip: KeptTrip) -> [String] {
    let totals = way.totals
    let before = trip.before?.totals ?? TrackTotals()
    let bridged = totals.bridged > 0 ? ", \(Quantities.length(totals.bridged)) of it over gaps" : ""
    var entries = [("Trip", trip.id.rawValue)]
    if let began = trip.before?.began { entries.append(("Began", "\(began.dateText) \(began.clockText)")) }
    entries.append(("Distance", "\(WayText.distance(totals.distance, totals.uncertainty))\(bridged)"))
    entries.append(("", "\(Quantities.length(max(0, totals.distance - before.distance))) of it in this run"))
    let rest = WayText(way: way).entries.filter { $0.label != "Distance" }
    return entries.map { "\($0.0.padded(to: 10))\($0.1)".onOneLine }
      + rest.flatMap { label, text in
        text.split(separator: "\n").enumerated().map { index, line in
          "\((index == 0 ? label : "").padded(to: 10))\(line)"
        }
      }
  }
}
