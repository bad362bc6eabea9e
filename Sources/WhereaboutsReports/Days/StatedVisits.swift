import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsModel

/// The visits that recordings state, beside the segments that were found from fixes.
struct StatedVisits: Sendable {
  /// The distance within which a stated visit and a visit from fixes may be at one place, in metres. A recording states
  /// the entry of a place in a map, which may be far from the doors.
  private static let reach = 300.0
  /// The seconds from the arrival in which the instant of an identifier is chosen.
  private static let idWindow: Int64 = 299

  /// The visits of the outermost level, in the order of arrival; of those that arrive at once, the most certain first.
  private let visits: [RecordedVisit]

  init(_ visits: [RecordedVisit]) {
    self.visits = visits.filter { $0.level == 0 && $0.arrival < $0.departure }.sorted { first, second in
      if first.arrival != second.arrival { return first.arrival < second.arrival }
      if first.isConfirmed != second.isConfirmed { return first.isConfirmed }
      return (first.probability ?? 0, first.departure) > (second.probability ?? 0, second.departure)
    }
  }

  // MARK: Visits without fixes

  /// Returns the visits of whose time the fixes show less than half, as segments in the order of arrival.
  ///
  /// A visit that another recording, or another entry of the same one, states again is left out.
  ///
  /// - Parameter segments: the segments from fixes, in the order of time.
  func unseen(beside segments: [Segment]) -> [(segment: VisitSegment, visit: RecordedVisit)] {
    var unseen: [(segment: VisitSegment, visit: RecordedVisit)] = []
    var ids = Set(segments.map(\.id))
    var first = 0, statedUntil: UTCTime?
    for visit in visits {
      while first < segments.count, segments[first].end <= visit.arrival { first += 1 }
      let span = visit.arrival..<visit.departure, half = Self.seconds(span) / 2
      var seen = 0.0
      for segment in segments[first...] {
        guard segment.start < visit.departure else { break }
        seen += Self.seconds(of: segment, showing: visit)
      }
      let again = statedUntil.map { Self.seconds(span, in: visit.arrival, $0) } ?? 0
      guard seen < half, again < half, let segment = Self.segment(of: visit, besides: &ids) else { continue }
      statedUntil = max(statedUntil ?? visit.departure, visit.departure)
      unseen.append((segment, visit))
    }
    return unseen
  }

  /// Returns the seconds of a visit of which a segment shows where the device was: all of a visit that fixes show, too,
  /// and none of the silences within a visit elsewhere.
  private static func seconds(of segment: Segment, showing visit: RecordedVisit) -> Double {
    let span = visit.arrival..<visit.departure
    let whole = seconds(span, in: segment.start, segment.end)
    switch segment {
    case .gap: return 0
    case .journey: return whole
    case .visit(let found):
      guard isNear(visit, found) else {
        return found.gaps.reduce(whole) { $0 - seconds(span, in: $1.lowerBound, $1.upperBound) }
      }
      // The fixes show the same stay, perhaps with another end.
      let shorter = min(seconds(span), segment.end.seconds(since: segment.start))
      return whole >= shorter / 2 ? seconds(span) : whole
    }
  }

  private static func segment(of visit: RecordedVisit, besides ids: inout Set<SegmentID>) -> VisitSegment? {
    let length = Int64(seconds(visit.arrival..<visit.departure))
    // Another visit may begin at almost the same time.
    var id = SegmentID(.visit, startingAt: visit.arrival, window: min(idWindow, length))
    if ids.contains(id) { id = SegmentID(.visit, startingAt: visit.arrival, window: 0) }
    guard !ids.contains(id) else { return nil }
    ids.insert(id)
    return VisitSegment(
      id: id, coordinate: visit.coordinate, accuracy: Place.standardRadius,
      arrival: EstimatedTime(time: visit.arrival, uncertainty: 0),
      departure: EstimatedTime(time: visit.departure, uncertainty: 0), lastFix: visit.departure, fixes: 0,
      gaps: [])
  }

  // MARK: Names

  /// Returns the most frequent stated name of each place.
  ///
  /// - Parameters:
  ///   - segments: all segments, in the order of their starts.
  ///   - places: the identifiers of the places of visits.
  func names(of segments: [Segment], at places: [SegmentID: String]) -> [String: String] {
    var counts: [String: [String: Int]] = [:]
    var first = 0
    for case .visit(let found) in segments {
      guard let place = places[found.id] else { continue }
      let start = found.arrival.time, end = found.departure?.time ?? found.lastFix
      while first < visits.count, visits[first].departure <= start { first += 1 }
      for visit in visits[first...] {
        guard visit.arrival < end else { break }
        guard visit.departure > start, let name = visit.shownName, Self.isNear(visit, found) else { continue }
        counts[place, default: [:]][name, default: 0] += 1
      }
    }
    return counts.compactMapValues { names in
      names.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
    }
  }

  private static func isNear(_ visit: RecordedVisit, _ found: VisitSegment) -> Bool {
    visit.coordinate.distance(to: found.coordinate, within: 0.1) <= reach
  }

  private static func seconds(_ span: Range<UTCTime>) -> Double {
    span.upperBound.seconds(since: span.lowerBound)
  }

  /// Returns the length that a span and another one have in common.
  private static func seconds(_ span: Range<UTCTime>, in start: UTCTime, _ end: UTCTime) -> Double {
    max(0, min(span.upperBound, end).seconds(since: max(span.lowerBound, start)))
  }
}

extension RecordedVisit {
  /// The name of the place, or that of its kind if the kind says whose place it is; `nil` if neither is stated.
  fileprivate var shownName: String? {
    if let name, name.contains(where: { !$0.isWhitespace }) { return name }
    // TYPE_HOME, HOME, INFERRED_HOME, Inferred Home.
    switch kind?.uppercased().split(whereSeparator: { $0 == "_" || $0 == " " }).last.map(String.init) {
    case "HOME": return "Home"
    case "WORK": return "Work"
    default: return nil
    }
  }
}
