import WhereaboutsFormats
package import WhereaboutsModel
import WhereaboutsGeodesy

/// Days, visits and places as JSON. Absent values are omitted.
///
/// A day is `day`, `zone` (`stated` for the offsets of recordings), `from` and `to` (RFC 3339, UTC), and `segments`: whole, also where they reach beyond the
/// day.
///
/// | key of a segment | type, unit | meaning |
/// | --- | --- | --- |
/// | `type` | text | `visit`, `journey` or `gap` |
/// | `id` | text | identifier |
/// | `start`, `end` | RFC 3339, local with offset | start and end; no `end` where the segment continues |
/// | `startUncertainty`, `endUncertainty` | s at 68 % | of a visit and a journey |
/// | `startNotBefore`, `startNotAfter`, `endNotBefore`, `endNotAfter` | RFC 3339, UTC | bounds, by the fixes around |
/// | `lat`, `lon`, `hacc` | degrees, m at 68 % | the place of a visit |
/// | `place`, `name` | text | the identifier and the name of a visit's place |
/// | `proposedName` | text | the name that recordings state for a place without a name |
/// | `stated` | `true` | a recording states the visit, and fixes do not show it |
/// | `statedName`, `kind` | text | the name and the kind of a stated visit's place, in the words of the recording |
/// | `probability`, `confirmed` | 0 to 1, `true` | of a stated visit's place |
/// | `fixes` | count | fixes of a visit |
/// | `gaps` | list of `from`, `to` | silences within a visit |
/// | `distance`, `uncertainty` | m, m at 68 % | of a journey; `distance` of a gap is that between its ends |
/// | `legs` | list | stretches of a journey: `mode`, `start`, `end`, `distance`; the distances add up to that of the journey |
///
/// A change of a segment is `change` (``WhereaboutsModel/SegmentChange/Kind``), `id`, and `segment` unless it is
/// withdrawn.
package enum DaysJSON {
  /// Appends a day's line.
  package static func append(_ day: DaysReport.Day, of report: DaysReport, to bytes: inout [UInt8]) {
    bytes += object(day, of: report).bytes
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Returns a day as an object.
  package static func object(_ day: DaysReport.Day, of report: DaysReport) -> JSONObject {
    var object = JSONObject()
    object.add("day", DayCalendar.date(of: day.number))
    object.add("zone", report.calendar.zone.name)
    object.add("from", day.span.lowerBound.iso8601)
    object.add("to", day.span.upperBound.iso8601)
    object.add("segments", day.segments.map { segment($0, of: report) })
    return object
  }

  /// Returns a change of a segment as an object.
  ///
  /// - Parameter device: the device, where it is to be named.
  package static func object(
    _ change: SegmentChange, calendar: DayCalendar, device: DeviceID? = nil
  ) -> JSONObject {
    var object = JSONObject()
    object.add("device", device?.rawValue)
    object.add("change", change.kind.rawValue)
    object.add("id", change.id.description)
    object.add("segment", change.segment.map { self.segment($0, change.place, calendar) })
    return object
  }

  /// Appends a line for each visit.
  package static func appendVisits(_ report: DaysReport, to bytes: inout [UInt8]) {
    for segment in report.segments {
      guard case .visit = segment else { continue }
      bytes += self.segment(segment, of: report).bytes
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  /// Appends a place's line.
  package static func append(_ visited: VisitedPlace, to bytes: inout [UInt8]) {
    bytes += object(visited).bytes
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Returns a place as an object.
  package static func object(_ visited: VisitedPlace) -> JSONObject {
    var object = JSONObject()
    object.add("place", visited.place.id)
    object.add("name", visited.place.name)
    object.add("proposedName", visited.proposedName)
    object.add("lat", visited.place.coordinate.latitude.rounded(to: 1e7))
    object.add("lon", visited.place.coordinate.longitude.rounded(to: 1e7))
    object.add("radius", visited.place.radius)
    object.add("visits", visited.visits)
    object.add("duration", visited.duration.rounded(to: 1e3))
    object.add("first", visited.first?.iso8601)
    object.add("last", visited.last?.iso8601)
    return object
  }

  private static func segment(_ segment: Segment, of report: DaysReport) -> JSONObject {
    let place = report.places[segment.id]
    if case .visit(let visit) = segment, let stated = report.statedVisits[visit.id] {
      return self.visit(visit, stated, place, report)
    }
    let proposedName = place.flatMap(report.proposedName(of:))
    return self.segment(segment, place, report.calendar, proposedName: proposedName)
  }

  /// Returns a visit that a recording states.
  private static func visit(
    _ visit: VisitSegment, _ stated: RecordedVisit, _ place: Place?, _ report: DaysReport
  ) -> JSONObject {
    var object = JSONObject()
    object.add("type", "visit")
    object.add("id", visit.id.description)
    object.add("start", report.calendar.localTime(stated.arrival))
    object.add("end", report.calendar.localTime(stated.departure))
    object.add("lat", visit.coordinate.latitude.rounded(to: 1e7))
    object.add("lon", visit.coordinate.longitude.rounded(to: 1e7))
    object.add("place", place?.id)
    object.add("name", place?.name)
    object.add("proposedName", place.flatMap(report.proposedName(of:)))
    object.add("stated", true as Bool?)
    object.add("statedName", stated.name)
    object.add("kind", stated.kind)
    object.add("probability", stated.probability)
    object.add("confirmed", (stated.isConfirmed ? true : nil) as Bool?)
    return object
  }

  private static func segment(
    _ segment: Segment, _ place: Place?, _ calendar: DayCalendar, proposedName: String? = nil
  ) -> JSONObject {
    var object = JSONObject()
    switch segment {
    case .visit(let visit):
      object.add("type", "visit")
      object.add("id", visit.id.description)
      add("start", visit.arrival, calendar, to: &object)
      if let departure = visit.departure { add("end", departure, calendar, to: &object) }
      object.add("lastFix", visit.departure == nil ? visit.lastFix.iso8601 : nil)
      object.add("lat", visit.coordinate.latitude.rounded(to: 1e7))
      object.add("lon", visit.coordinate.longitude.rounded(to: 1e7))
      object.add("hacc", visit.accuracy.rounded(to: 1e3))
      object.add("place", place?.id)
      object.add("name", place?.name)
      object.add("proposedName", proposedName)
      object.add("fixes", visit.fixes)
      if !visit.gaps.isEmpty { object.add("gaps", visit.gaps.map(span)) }
    case .journey(let journey):
      object.add("type", "journey")
      object.add("id", journey.id.description)
      add("start", journey.start, calendar, to: &object)
      if !journey.isOpen { add("end", journey.end, calendar, to: &object) }
      object.add("lastFix", journey.isOpen ? journey.end.time.iso8601 : nil)
      object.add("distance", journey.distance.rounded(to: 10))
      object.add("uncertainty", journey.uncertainty.rounded(to: 10))
      object.add("legs", journey.legs.map { leg($0, calendar) })
    case .gap(let gap):
      object.add("type", "gap")
      object.add("id", gap.id.description)
      object.add("start", calendar.localTime(gap.start))
      object.add("end", calendar.localTime(gap.end))
      object.add("distance", gap.distance.rounded(to: 10))
    }
    return object
  }

  private static func add(
    _ key: String, _ time: EstimatedTime, _ calendar: DayCalendar, to object: inout JSONObject
  ) {
    object.add(key, calendar.localTime(time.time))
    object.add("\(key)Uncertainty", time.uncertainty.rounded(to: 10))
    object.add("\(key)NotBefore", time.earliest?.iso8601)
    object.add("\(key)NotAfter", time.latest?.iso8601)
  }

  private static func leg(_ leg: JourneyLeg, _ calendar: DayCalendar) -> JSONObject {
    var object = JSONObject()
    object.add("mode", leg.mode.rawValue)
    object.add("start", calendar.localTime(leg.start))
    object.add("end", calendar.localTime(leg.end))
    object.add("distance", leg.distance.rounded(to: 10))
    return object
  }

  private static func span(_ span: Range<UTCTime>) -> JSONObject {
    var object = JSONObject()
    object.add("from", span.lowerBound.iso8601)
    object.add("to", span.upperBound.iso8601)
    return object
  }
}
