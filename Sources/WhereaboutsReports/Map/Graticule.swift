import WhereaboutsGeodesy

/// A grid of parallels and meridians across the picture, with labels in degrees.
struct Graticule {
  /// A line and the position of its label.
  struct Line {
    var points: [PlanePoint]
    var label: String
  }

  private(set) var parallels: [Line] = []
  private(set) var meridians: [Line] = []

  /// The approximate metres in one degree of latitude, for the choice of steps.
  private static let metresPerDegree = 111_200.0
  private static let pieces = 48

  init(_ plane: LocalPlane, _ frame: MapFrame) {
    let center = plane.origin
    let spanX = frame.width / frame.pixelsPerMetre, spanY = frame.height / frame.pixelsPerMetre
    let reach = max(spanX, spanY) + max(frame.middle.east.magnitude, frame.middle.north.magnitude)
    let latitudeReach = min(reach / Self.metresPerDegree, 180)
    let (south, north) = (
      max(center.latitude - latitudeReach, -90), min(center.latitude + latitudeReach, 90)
    )
    // The approximate ratio of a degree of longitude to a degree of latitude.
    let shrink = max(1 - (center.latitude / 90) * (center.latitude / 90), 0.001)
    let isPolar = north > 88 || south < -88
    let longitudeReach = isPolar ? 180 : min(latitudeReach / shrink * 1.3, 180)
    let latitudeStep = min(MapFrame.roundNumber(notAbove: spanY / Self.metresPerDegree / 3), 10)
    let longitudeStep =
      isPolar ? 30 : min(MapFrame.roundNumber(notAbove: spanX / Self.metresPerDegree / shrink / 4), 30)
    let longitudes = (center.longitude - longitudeReach, center.longitude + longitudeReach)

    for latitude in Self.multiples(of: latitudeStep, from: south, to: north) where latitude.magnitude < 89.999
    {
      let label = Self.label(latitude, step: latitudeStep, positive: "N", negative: "S")
      let points = Self.samples(longitudes).compactMap {
        Coordinate(latitude: latitude, wrappingLongitude: $0).map { frame.pixel(plane.point(of: $0)) }
      }
      parallels.append(Line(points: points, label: label))
    }
    let meridianEnd = isPolar ? longitudes.1 - longitudeStep / 2 : longitudes.1
    for longitude in Self.multiples(of: longitudeStep, from: longitudes.0, to: meridianEnd) {
      let wrapped = longitude.remainder(dividingBy: 360)
      let label = Self.label(wrapped, step: longitudeStep, positive: "E", negative: "W")
      let points = Self.samples((south, north)).compactMap {
        Coordinate(latitude: $0, wrappingLongitude: longitude).map { frame.pixel(plane.point(of: $0)) }
      }
      meridians.append(Line(points: points, label: label))
    }
  }

  /// Returns the point where a line first crosses a vertical edge, for the labels of parallels.
  static func crossing(of line: Line, left: Double) -> PlanePoint? {
    for (a, b) in zip(line.points, line.points.dropFirst()) where (a.x < left) != (b.x < left) {
      return PlanePoint(x: left, y: a.y + (b.y - a.y) * (left - a.x) / (b.x - a.x))
    }
    return nil
  }

  /// Returns the point where a line first crosses a horizontal edge, for the labels of meridians.
  static func crossing(of line: Line, bottom: Double) -> PlanePoint? {
    for (a, b) in zip(line.points, line.points.dropFirst()) where (a.y < bottom) != (b.y < bottom) {
      return PlanePoint(x: a.x + (b.x - a.x) * (bottom - a.y) / (b.y - a.y), y: bottom)
    }
    return nil
  }

  private static func samples(_ range: (Double, Double)) -> [Double] {
    (0...pieces).map { range.0 + (range.1 - range.0) * Double($0) / Double(pieces) }
  }

  private static func multiples(of step: Double, from low: Double, to high: Double) -> [Double] {
    guard step > 0 else { return [] }
    let first = (low / step).rounded(.up), last = (high / step).rounded(.down)
    // Limits the number of lines. A frame normally holds only a few lines.
    guard last >= first, last - first < 400 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  private static func label(_ degrees: Double, step: Double, positive: String, negative: String) -> String {
    var places = 0
    var scaled = step
    while scaled < 0.999, places < 7 {
      scaled *= 10
      places += 1
    }
    let number = degrees.magnitude.fixed(places)
    // 0° and 180° have no hemisphere letter.
    let isBoundary = number.allSatisfy { $0 == "0" || $0 == "." } || degrees.magnitude > 180 - step / 2
    return isBoundary ? "\(number)°" : "\(number)° \(degrees < 0 ? negative : positive)"
  }
}
