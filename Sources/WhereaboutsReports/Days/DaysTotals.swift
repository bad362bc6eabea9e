package import WhereaboutsModel

/// The totals of the journeys and visits of months or years.
///
/// A journey or a visit counts once, in the period of the first reported day that it touches.
package struct DaysTotals: Sendable {
  /// The length of a period.
  package enum Period: String, Sendable { case month, year }

  /// The totals of one period.
  package struct Total: Sendable {
    /// The period: `2024-05` or `2024`.
    package let period: String
    /// The number of days with a journey or a visit.
    package fileprivate(set) var days = 0
    package fileprivate(set) var journeys = 0
    /// The distance of all journeys, in metres.
    package fileprivate(set) var distance = 0.0
    /// The distance of each mode of transport, in metres.
    package fileprivate(set) var modes: [TransportMode: Double] = [:]
    package fileprivate(set) var visits = 0
    fileprivate var variance = 0.0
    fileprivate var placeIDs: Set<String> = []

    /// One standard deviation of ``distance``, in metres: the errors of journeys are independent.
    package var uncertainty: Double { variance.squareRoot() }
    /// The number of different places of the visits.
    package var places: Int { placeIDs.count }

    fileprivate init(_ period: String) { self.period = period }

    fileprivate mutating func add(_ segment: Segment, at place: Place?) {
      switch segment {
      case .visit:
        visits += 1
        if let place { placeIDs.insert(place.id) }
      case .journey(let journey):
        journeys += 1
        distance += journey.distance
        variance += journey.uncertainty * journey.uncertainty
        for leg in journey.legs { modes[leg.mode, default: 0] += leg.distance }
      case .gap: break
      }
    }
  }

  /// The totals, in the order of time; a period without a journey and a visit is left out.
  package private(set) var totals: [Total] = []

  /// Creates the totals of a report's days.
  package init(_ report: DaysReport, by period: Period) {
    var known = Set<SegmentID>()
    for day in report.days {
      let segments = day.segments.filter { if case .gap = $0 { false } else { true } }
      guard !segments.isEmpty else { continue }
      let name = String(DayCalendar.date(of: day.number).prefix(period == .month ? 7 : 4))
      if totals.last?.period != name { totals.append(Total(name)) }
      let last = totals.count - 1
      totals[last].days += 1
      for segment in segments where known.insert(segment.id).inserted {
        totals[last].add(segment, at: report.places[segment.id])
      }
    }
  }

  /// Appends a line for each period.
  ///
  /// - Parameter json: whether a line is a JSON object with `period`, `days`, `journeys`, `distance` and `uncertainty`
  ///   in metres, `modes` (each with its `distance`), `visits` and `places`.
  package func append(json: Bool, to bytes: inout [UInt8]) {
    if json {
      for total in totals {
        bytes += total.object.bytes
        bytes.append(UInt8(ascii: "\n"))
      }
    } else {
      for line in TextTable.lines(totals.map(\.row), numbers: [1, 2, 3, 5]) { bytes.appendText("\(line)\n") }
    }
  }
}

extension DaysTotals.Total {
  private var modesByDistance: [(mode: TransportMode, distance: Double)] {
    TransportMode.allCases.compactMap { mode in modes[mode].map { (mode: mode, distance: $0) } }.sorted {
      $0.distance > $1.distance
    }
  }

  fileprivate var row: [String] {
    let distances = modesByDistance.map {
      "\($0.mode == .unknown ? "mode unknown" : $0.mode.rawValue) \(Quantities.length($0.distance))"
    }
    return [
      period, Quantities.count(days, "day"), Quantities.count(journeys, "journey"),
      "\(Quantities.length(distance)) ±\(Quantities.length(uncertainty))", distances.joined(separator: ", "),
      "\(Quantities.count(visits, "visit")) to \(Quantities.count(places, "place"))",
    ]
  }

  fileprivate var object: JSONObject {
    var object = JSONObject()
    object.add("period", period)
    object.add("days", days)
    object.add("journeys", journeys)
    object.add("distance", distance.rounded(to: 10))
    object.add("uncertainty", uncertainty.rounded(to: 10))
    object.add(
      "modes",
      modesByDistance.map { mode -> JSONObject in
        var object = JSONObject()
        object.add("mode", mode.mode.rawValue)
        object.add("distance", mode.distance.rounded(to: 10))
        return object
      })
    object.add("visits", visits)
    object.add("places", places)
    return object
  }
}
