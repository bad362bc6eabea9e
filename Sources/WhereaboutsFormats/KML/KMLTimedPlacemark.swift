import WhereaboutsModel
import WhereaboutsGeodesy

/// A `Placemark` while its elements are read.
struct KMLTimedPlacemark {
  /// A line or a point.
  struct Geometry {
    /// The vertices of all lines of a placemark that are held at most.
    static let maxPlaces = 500_000

    let isLine: Bool
    var isAbsolute = false
    var places: [KMLPlace] = []
    var invalidPlaces = 0
    var isTooLong = false
  }

  /// A value of a visit that KML has no element for, by its name in `ExtendedData`.
  enum Datum: String {
    case kind = "visitKind"
    case placeID = "visitPlaceID"
    case probability = "visitProbability"
    case confirmed = "visitConfirmed"
    case level = "visitLevel"
  }

  var name: String?
  var address: String?
  /// The datum that is read; `nil` for an unknown one.
  var datum: Datum?
  var data: [Datum: String] = [:]
  /// Whether `ExtendedData` has anything that is not read.
  var hasUnreadData = false
  var begin: UTCTime?
  var end: UTCTime?
  var stamp: UTCTime?
  /// Whether the track's beginning has been given.
  var isBegun = false
  private(set) var geometries: [Geometry] = []
  private var placeCount = 0

  /// Returns the visit of a point with a `TimeSpan`.
  func visit(at coordinate: Coordinate, from begin: UTCTime, to end: UTCTime) -> RecordedVisit {
    let probability = data[.probability].flatMap { Double($0) }
    return RecordedVisit(
      coordinate: coordinate, arrival: begin, departure: end, name: name, address: address,
      kind: data[.kind], placeID: data[.placeID],
      probability: probability.flatMap { (0...1).contains($0) ? $0 : nil },
      isConfirmed: data[.confirmed] == "true", level: max(0, data[.level].flatMap { Int($0) } ?? 0))
  }

  mutating func beginGeometry(isLine: Bool) {
    // A bounded number of geometries without any place.
    guard geometries.count < Geometry.maxPlaces else { return }
    geometries.append(Geometry(isLine: isLine))
  }

  mutating func setAbsolute(_ isAbsolute: Bool) {
    guard !geometries.isEmpty else { return }
    geometries[geometries.count - 1].isAbsolute = isAbsolute
  }

  /// Appends a place of the last geometry; `nil` for one that can't be read.
  mutating func append(_ place: KMLPlace?) {
    guard !geometries.isEmpty else { return }
    let last = geometries.count - 1
    guard let place else {
      geometries[last].invalidPlaces += 1
      return
    }
    guard placeCount < Geometry.maxPlaces else {
      geometries[last].isTooLong = true
      return
    }
    placeCount += 1
    geometries[last].places.append(place)
  }
}

extension KMLTimedPlacemark.Geometry {
  /// Calls with a fix for each vertex. The ends have the times of the span; the times between follow from the
  /// distances, and these fixes are marked as dead reckoning.
  func forEachFix(from begin: UTCTime, to end: UTCTime, _ body: (Fix) -> Void) {
    var distances = [0.0]
    for (place, next) in zip(places, places.dropFirst()) {
      distances.append((distances.last ?? 0) + Self.distance(place.coordinate, next.coordinate))
    }
    let total = distances.last ?? 0
    let duration = end.seconds(since: begin)
    for (index, place) in places.enumerated() {
      let isEnd = index == 0 || index == places.count - 1
      let share = total > 0 ? distances[index] / total : Double(index) / Double(places.count - 1)
      let between = begin.advanced(by: .seconds((share * duration).rounded()))
      let time = index == 0 ? begin : isEnd ? end : min(max(between, begin), end)
      var fix = Fix(coordinate: place.coordinate, time: time, source: .kml)
      fix.heightAboveGeoid = place.height(isAbsolute)
      if !isEnd { fix.solution = .deadReckoning }
      body(fix)
    }
  }

  /// Returns the distance in degrees, on a plane with the scale of the first place: accurate enough to interpolate
  /// times.
  private static func distance(_ start: Coordinate, _ end: Coordinate) -> Double {
    let radians = start.latitude * .pi / 180
    // Within 0.1 % of the cosine on the half circle.
    let square = radians * radians
    let cosine = max(0, 1 - square / 2 + square * square / 24 - square * square * square / 720)
    var east = end.longitude - start.longitude
    if east > 180 { east -= 360 } else if east < -180 { east += 360 }
    east *= cosine
    let north = end.latitude - start.latitude
    return (east * east + north * north).squareRoot()
  }
}
