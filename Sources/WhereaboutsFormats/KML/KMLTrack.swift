import WhereaboutsModel

/// A `gx:Track` while its elements come in: times and places, paired by their order.
struct KMLTrack {
  /// The points that are held at most.
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

  var times: [UTCTime?] = []
  var places: [KMLPlace?] = []
  /// Whether the third number of a place is a height above the sea.
  var isAbsolute = false
  /// Whether the segment's beginning has been given.
  var isBegun = false
  private var columns: [[Float?]] = Array(repeating: [], count: Column.allCases.count)
  private var openColumn: Column?

  var hasColumns: Bool { columns.contains { !$0.isEmpty } }

  mutating func beginValues(named column: Column?) { openColumn = column }

  mutating func appendValue(_ value: Double?) {
    guard let column = openColumn, columns[column.rawValue].count < Self.maxPoints else { return }
    columns[column.rawValue].append(value.flatMap { Float(exactly: $0) ?? Float($0) })
  }

  /// Returns the fix of a pair; `nil` if its place is absent.
  func fix(at index: Int) -> Fix? {
    guard let place = places[index] else { return nil }
    var fix = Fix(coordinate: place.coordinate, time: times[index], source: .kml)
    fix.heightAboveGeoid = place.height(isAbsolute)
    fix.horizontalAccuracy = value(.accuracy, at: index)?.ifNotNegative
    fix.speed = value(.speed, at: index)?.ifNotNegative
    let bearing = value(.bearing, at: index)
    fix.course = bearing.flatMap { (0...360).contains($0) ? $0.wrappedDegrees : nil }
    return fix
  }

  /// The value of a column, if the column has one for each point.
  private func value(_ column: Column, at index: Int) -> Double? {
    let values = columns[column.rawValue]
    guard values.count == places.count, let value = values[index], value.isFinite else { return nil }
    return Double("\(value)")
  }

  mutating func removeFirst(_ count: Int) {
    times.removeFirst(count)
    places.removeFirst(count)
    columns = columns.map { _ in [] }
  }
}
