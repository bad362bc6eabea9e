package import WhereaboutsModel
import WhereaboutsGeodesy

/// Days, visits and places as text.
package enum DaysText {
  /// Returns the lines of a report: a heading for each day, and a line for each segment. Days that lie whole in one
  /// gap have one heading.
  package static func lines(_ report: DaysReport) -> [String] {
    let calendar = report.calendar
    var lines: [String] = []
    var rest = report.days[...]
    // The offset that was named last.
    var offset: Int?
    while let day = rest.popFirst() {
      if !lines.isEmpty { lines.append("") }
      let start = calendar.zone.offset(at: day.span.lowerBound)
      let isNew = calendar.namesOffsets && start != offset
      lines.append(heading(day) + (isNew ? ", \(DayCalendar.text(ofOffset: start))" : ""))
      offset = start
      if day.isSilent {
        let silent = rest.prefix(while: \.isSilent)
        if let last = silent.last { lines[lines.count - 1] += " to \(heading(last))" }
        rest = rest.dropFirst(silent.count)
      }
      let rows = day.segments.map { row($0, of: day, in: report, named: &offset) }
      lines += TextTable.lines(rows, numbers: [1, 3]).map { "  \($0)".sanitizedToOneLine }
    }
    return lines
  }

  private static func heading(_ day: DaysReport.Day) -> String {
    "\(DayCalendar.weekday(of: day.number)) \(DayCalendar.date(of: day.number))"
  }

  /// Returns the line of a change of a segment: `opened   2024-05-14 08:26–…      Home  5 min 12 s`. `nil` for a
  /// growth, which a person need not read.
  package static func line(_ change: SegmentChange, calendar: DayCalendar) -> String? {
    guard change.kind != .grown else { return nil }
    let kind = change.kind.rawValue.padded(to: 9)
    guard let segment = change.segment else { return "\(kind)  \(change.id)" }
    let clocks = calendar.clocks(segment.start, segment.isOpen ? nil : segment.end)
    let start = "\(calendar.localDate(segment.start)) \(clocks.start ?? "")"
    let end = clocks.end ?? "…    "
    let details: String
    switch segment {
    case .visit(let visit):
      let name = place(of: visit, change.place.map { $0.name ?? $0.id })
      details = "\(name)  \(duration(visit))"
    case .journey(let journey): details = "\(legs(of: journey))  \(distance(journey))"
    case .gap(let gap): details = text(of: gap)
    }
    return "\(kind)  \(start)–\(end)  \(details)".sanitizedToOneLine
  }

  private static func row(
    _ segment: Segment, of day: DaysReport.Day, in report: DaysReport, named offset: inout Int?
  ) -> [String] {
    let times = times(of: segment, day, report.calendar, named: &offset)
    switch segment {
    case .visit(let visit):
      return [times, uncertainty(visit, in: day), place(of: visit, in: report), duration(visit)]
    case .journey(let journey):
      return [times, "", legs(of: journey), distance(journey)]
    case .gap(let gap):
      return [times, "", text(of: gap), ""]
    }
  }

  /// Returns the start and the end, as far as they lie in a day: `08:26–…`.
  ///
  /// - Parameter offset: the offset that was named last; set to that of the end.
  private static func times(
    of segment: Segment, _ day: DaysReport.Day, _ calendar: DayCalendar, named offset: inout Int?
  ) -> String {
    func shown(_ time: UTCTime) -> UTCTime? {
      day.span.contains(time) || time == day.span.upperBound ? time : nil
    }
    let start = shown(segment.start), end = segment.isOpen ? nil : shown(segment.end)
    let clocks = calendar.clocks(start, end, named: offset)
    if let last = end ?? start { offset = calendar.zone.offset(at: last) }
    return "\(clocks.start ?? "…    ")–\(clocks.end ?? "…    ")"
  }

  private static func text(of gap: GapSegment) -> String {
    let length = Quantities.duration(gap.end.seconds(since: gap.start).rounded())
    let apart = gap.isAtOnePlace ? "at the same place" : "\(Quantities.length(gap.distance)) apart"
    return "gap: no fix for \(length), \(apart)"
  }

  /// Returns the greater uncertainty of both ends that the day holds: `±2 min`.
  private static func uncertainty(_ visit: VisitSegment, in day: DaysReport.Day) -> String {
    let ends = [visit.arrival, visit.departure].compactMap { $0 }.filter { day.span.contains($0.time) }
    guard let most = ends.map(\.uncertainty).max(), most > 0 else { return "" }
    return "±\(roundedDuration(most))"
  }

  private static func roundedDuration(_ seconds: Double) -> String {
    seconds < 90 ? "\(seconds.fixed(0)) s" : "\((seconds / 60).fixed(0)) min"
  }

  private static func place(of visit: VisitSegment, in report: DaysReport) -> String {
    let name = place(of: visit, report.places[visit.id].map(report.label(of:)))
    return report.statedVisits[visit.id] == nil ? name : "\(name) (stated)"
  }

  private static func place(of visit: VisitSegment, _ label: String?) -> String {
    let name = label ?? coordinate(visit.coordinate)
    guard !visit.gaps.isEmpty else { return name }
    let silent = visit.gaps.reduce(0) { $0 + $1.upperBound.seconds(since: $1.lowerBound) }
    return "\(name) (no fix for \(Quantities.duration(silent.rounded())) of it)"
  }

  private static func duration(_ visit: VisitSegment) -> String {
    Quantities.duration(visit.duration.rounded())
  }

  /// Returns the legs: `walking 1.20 km, rail 9.40 km`.
  private static func legs(of journey: JourneySegment) -> String {
    if journey.legs.count == 1, let leg = journey.legs.first { return name(of: leg.mode) }
    return journey.legs.map { "\(name(of: $0.mode)) \(Quantities.length($0.distance))" }
      .joined(separator: ", ")
  }

  private static func name(of mode: TransportMode) -> String {
    mode == .unknown ? "mode unknown" : mode.rawValue
  }

  private static func distance(_ journey: JourneySegment) -> String {
    "\(Quantities.length(journey.distance)) ±\(Quantities.length(journey.uncertainty))"
  }

  static func coordinate(_ coordinate: Coordinate) -> String {
    "\(coordinate.latitude.fixed(5)), \(coordinate.longitude.fixed(5))"
  }

  // MARK: Lists

  /// Returns a line for each visit: the arrival, the departure, the duration and the place.
  package static func visitLines(_ report: DaysReport) -> [String] {
    let calendar = report.calendar
    func moment(_ time: EstimatedTime, _ clock: String?) -> String {
      let day = calendar.localDate(time.time)
      let error = time.uncertainty > 0 ? " ±\(roundedDuration(time.uncertainty))" : ""
      return "\(day) \(clock ?? "")\(error)"
    }
    var rows: [[String]] = []
    // The offset that was named last.
    var offset: Int?
    for case .visit(let visit) in report.segments {
      let clocks = calendar.clocks(visit.arrival.time, visit.departure?.time, named: offset)
      offset = calendar.zone.offset(at: visit.departure?.time ?? visit.arrival.time)
      let isStated = report.statedVisits[visit.id] != nil
      rows.append([
        visit.id.description, moment(visit.arrival, clocks.start),
        visit.departure.map { moment($0, clocks.end) } ?? "still there",
        duration(visit), place(of: visit, in: report),
        coordinate(visit.coordinate) + (isStated ? "" : " ±\(Quantities.accuracy(visit.accuracy))"),
      ])
    }
    return TextTable.lines(rows, numbers: [3]).map(\.sanitizedToOneLine)
  }

  /// Returns a line for each place: identifier, name, visits, time, last visit and coordinate.
  package static func placeLines(_ places: [VisitedPlace], calendar: DayCalendar) -> [String] {
    let rows = places.map { visited in
      [
        visited.place.id, visited.place.name ?? visited.proposedName.map { "\($0)?" } ?? "",
        Quantities.count(visited.visits, "visit"),
        Quantities.duration(visited.duration.rounded()),
        visited.last.map { "last \(calendar.localDate($0))" } ?? "",
        coordinate(visited.place.coordinate),
      ]
    }
    return TextTable.lines(rows, numbers: [2, 3]).map(\.sanitizedToOneLine)
  }
}
