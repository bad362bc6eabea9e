import WhereaboutsGeodesy

/// The boundary of an area as lines of a picture, in pixels.
struct FenceOutline {
  /// Rings with what they enclose, each as `evenodd` fills it; of a corridor there are none.
  private(set) var rings: [[PlanePoint]] = []
  /// The middle line of a corridor.
  private(set) var line: [PlanePoint] = []
  /// How wide that corridor is, in pixels.
  private(set) var width = 0.0

  /// Pixels that a straight piece of a geodesic is long at most.
  private static let piece = 12.0
  private static let most = 256

  /// Draws an area.
  ///
  /// - Parameter pixel: where a place is in the picture.
  init(_ area: Area, pixelsPerMetre: Double, pixel: (Coordinate) -> PlanePoint) {
    switch area {
    case .circle(let circle):
      let places = Self.circle(
        circle, pieces: Self.pieces(2 * .pi * circle.radius * pixelsPerMetre, atLeast: 48))
      rings = [places.map(pixel)]
    case .polygon(let polygon): rings = Self.rings(polygon, pixelsPerMetre, pixel)
    case .multiPolygon(let multi): rings = multi.polygons.flatMap { Self.rings($0, pixelsPerMetre, pixel) }
    case .corridor(let corridor):
      line = Self.along(corridor.line, pixelsPerMetre).map(pixel)
      width = corridor.width * pixelsPerMetre
    }
  }

  /// All points of it, with the reach of a corridor to all sides.
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
      along(ring + ring.prefix(1), pixelsPerMetre).map(pixel)
    }
  }

  /// The places of a circle, at even angles.
  static func circle(_ circle: Area.Circle, pieces: Int) -> [Coordinate] {
    let plane = LocalPlane(around: circle.center)
    // By turning a vector step by step: no library of functions is needed for that, and the error is a tiny fraction.
    let step = TurnStep(pieces: pieces)
    var east = 0.0, north = circle.radius
    var places: [Coordinate] = []
    for _ in 0...pieces {
      if let place = plane.coordinate(at: LocalPlane.Point(east: east, north: north)) { places.append(place) }
      (east, north) = step.turn(east, north)
    }
    return places
  }

  /// The places of geodesics from each place to the next, with others between them where they are long.
  private static func along(_ places: [Coordinate], _ pixelsPerMetre: Double) -> [Coordinate] {
    var result = Array(places.prefix(1))
    for (from, to) in zip(places, places.dropFirst()) {
      let count = pieces(from.distance(to: to) * pixelsPerMetre, atLeast: 1)
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

  private static func pieces(_ pixels: Double, atLeast least: Int) -> Int {
    guard pixels.isFinite else { return most }
    return min(max(Int(min(pixels / piece, 1e6).rounded(.up)), least), most)
  }
}

/// A turn by one of so many equal parts of a circle.
private struct TurnStep {
  private var cosine = 1.0
  private var sine = 0.0

  init(pieces: Int) {
    // The sine of a small angle by its series, doubled up to the angle: more than exact enough for a picture.
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
