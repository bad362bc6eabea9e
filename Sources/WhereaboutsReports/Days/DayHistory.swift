package import WhereaboutsEngine
package import WhereaboutsFormats
package import WhereaboutsModel

/// A device's past as segments, with the places of its visits.
package struct DayHistory: Sendable {
  /// The segments, in the order of their starts. Only the stated visits among them may overlap others.
  package private(set) var segments: [Segment] = []
  /// The number of fixes that were read.
  package private(set) var fixes = 0
  /// The time of the newest fix, or of the end of a stated visit among ``segments``, that is not later than the bound.
  package private(set) var newestTime: UTCTime?
  /// The number of fixes later than the bound.
  package private(set) var futureFixes = 0
  /// The number of stated visits that begin later than the bound.
  package private(set) var futureVisits = 0
  /// The time of the earliest fix or stated visit later than the bound; `nil` if there is none.
  package private(set) var earliestFutureTime: UTCTime?

  /// The time by which a fix may be ahead of the clock: a clock may be some hours wrong, and a date further ahead is an
  /// error.
  package static let futureTolerance = Duration.seconds(86_400)

  /// The offsets from UTC that the recordings of the fixes state, in the order of time; empty unless they are set.
  package var statedOffsets: [StatedOffset] = []
  /// The identifiers of stored places that can't be read and are left out; empty unless they are set.
  package var unreadablePlaces: [String] = []
  /// Whether a part of a recording could not be read; false unless it is set.
  package var isIncomplete = false
  /// The visits among ``segments`` that a recording states and fixes do not show, by their identifiers.
  package private(set) var statedVisits: [SegmentID: RecordedVisit] = [:]
  /// The most frequent stated names of places, by the identifiers of the places.
  package private(set) var statedNames: [String: String] = [:]

  private let bound: UTCTime
  private var segmenter: Segmenter
  private var registry: PlaceRegistry
  private var placeIDs: [SegmentID: String] = [:]
  private var stated: [RecordedVisit] = []
  /// The unfinished history without the fixes later than the bound; empty if no fix and no stated visit is later.
  private var beforeFuture: [DayHistory] = []

  /// Creates an empty history.
  ///
  /// - Parameters:
  ///   - kept: the places that a person has named or merged.
  ///   - settings: the settings of the segmenter.
  ///   - bound: the time after which a fix has a wrong date; such a fix is a part of the history nevertheless.
  package init(
    places kept: [Place] = [], settings: SegmenterSettings = .standard,
    bound: UTCTime = UTCTime(nanosecondsSince1970: .max)
  ) {
    self.bound = bound
    segmenter = Segmenter(settings, revises: false)
    registry = PlaceRegistry(kept)
  }

  /// Adds a fix. Fixes must be added in the order of time.
  package mutating func add(_ fix: Fix) {
    fixes += 1
    if let time = fix.time {
      if time > bound {
        if futureFixes == 0 { beforeFuture = [self] }
        earliestFutureTime = earliestFutureTime ?? time
        futureFixes += 1
      } else {
        newestTime = max(newestTime ?? time, time)
      }
    }
    for case .set(let segment) in segmenter.handle(fix) { append(segment) }
  }

  /// Adds a stored fix, unless the engine has refused the fix as implausible.
  package mutating func add(_ logged: LoggedFix) {
    if logged.use != .implausible { add(logged.timedFix) }
  }

  /// Adds visits that recordings state, in any order.
  package mutating func add(_ visits: [RecordedVisit]) { stated += visits }

  /// Adds the segments that continue, and the stated visits that fixes do not show, once all fixes and visits are added.
  package mutating func finish() {
    let future = stated.map(\.arrival).filter { $0 > bound }
    if let earliest = future.min() {
      if beforeFuture.isEmpty { beforeFuture = [self] }
      earliestFutureTime = min(earliestFutureTime ?? earliest, earliest)
      futureVisits = future.count
    }
    for segment in segmenter.openSegments { append(segment) }
    if !stated.isEmpty { insert(StatedVisits(stated)) }
  }

  /// Removes the fixes and stated visits later than the bound from a finished history, if there are others. The segment
  /// before them then continues, as without them.
  package mutating func removeFuture() {
    guard newestTime != nil, var past = beforeFuture.first else { return }
    past.stated = stated.filter { $0.arrival <= bound }
    past.finish()
    past.fixes = fixes
    past.futureFixes = futureFixes
    past.futureVisits = futureVisits
    past.statedOffsets = statedOffsets
    past.unreadablePlaces = unreadablePlaces
    self = past
  }

  /// Inserts the stated visits that fixes do not show. Their places come after those from fixes, so that these have the
  /// same identifiers as without them.
  private mutating func insert(_ stated: StatedVisits) {
    var merged: [Segment] = []
    var rest = segments[...]
    for (segment, visit) in stated.unseen(beside: segments) {
      while let next = rest.first, next.start <= visit.arrival { merged.append(rest.removeFirst()) }
      merged.append(.visit(segment))
      statedVisits[segment.id] = visit
      placeIDs[segment.id] = registry.add(segment).id
      if visit.departure <= bound { newestTime = max(newestTime ?? visit.departure, visit.departure) }
    }
    segments = merged + rest
    statedNames = stated.names(of: segments, at: placeIDs)
  }

  private mutating func append(_ segment: Segment) {
    segments.append(segment)
    if case .visit(let visit) = segment { placeIDs[visit.id] = registry.add(visit).id }
  }

  /// The places, the most visited first. Those without a name have a proposed one if a recording states one.
  package var places: [VisitedPlace] {
    registry.places.map { visited in
      var visited = visited
      if visited.place.name == nil { visited.proposedName = statedNames[visited.place.id] }
      return visited
    }
  }

  /// Returns the places of visits, by the identifiers of the visits.
  package func placesOfVisits() -> [SegmentID: Place] {
    let places = Dictionary(registry.places.map { ($0.place.id, $0.place) }) { first, _ in first }
    return placeIDs.compactMapValues { places[$0] }
  }
}
