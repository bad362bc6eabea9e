import WhereaboutsGeodesy

/// The boundary of an area as lines of a picture, in pixels.
struct FenceOutline {
  /// Rings for the fill rule `evenodd`; empty for a corridor.
  private(set) var rings: [[PlanePoint]] = []
  /// The centre line of a corridor.
  private(set) var line: [PlanePoint] = []
  /// The width of a corridor, in pixels.
  private(set) var width = 0.0

  /// The maximum length of a straight piece of a geodesic, in pixels.
  private static let longestPiece = 12.0
  private static let pieceLimit = 256

  /// Creates the outline of an area.
  ///
  /// - Parameter pixel: returns the pixel of a coordinate.
  init(_ area: Area, pixelsPerMetre: Double, pixel: (Coordinate) -> PlanePoint) {
    switch area {
    case .circle(let circle):
      let places = Self.circle(
        circle, pieces: Self.pieceCount(2 * .pi * circle.radius * pixelsPerMetre, atLeast: 48))
      rings = [places.map(pixel)]
    case .polygon(let polygon): rings = Self.rings(polygon, pixelsPerMetre, pixel)
    case .multiPolygon(let multi): rings = multi.polygons.flatMap { Self.rings($0, pixelsPerMetre, pixel) }
    case .corridor(let corridor):
      line = Self.interpolated(corridor.line, pixelsPerMetre).map(pixel)
      width = corridor.width * pixelsPerMetre
    }
  }

  /// All points of the outline, including the corridor's width on all sides.
  var extent: [PlanePoint] {
    rings.flatMap(\.self)
      + line.flatMap { point in
        [(-1.0, -1.0), (-1, 1), (1, -1), (1, 1)].map {
          PlanePoint(x: point.x + $0.0 * width / 2, y: point.y + $0.1 * width / 2)
        }
      }
  }

  private static func rings(
    _ polygon: Area.Polygon, _ pixelsPerMetre: Double, _ pixel: (Coordinate) -> PlanePoint
  ) -> [[PlanePoint]] {
    ([polygon.exterior] + polygon.holes).map { ring in
      interpolated(ring + ring.prefix(1), pixelsPerMetre).map(pixel)
    }
  }

  /// Returns points of a circle at equal angles.
  static func circle(_ circle: Area.Circle, pieces: Int) -> [Coordinate] {
    let plane = LocalPlane(around: circle.center)
    // Rotating a vector step by step needs no maths library, and the error is negligible.
    let step = TurnStep(pieces: pieces)
    var east = 0.0, north = circle.radius
    var places: [Coordinate] = []
    for _ in 0...pieces {
      if let place = plane.coordinate(at: LocalPlane.Point(east: east, north: north)) { places.append(place) }
      (east, north) = step.turn(east, north)
    }
    return places
  }

  /// Returns the points of geodesics between the places, with interpolated points on long geodesics.
  private static func interpolated(_ places: [Coordinate], _ pixelsPerMetre: Double) -> [Coordinate] {
    var result = Array(places.prefix(1))
    for (from, to) in zip(places, places.dropFirst()) {
      let count = pieceCount(from.distance(to: to) * pixelsPerMetre, atLeast: 1)
      // Lines through the origin of this plane are geodesics.
      let plane = LocalPlane(around: from)
      let end = plane.point(of: to)
      for index in 1..<max(count, 1) {
        let share = Double(index) / Double(count)
        let point = LocalPlane.Point(east: end.east * share, north: end.north * share)
        if let place = plane.coordinate(at: point) { result.append(place) }
      }
      result.append(to)
    }
    return result
  }

  private static func pieceCount(_ pixels: Double, atLeast least: Int) -> Int {
    guard pixels.isFinite else { return pieceLimit }
    return min(max(Int(min(pixels / longestPiece, 1e6).rounded(.up)), least), pieceLimit)
  }
}

/// A rotation by an equal fraction of a circle.
private struct TurnStep {
  private var cosine = 1.0
  private var sine = 0.0

  init(pieces: Int) {
    // The sine of a small angle is computed by its series and then doubled up to the angle. The precision exceeds the
    // needs of a picture.
    let angle = 2 * Double.pi / Double(max(pieces, 3))
    let small = angle / 1024
    sine = small * (1 - small * small / 6)
    cosine = (1 - sine * sine).squareRoot()
    for _ in 0..<10 { (cosine, sine) = (cosine * cosine - sine * sine, 2 * sine * cosine) }
  }

  func turn(_ east: Double, _ north: Double) -> (Double, Double) {
    (cosine * east + sine * north, cosine * north - sine * east)
  }
}
