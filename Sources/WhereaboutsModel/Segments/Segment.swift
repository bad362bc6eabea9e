package import WhereaboutsGeodesy

/// A part of a device's past: a visit, a journey or a gap.
///
/// Segments are in the order of time and never overlap. Together they cover the time from the first fix to the last.
package enum Segment: Hashable, Sendable {
  case visit(VisitSegment)
  case journey(JourneySegment)
  case gap(GapSegment)

  /// The identifier.
  package var id: SegmentID {
    switch self {
    case .visit(let visit): visit.id
    case .journey(let journey): journey.id
    case .gap(let gap): gap.id
    }
  }

  /// The start.
  package var start: UTCTime {
    switch self {
    case .visit(let visit): visit.arrival.time
    case .journey(let journey): journey.start.time
    case .gap(let gap): gap.start
    }
  }

  /// The end; that of the last fix where the segment continues.
  package var end: UTCTime {
    switch self {
    case .visit(let visit): visit.departure?.time ?? visit.lastFix
    case .journey(let journey): journey.end.time
    case .gap(let gap): gap.end
    }
  }
}

/// A visit as a segment of the past: a stay at one place.
package struct VisitSegment: Hashable, Sendable {
  /// The identifier.
  package var id: SegmentID
  /// The middle of the fixes of the visit, weighted by their accuracy. Degrees, WGS 84.
  package var coordinate: Coordinate
  /// The radius around ``coordinate`` in metres at 68 %.
  package var accuracy: Double
  /// The arrival. Without a fix before, `earliest` is `nil`: the device may have been there before.
  package var arrival: EstimatedTime
  /// The departure; `nil` while the visit continues.
  package var departure: EstimatedTime?
  /// The time of the last fix at the place.
  package var lastFix: UTCTime
  /// The number of fixes at the place.
  package var fixes: Int
  /// The silences within the visit, longer than `SegmenterSettings/gap`: the device was at the place before and
  /// after.
  package var gaps: [Range<UTCTime>]

  /// Creates a visit.
  package init(
    id: SegmentID, coordinate: Coordinate, accuracy: Double, arrival: EstimatedTime,
    departure: EstimatedTime?, lastFix: UTCTime, fixes: Int, gaps: [Range<UTCTime>]
  ) {
    self.id = id
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.arrival = arrival
    self.departure = departure
    self.lastFix = lastFix
    self.fixes = fixes
    self.gaps = gaps
  }

  /// The time from the arrival to the departure, or to the last fix, in seconds.
  package var duration: Double { (departure?.time ?? lastFix).seconds(since: arrival.time) }
}

/// A journey: the movement between two visits, or between a visit and a gap.
package struct JourneySegment: Hashable, Sendable {
  /// The identifier.
  package var id: SegmentID
  /// The start: the departure from the visit before.
  package var start: EstimatedTime
  /// The end: the arrival at the next visit, or the last fix.
  package var end: EstimatedTime
  /// Whether the device still moves.
  package var isOpen: Bool
  /// The distance travelled, in metres.
  package var distance: Double
  /// One standard deviation of ``distance``, in metres.
  package var uncertainty: Double
  /// The stretches by mode of transport, in order; at least one. Their distances add up to ``distance``.
  package var legs: [JourneyLeg]
  /// The way, thinned: places in order of time.
  package var path: [JourneyPoint]

  /// Creates a journey.
  package init(
    id: SegmentID, start: EstimatedTime, end: EstimatedTime, isOpen: Bool, distance: Double,
    uncertainty: Double, legs: [JourneyLeg], path: [JourneyPoint]
  ) {
    self.id = id
    self.start = start
    self.end = end
    self.isOpen = isOpen
    self.distance = distance
    self.uncertainty = uncertainty
    self.legs = legs
    self.path = path
  }
}

/// A point of a journey.
package struct JourneyPoint: Hashable, Sendable {
  /// The time of the point.
  package var time: UTCTime
  /// The estimated place at the time.
  package var coordinate: Coordinate

  /// Creates a point.
  package init(time: UTCTime, coordinate: Coordinate) {
    self.time = time
    self.coordinate = coordinate
  }
}

/// A stretch of a journey by one mode of transport.
package struct JourneyLeg: Hashable, Sendable {
  /// The mode.
  package var mode: TransportMode
  /// The start.
  package var start: UTCTime
  /// The end.
  package var end: UTCTime
  /// The distance travelled, in metres.
  package var distance: Double

  /// Creates a leg.
  package init(mode: TransportMode, start: UTCTime, end: UTCTime, distance: Double) {
    self.mode = mode
    self.start = start
    self.end = end
    self.distance = distance
  }
}

/// A gap: a silence of which nothing is known.
package struct GapSegment: Hashable, Sendable {
  /// The identifier.
  package var id: SegmentID
  /// The time of the last fix before.
  package var start: UTCTime
  /// The time of the first fix after.
  package var end: UTCTime
  /// The geodesic between the two fixes, in metres.
  package var distance: Double
  /// The sum of the accuracies of the two fixes, in metres at 68 %.
  package var accuracy: Double

  /// Whether both fixes may be of one place, by their accuracies.
  package var isAtOnePlace: Bool { distance <= accuracy }

  /// Creates a gap.
  package init(id: SegmentID, start: UTCTime, end: UTCTime, distance: Double, accuracy: Double) {
    self.id = id
    self.start = start
    self.end = end
    self.distance = distance
    self.accuracy = accuracy
  }
}
