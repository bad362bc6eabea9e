import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsGeodesy

/// Gathers what a map shows of a recording, in bounded memory.
///
/// At most ``pointLimit`` points are kept. When there are more, points nearer than ``spacing`` to the one kept before
/// them are dropped, and the spacing grows until they fit: each journey keeps its ends, and no place it went through
/// is further than the spacing from a kept point.
struct TrackCollector: Sendable {
  /// Points kept at most: ten times what the widest picture can tell apart.
  static let pointLimit = 100_000
  /// Places kept at most; a picture with more names can't be read.
  static let placeLimit = 1000

  /// A point of a track.
  struct Point: Hashable, Sendable {
    var coordinate: Coordinate
    var time: UTCTime?
    /// In metres at 68 %; `nil` where it is not known.
    var accuracy: Double?
    /// How the device moved until here; `nil` where that was not found out.
    var motion: Motion?
    /// Seconds of the longest wait for a fix since the point kept before this one.
    var longestWait = 0.0
  }

  /// Points without a break that the recording states.
  struct Segment: Hashable, Sendable {
    /// Whether it continues the track of the segment before it.
    var continuesTrack: Bool
    /// Whether it is of a way that was measured.
    var isMeasured = false
    /// How the gap before it was bridged, in a way that was measured.
    var gap: TrackGap?
    var points: [Point] = []
  }

  private(set) var segments: [Segment] = []
  private(set) var waypoints: [Waypoint] = []
  private(set) var routes: [[Coordinate]] = []
  /// Metres between kept points at the least; 0 while all of them are kept.
  private(set) var spacing = 0.0
  /// Points taken in, kept or not.
  private(set) var pointsSeen = 0

  private var pointsKept = 0
  /// The last point, while it is too near to the one before it to be kept.
  private var pending: Point?
  private var longestWait = 0.0
  private var lastTime: UTCTime?
  private var isTrackOpen = false
  private var isSegmentOpen = false
  private var routePoints = 0

  /// A track begins.
  mutating func beginTrack() {
    endSegment()
    isTrackOpen = false
  }

  /// A segment begins.
  mutating func beginSegment() {
    endSegment()
  }

  /// The recording is over.
  mutating func finish() {
    endSegment()
  }

  /// Takes a fix in.
  mutating func add(_ fix: Fix) {
    if !isSegmentOpen { open(Segment(continuesTrack: isTrackOpen)) }
    if let time = fix.time, let lastTime { longestWait = max(longestWait, time.seconds(since: lastTime)) }
    lastTime = fix.time
    add(
      Point(
        coordinate: fix.coordinate, time: fix.time, accuracy: fix.horizontalAccuracy,
        longestWait: longestWait))
  }

  /// Takes a point of a way that was measured in.
  mutating func add(_ point: TrackPoint) {
    var gap: TrackGap?
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
    keep(point)
    while pointsKept > Self.pointLimit { thinOut() }
  }

  /// Takes a place in.
  mutating func add(_ waypoint: Waypoint) {
    if waypoints.count < Self.placeLimit { waypoints.append(waypoint) }
  }

  /// A route begins.
  mutating func beginRoute() {
    routes.append([])
  }

  /// Takes a point of the route that began last in.
  mutating func addRoutePoint(_ waypoint: Waypoint) {
    guard routePoints < Self.pointLimit else { return }
    routePoints += 1
    if routes.isEmpty { routes.append([]) }
    routes[routes.count - 1].append(waypoint.coordinate)
  }

  private mutating func endSegment() {
    if let pending { keep(pending) }
    pending = nil
    isSegmentOpen = false
  }

  private mutating func keep(_ point: Point) {
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
    // Segments of a point or two can't be thinned; with so many of them the later halves go.
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
