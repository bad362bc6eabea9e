import WhereaboutsModel
import WhereaboutsGeodesy

/// Makes segments out of stays and of the samples between them.
///
/// The last visit is held until the next segment is known, since its departure and the next arrival limit each other.
struct SegmentBuilder: Sendable {
  private let settings: SegmenterSettings
  private var segments: [Segment] = []
  /// The samples since the last visit or gap.
  private var trail = SampleTrail()
  private var held: VisitSegment?
  /// The end of the segment before the trail.
  private var previous: EstimatedTime?
  /// The place of the visit before the trail.
  private var previousCenter: SIMD3<Double>?

  init(_ settings: SegmenterSettings) { self.settings = settings }

  private var idWindow: Int64 { Int64(settings.minimumStay) - 1 }

  mutating func drain() -> [Segment] {
    defer { segments.removeAll() }
    return segments
  }

  mutating func addToJourney(_ sample: MotionSample) { trail.append(sample) }

  // MARK: Visits

  private static let approach = 48

  /// Returns the arrival at a stay.
  func arrival(of stay: StayCandidate) -> StayBoundary {
    let way = trail.samples.suffix(Self.approach)
    let first = EstimatedTime(time: stay.first.time, uncertainty: 0, latest: stay.first.time)
    let reach = stay.reach(radius: settings.radius)
    guard
      var found = StayBoundary.arrival(
        Array(way + stay.early.samples.prefix(Self.approach)), before: way.count, center: stay.center,
        reach: reach, radius: settings.radius)
    else { return StayBoundary(estimate: first, inside: 0, isOpen: true) }
    found.inside += max(0, trail.samples.count - Self.approach)
    return found
  }

  /// Adds a visit that has ended.
  mutating func addVisit(_ stay: StayCandidate, departure: StayBoundary, leaving: [MotionSample]) {
    var visit = arrive(at: stay)
    if departure.estimate.time < visit.arrival.time { visit.arrival.time = departure.estimate.time }
    visit.departure = departure.estimate
    if !departure.isOpen, let next = departure.estimate.latest,
      next.seconds(since: stay.last.time) > settings.gapSeconds
    {
      visit.gaps.append(stay.last.time..<max(stay.last.time, departure.estimate.time))
    }
    held = visit
    previous = departure.estimate
    previousCenter = stay.center
    trail.removeAll()
    if departure.inside < stay.late.count, departure.inside >= 0 {
      for sample in stay.late[departure.inside...] { trail.append(sample) }
    }
    if departure.isOpen, let latest = departure.estimate.latest, let last = stay.late.last,
      let next = leaving.first(where: { $0.time >= latest })
    {
      addGap(from: last, to: next)
    }
  }

  /// Ends the journey to a stay.
  private mutating func arrive(at stay: StayCandidate) -> VisitSegment {
    let found = arrival(of: stay)
    var arrival = found.estimate
    let all = trail.samples + stay.early.samples
    limit(&arrival, to: stay)
    if previous == nil, found.isOpen { trail.removeAll() }
    addJourney(Array(all.prefix(found.inside + 1)), until: arrival, isOpen: false, at: stay.center)
    flushHeld()
    return VisitSegment(
      id: SegmentID(.visit, startingAt: arrival.time, window: idWindow),
      coordinate: EarthCentred.coordinate(of: stay.center) ?? Coordinate.zero,
      accuracy: stay.accuracy, arrival: arrival, departure: nil, lastFix: stay.last.time, fixes: stay.count,
      gaps: stay.gaps)
  }

  /// Limits an arrival to times after the departure before it. If no sample lies between them, both are estimated from
  /// the duration of the way.
  private mutating func limit(_ arrival: inout EstimatedTime, to stay: StayCandidate) {
    guard let before = previous else { return }
    if let center = previousCenter, let earliest = before.earliest, let latest = arrival.latest,
      arrival.earliest == earliest, before.latest == latest
    {
      let between = latest.seconds(since: earliest)
      let length = (stay.center - center).length * 1.3
      let travel = min(between, length / (length < 1500 ? 1.4 : 8))
      let departure = earliest.advanced(by: .seconds((between - travel) / 2))
      arrival.time = departure.advanced(by: .seconds(travel))
      let uncertainty = max(3, 0.34 * (between - travel / 2))
      arrival.uncertainty = uncertainty
      held?.departure?.time = departure
      held?.departure?.uncertainty = uncertainty
      previous?.time = departure
    }
    if let before = previous, arrival.time < before.time { arrival.time = before.time }
  }

  private mutating func flushHeld() {
    if let held { segments.append(.visit(held)) }
    held = nil
  }

  // MARK: Journeys and gaps

  private mutating func addJourney(
    _ samples: [MotionSample], until end: EstimatedTime, isOpen: Bool, at center: SIMD3<Double>?
  ) {
    defer { trail.removeAll() }
    guard let first = samples.first else { return }
    let start = previous ?? EstimatedTime(time: first.time, uncertainty: 0, latest: first.time)
    guard end.time > start.time else { return }
    if let held { segments.append(.visit(held)) }
    held = nil
    let journey = JourneyBuilder(
      samples, from: start, until: end, isOpen: isOpen, ends: (previousCenter, center))
    segments.append(
      .journey(journey.segment(id: SegmentID(.journey, startingAt: start.time, window: idWindow))))
  }

  /// Ends the journey before a silence, and adds the gap.
  mutating func addGap(from last: MotionSample, to next: MotionSample) {
    let end = EstimatedTime(time: last.time, uncertainty: 0, earliest: last.time, latest: next.time)
    if held == nil || trail.samples.count > 1 {
      addJourney(trail.samples, until: end, isOpen: false, at: nil)
    }
    trail.removeAll()
    flushHeld()
    let distance = EarthCentred.coordinate(of: last.place).flatMap { from in
      EarthCentred.coordinate(of: next.place).map { from.distance(to: $0) }
    }
    segments.append(
      .gap(
        GapSegment(
          id: SegmentID(.gap, startingAt: last.time, window: idWindow), start: last.time, end: next.time,
          distance: distance ?? 0, accuracy: last.accuracy + next.accuracy)))
    previous = EstimatedTime(time: next.time, uncertainty: 0, earliest: last.time, latest: next.time)
    previousCenter = nil
  }

  /// Ends with a visit that continues.
  mutating func finish(in stay: StayCandidate) -> [Segment] {
    let visit = arrive(at: stay)
    segments.append(.visit(visit))
    return drain()
  }

  /// Ends with a journey that continues, if there are samples of one.
  mutating func finish() -> [Segment] {
    if let last = trail.last {
      addJourney(
        trail.samples, until: EstimatedTime(time: last.time, uncertainty: 0), isOpen: true, at: nil)
    }
    flushHeld()
    return drain()
  }
}

extension Coordinate {
  fileprivate static var zero: Coordinate {
    guard let zero = Coordinate(latitude: 0, longitude: 0) else { preconditionFailure("0, 0 is a place") }
    return zero
  }
}
