import WhereaboutsModel
import WhereaboutsGeodesy

/// A `gx:Track` while its elements are read: times and places, paired by their order.
struct KMLTrack {
  /// The points that are held at most, before their times are known.
  static let maxPoints = 500_000

  /// A column of values beside the points.
  enum Column: Int, CaseIterable {
    case accuracy, speed, bearing

    init?(name: UnsafeRawBufferPointer) {
      if name.equals("accuracy") {
        self = .accuracy
      } else if name.equals("speed") {
        self = .speed
      } else if name.equals("bearing") || name.equals("heading") {
        self = .bearing
      } else {
        return nil
      }
    }
  }

  /// Whether the third number of a place is a height above the sea.
  var isAbsolute = false
  /// Whether the track continues the segment of the track before it, as ``KMLWriter`` writes it.
  var isContinuation = false
  /// Whether the segment's beginning has been given.
  var isBegun = false
  /// The times in nanoseconds since 1970; ``noTime`` for an absent one. Half a million points need 22 MB.
  private var times: [Int64] = []
  private var places: [Place] = []
  /// The values of each column; NaN for an absent value.
  private var columns: [[Float]] = Array(repeating: [], count: Column.allCases.count)
  private var openColumn: Column?
  /// The number of fixes given so far.
  private var given = 0

  /// Whether more places came before their times than are held. Further places, and their times, are left out.
  private(set) var isOverfull = false

  private static let noTime = Int64.min

  /// A place, or none: then the latitude is not a number.
  private struct Place {
    var latitude = Double.nan
    var longitude = Double.nan
    var altitude = Double.nan
  }

  var timeCount: Int { times.count }
  var placeCount: Int { places.count }
  var hasColumns: Bool { columns.contains { !$0.isEmpty } }

  mutating func append(_ time: UTCTime?) {
    guard !isOverfull || times.count < places.count else { return }
    times.append(time?.nanosecondsSince1970 ?? Self.noTime)
  }

  mutating func append(_ place: KMLPlace?) {
    guard places.count - times.count < Self.maxPoints else {
      isOverfull = true
      return
    }
    guard !isOverfull else { return }
    guard let place else { return places.append(Place()) }
    places.append(
      Place(
        latitude: place.coordinate.latitude, longitude: place.coordinate.longitude,
        altitude: place.height(true) ?? .nan))
  }

  mutating func beginValues(named column: Column?) { openColumn = column }

  mutating func appendValue(_ value: Double?) {
    guard let column = openColumn, columns[column.rawValue].count < Self.maxPoints else { return }
    columns[column.rawValue].append(value.map { Float($0) } ?? .nan)
  }

  /// Whether all fixes were given.
  var isGiven: Bool { given >= min(times.count, places.count) }

  /// Returns the next fix whose place is known; `nil` after the last pair of a time and a place.
  mutating func next() -> Fix? {
    while given < min(times.count, places.count) {
      defer { given += 1 }
      if let fix = fix(at: given) { return fix }
    }
    return nil
  }

  private func fix(at index: Int) -> Fix? {
    let place = places[index]
    guard !place.latitude.isNaN else { return nil }
    let time = times[index] == Self.noTime ? nil : UTCTime(nanosecondsSince1970: times[index])
    var fix = Fix(
      coordinate: Coordinate(uncheckedLatitude: place.latitude, longitude: place.longitude), time: time,
      source: .kml)
    if isAbsolute, !place.altitude.isNaN { fix.heightAboveGeoid = place.altitude }
    fix.horizontalAccuracy = value(.accuracy, at: index)?.ifPositive
    fix.speed = value(.speed, at: index)?.ifNotNegative
    let bearing = value(.bearing, at: index)
    fix.course = bearing.flatMap { (0...360).contains($0) ? $0.wrappedDegrees : nil }
    return fix
  }

  /// Returns the value of a column, if the column has one for each point.
  private func value(_ column: Column, at index: Int) -> Double? {
    let values = columns[column.rawValue]
    guard values.count == places.count, values[index].isFinite else { return nil }
    return values[index].shortestDecimal
  }

  /// Removes the pairs of a time and a place.
  mutating func removePairs() {
    let count = min(times.count, places.count)
    times.removeFirst(count)
    places.removeFirst(count)
    columns = columns.map { _ in [] }
    given = 0
  }
}

extension Float {
  /// The number of the shortest decimal that reads back as this number: 0.1, and not 0.10000000149.
  fileprivate var shortestDecimal: Double? {
    // Below 8192 neighbours are closer than a thousandth, so that no shorter decimal is missed.
    let thousandths = (Double(self) * 1000).rounded() / 1000
    if magnitude < 8192, Float(thousandths) == self { return thousandths }
    return Double("\(self)")
  }
}
