import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

/// A track as lines and markers of a picture, in pixels.
struct Canvas {
  /// A named place.
  struct Marker {
    var pixel: PlanePoint
    var label: String?
  }

  /// A point on the line and the direction of travel there, as a unit vector.
  struct Direction {
    var pixel: PlanePoint
    var right: Double
    var down: Double
  }

  /// The projection plane. Distances and directions from its origin are exact, north is up in the middle, and neither
  /// ±180° nor a pole breaks a line.
  let plane: LocalPlane
  let frame: MapFrame
  /// The lines of each stroke, in the order of the legend.
  private(set) var lines: [(stroke: Stroke, lines: [[PlanePoint]])] = []
  /// Lines as wide as the accuracy circle, by their width in pixels.
  private(set) var halos: [(width: Double, lines: [[PlanePoint]])] = []
  /// Straight lines across the gaps between fixes.
  private(set) var gaps: [MapGap] = []
  /// The stops with their durations, the longest first.
  private(set) var stops: [Marker] = []
  private(set) var routes: [[PlanePoint]] = []
  /// Arrows for the direction of travel at intervals along the line.
  private(set) var directions: [Direction] = []
  private(set) var waypoints: [Marker] = []
  private(set) var start: Marker?
  private(set) var end: Marker?
  /// Points all along the lines, which labels must not cover.
  private(set) var allPixels: [PlanePoint] = []

  /// Lays out a track; returns `nil` if there is nothing to draw.
  ///
  /// - Parameters:
  ///   - stops: the stops of a measured track.
  ///   - fences: the fences around the track.
  init?(_ track: TrackCollector, gapThreshold: Double, stops: [TrackStop] = [], fences: FenceLayer? = nil) {
    let points = track.segments.flatMap(\.points)
    let places = points.isEmpty ? track.waypoints.map(\.coordinate) + track.routes.flatMap(\.self) : []
    let way = points.map(\.coordinate) + places
    let shown = way + (fences?.places(beside: way) ?? [])
    guard let box = BoundingBox(shown) else { return nil }
    let plane = LocalPlane(around: box.center)
    let accuracies = points.compactMap(\.accuracy).sorted()
    let typical = accuracies.isEmpty ? 0 : accuracies[accuracies.count / 2]
    // A single fix, or a receiver at rest, leaves room for its accuracy circle or for a small village square.
    let room = points.count == 1 ? max(2 * typical, 20) : max(1.5 * min(typical, 1000), 5)
    let frame = MapFrame(holding: shown.map(plane.point(of:)), leastRoom: room)
    self.plane = plane
    self.frame = frame
    let pixel: (Coordinate) -> PlanePoint = { frame.pixel(plane.point(of: $0)) }

    let parts = Self.parts(
      of: track, gapThreshold: gapThreshold, gaps: &gaps, pixelsPerMetre: frame.pixelsPerMetre, pixel)
    drawLines(parts)
    drawHalos(parts)
    markDirections(parts)
    routes = track.routes.map { $0.map(pixel) }
    waypoints = track.waypoints.map { Marker(pixel: pixel($0.coordinate), label: $0.name) }
      .filter { frame.contains($0.pixel) }
    self.stops = stops.sorted { $0.seconds > $1.seconds }.map {
      Marker(pixel: pixel($0.coordinate), label: Quantities.duration($0.seconds.rounded()))
    }
    start = points.first.map { Marker(pixel: pixel($0.coordinate), label: Self.label("start", $0.time)) }
    end = points.last.map { Marker(pixel: pixel($0.coordinate), label: Self.label("end", $0.time)) }
    if points.count == 1 {
      end = nil
      start?.label = Self.label("here", points.first?.time)
    }
  }

  /// Whether north is up, within 20°, in every corner of the picture. Around a pole north is not up.
  var isNorthUp: Bool {
    let (east, north) = (frame.width / 2 / frame.pixelsPerMetre, frame.height / 2 / frame.pixelsPerMetre)
    return [(-east, -north), (-east, north), (east, -north), (east, north)].allSatisfy { corner in
      let point = LocalPlane.Point(east: frame.middle.east + corner.0, north: frame.middle.north + corner.1)
      guard let place = plane.coordinate(at: point),
        let farther = Coordinate(latitude: place.latitude + 0.001, longitude: place.longitude)
      else { return false }
      let from = pixel(place), to = pixel(farther)
      return from.y - to.y > (to.x - from.x).magnitude * Self.slope
    }
  }

  /// The slope of 20° off north. A north arrow that is farther off misleads.
  private static let slope = 2.75

  /// Returns the pixel of a coordinate.
  func pixel(_ place: Coordinate) -> PlanePoint { frame.pixel(plane.point(of: place)) }

  private static func label(_ word: String, _ time: UTCTime?) -> String {
    guard let time else { return word }
    return "\(word) \(time.clockText.prefix(5))"
  }

  /// Returns the stretches with fixes, and the straight lines between the stretches.
  private static func parts(
    of track: TrackCollector, gapThreshold: Double, gaps: inout [MapGap], pixelsPerMetre: Double,
    _ pixel: (Coordinate) -> PlanePoint
  ) -> [[TrackRuns.Point]] {
    var parts: [[TrackRuns.Point]] = []
    func gap(_ line: [PlanePoint], before segment: TrackCollector.Segment) -> MapGap {
      guard segment.isMeasured else { return MapGap(line: line) }
      let metres = line[0].distance(to: line[1]) / pixelsPerMetre
      return MapGap(line, metres: metres, bridgedBy: segment.gap)
    }
    for segment in track.segments {
      for (index, point) in segment.points.enumerated() {
        let drawn = TrackRuns.Point(
          pixel: pixel(point.coordinate), accuracy: point.accuracy, motion: point.motion)
        let isFirst = index == 0
        if isFirst || point.longestWait > gapThreshold {
          if !isFirst || segment.continuesTrack, let before = parts.last?.last?.pixel {
            gaps.append(gap([before, drawn.pixel], before: segment))
          }
          parts.append([drawn])
        } else {
          parts[parts.count - 1].append(drawn)
        }
      }
    }
    return parts
  }

  private mutating func drawLines(_ parts: [[TrackRuns.Point]]) {
    var byStroke: [Stroke: [[PlanePoint]]] = [:]
    for run in parts.flatMap({ TrackRuns.runs(of: $0, by: Stroke.init) }) {
      byStroke[run.key, default: []].append(run.points)
      allPixels += Self.interpolated(run.points)
    }
    lines = Stroke.legendOrder.compactMap { stroke in byStroke[stroke].map { (stroke, $0) } }
  }

  /// Returns the points of a line with interpolated points at short distances.
  private static func interpolated(_ line: [PlanePoint]) -> [PlanePoint] {
    let spacing = CoveredCells.size
    var points = Array(line.prefix(1))
    for (from, to) in zip(line, line.dropFirst()) {
      let pieces = max((from.distance(to: to) / spacing).rounded(.up), 1)
      for piece in stride(from: 1, through: pieces, by: 1) {
        let share = piece / pieces
        points.append(
          PlanePoint(x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y)))
      }
    }
    return points
  }

  private mutating func drawHalos(_ parts: [[TrackRuns.Point]]) {
    let scale = frame.pixelsPerMetre
    // Widths in steps of 0.25 pixels let neighbours share a line.
    func width(_ accuracy: Double?) -> Double {
      guard let accuracy else { return 0 }
      var width = 4.0
      let wanted = min(2 * accuracy * scale, 4000)
      guard wanted > width else { return 0 }
      while width * 1.25 <= wanted { width *= 1.25 }
      return width
    }
    var byWidth: [Double: [[PlanePoint]]] = [:]
    for run in parts.flatMap({ TrackRuns.runs(of: $0, by: { width($0.accuracy) }) }) where run.key > 0 {
      byWidth[run.key, default: []].append(run.points)
    }
    halos = byWidth.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private mutating func markDirections(_ parts: [[TrackRuns.Point]]) {
    let every = 140.0
    var travelled = every * 0.5
    for part in parts {
      // The direction over several pixels; the direction of a single step is mostly noise.
      var anchor = part[0].pixel
      for (from, to) in zip(part, part.dropFirst()) {
        travelled += from.pixel.distance(to: to.pixel)
        let length = anchor.distance(to: to.pixel)
        guard length >= 8 else { continue }
        defer { anchor = to.pixel }
        let middle = PlanePoint(x: (from.pixel.x + to.pixel.x) / 2, y: (from.pixel.y + to.pixel.y) / 2)
        guard travelled >= every, frame.contains(middle),
          directions.allSatisfy({ $0.pixel.distance(to: middle) > every / 2 })
        else { continue }
        travelled = 0
        directions.append(
          Direction(
            pixel: middle, right: (to.pixel.x - anchor.x) / length, down: (to.pixel.y - anchor.y) / length))
      }
    }
  }
}
