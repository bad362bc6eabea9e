import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

/// A collector of a map's points from a recording, in bounded memory.
///
/// At most ``pointLimit`` points are kept. Beyond the limit, a point closer than ``spacing`` to the previously kept
/// point is dropped, and the spacing grows until the points fit. Each track keeps its ends, and no dropped point is
/// farther than the spacing from a kept point.
package struct TrackCollector: Sendable {
  /// The maximum number of kept points: ten times the resolution of the widest picture.
  static let pointLimit = 100_000
  /// The maximum number of kept places. A picture with more names is not readable.
  static let placeLimit = 1000

  /// A point of a track.
  struct Point: Hashable, Sendable {
    var coordinate: Coordinate
    var time: UTCTime?
    /// The accuracy in metres at 68 %; `nil` if unknown.
    var accuracy: Double?
    /// The motion up to this point; `nil` if the motion was not determined.
    var motion: Motion?
    /// The longest wait for a fix since the previously kept point, in seconds.
    var longestWait = 0.0
  }

  /// Consecutive points without an interruption stated by the recording.
  struct Segment: Hashable, Sendable {
    /// Whether the segment continues the track of the previous segment.
    var continuesTrack: Bool
    /// Whether the segment belongs to a measured track.
    var isMeasured = false
    /// The bridged gap before the segment, in a measured track.
    var gap: TrackPoint.Gap?
    var points: [Point] = []
  }

  private(set) var segments: [Segment] = []
  private(set) var waypoints: [Waypoint] = []
  private(set) var routes: [[Coordinate]] = []
  /// The minimum distance between kept points, in metres; 0 while all points are kept.
  private(set) var spacing = 0.0
  /// The number of points added, kept or not.
  private(set) var pointsSeen = 0

  private var pointsKept = 0
  /// The last point, while the point is too close to the previously kept point.
  private var pending: Point?
  private var longestWait = 0.0
  private var lastTime: UTCTime?
  private var isTrackOpen = false
  private var isSegmentOpen = false
  private var routePoints = 0

  /// Begins a track.
  mutating func beginTrack() {
    endSegment()
    isTrackOpen = false
  }

  /// Begins a segment.
  mutating func beginSegment() {
    endSegment()
  }

  /// Ends the recording.
  mutating func finish() {
    endSegment()
  }

  /// Adds a fix.
  mutating func add(_ fix: Fix) {
    if !isSegmentOpen { open(Segment(continuesTrack: isTrackOpen)) }
    if let time = fix.time, let lastTime { longestWait = max(longestWait, time.seconds(since: lastTime)) }
    lastTime = fix.time
    add(
      Point(
        coordinate: fix.coordinate, time: fix.time, accuracy: fix.horizontalAccuracy,
        longestWait: longestWait))
  }

  /// Adds a point of a measured track.
  mutating func add(_ point: TrackPoint) {
    var gap: TrackPoint.Gap?
    switch point.link {
    case .follows: break
    case .begins: endSegment()
    case .bridges(let bridged):
      endSegment()
      gap = bridged
    }
    if !isSegmentOpen { open(Segment(continuesTrack: isTrackOpen, isMeasured: true, gap: gap)) }
    add(Point(coordinate: point.coordinate, time: point.time, motion: point.motion))
  }

  private mutating func open(_ segment: Segment) {
    segments.append(segment)
    isSegmentOpen = true
    isTrackOpen = true
    lastTime = nil
    longestWait = 0
  }

  private mutating func add(_ point: Point) {
    pointsSeen += 1
    if spacing > 0, let last = segments[segments.count - 1].points.last,
      last.coordinate.distance(to: point.coordinate) < spacing
    {
      pending = point
      return
    }
    pending = nil
    store(point)
    while pointsKept > Self.pointLimit { thinOut() }
  }

  /// Adds a place.
  mutating func add(_ waypoint: Waypoint) {
    if waypoints.count < Self.placeLimit { waypoints.append(waypoint) }
  }

  /// Begins a route.
  mutating func beginRoute() {
    routes.append([])
  }

  /// Adds a point of the current route.
  mutating func addRoutePoint(_ waypoint: Waypoint) {
    guard routePoints < Self.pointLimit else { return }
    routePoints += 1
    if routes.isEmpty { routes.append([]) }
    routes[routes.count - 1].append(waypoint.coordinate)
  }

  private mutating func endSegment() {
    if let pending { store(pending) }
    pending = nil
    isSegmentOpen = false
  }

  private mutating func store(_ point: Point) {
    segments[segments.count - 1].points.append(point)
    pointsKept += 1
    longestWait = 0
  }

  private mutating func thinOut() {
    spacing = spacing == 0 ? 1 : spacing * 2
    pointsKept = 0
    for index in segments.indices {
      segments[index].points = Self.thinned(segments[index].points, to: spacing)
      pointsKept += segments[index].points.count
    }
    // Segments of one or two points cannot be thinned. If there are too many segments, the later half is removed.
    if spacing > 1e7 { segments.removeSubrange((segments.count / 2)...) }
  }

  private static func thinned(_ points: [Point], to spacing: Double) -> [Point] {
    guard let first = points.first, let end = points.last, points.count > 2 else { return points }
    var kept = [first]
    var last = first.coordinate
    var longestWait = 0.0
    for var point in points.dropFirst() {
      longestWait = max(longestWait, point.longestWait)
      guard last.distance(to: point.coordinate) >= spacing || point == end else { continue }
      point.longestWait = longestWait
      kept.append(point)
      last = point.coordinate
      longestWait = 0
    }
    return kept
  }
}
