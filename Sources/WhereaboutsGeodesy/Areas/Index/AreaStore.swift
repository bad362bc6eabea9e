/// The areas of an index by key: a circle in 24 bytes, any other made ready for questions.
struct AreaStore: Sendable {
  /// A circle, or which of the shapes it is.
  private struct Record {
    var latitude, longitude: Double
    /// The radius of a circle in metres; −1 − the index of a shape; not a number where there is nothing.
    var radius: Double

    static let none = Record(latitude: 0, longitude: 0, radius: .nan)
  }

  private var records: [Record] = []
  private var shapes: [IndexedShape?] = []
  private var freeShapes: [Int] = []

  /// The keys that can be in use.
  var keys: Range<UInt32> { 0..<UInt32(records.count) }

  @inline(__always)
  func contains(_ key: UInt32) -> Bool { Int(key) < records.count && !records[Int(key)].radius.isNaN }

  mutating func reserve(_ count: Int) { records.reserveCapacity(count) }

  /// Puts an area in where there is none of its key.
  mutating func insert(_ area: Area, as key: UInt32) {
    if Int(key) >= records.count {
      records.append(contentsOf: repeatElement(.none, count: Int(key) + 1 - records.count))
    }
    switch area {
    case .circle(let circle):
      records[Int(key)] = Record(
        latitude: circle.center.latitude, longitude: circle.center.longitude, radius: circle.radius)
    default:
      let index = freeShapes.popLast() ?? shapes.count
      if index == shapes.count { shapes.append(nil) }
      shapes[index] = IndexedShape(area)
      records[Int(key)] = Record(latitude: 0, longitude: 0, radius: -1 - Double(index))
    }
  }

  mutating func remove(_ key: UInt32) {
    if let index = shape(key) {
      shapes[index] = nil
      freeShapes.append(index)
    }
    records[Int(key)] = .none
    while let last = records.last, last.radius.isNaN { records.removeLast() }
    if records.isEmpty { self = AreaStore() }
  }

  private func shape(_ key: UInt32) -> Int? {
    let radius = records[Int(key)].radius
    return radius < 0 ? Int(-1 - radius) : nil
  }

  /// Where the area of a key can be.
  func footprint(_ key: UInt32) -> Footprint {
    let record = records[Int(key)]
    if let index = shape(key), let shape = shapes[index] {
      return Footprint(center: shape.prepared.center.coordinate, radius: shape.reach, isCircle: false)
    }
    return Footprint(center: center(record), radius: record.radius, isCircle: true)
  }

  /// How far a place is from an area.
  @inline(__always)
  func signedDistance(_ key: UInt32, to place: Coordinate) -> SignedDistance {
    let record = records[Int(key)]
    guard record.radius >= 0 else { return shapeDistance(record, to: place) }
    return SignedDistance(metres: center(record).distance(to: place) - record.radius, errorBound: 15e-9)
  }

  /// Whether an area contains a place.
  func contains(_ key: UInt32, _ place: Coordinate) -> Bool {
    let record = records[Int(key)]
    guard record.radius >= 0 else {
      return shapes[Int(-1 - record.radius)]?.prepared.contains(place) ?? false
    }
    return center(record).distance(to: place) <= record.radius
  }

  @inline(never)
  private func shapeDistance(_ record: Record, to place: Coordinate) -> SignedDistance {
    guard record.radius < 0, let shape = shapes[Int(-1 - record.radius)] else {
      preconditionFailure("there is no area of that key")
    }
    return shape.prepared.signedDistance(to: place)
  }

  @inline(__always)
  private func center(_ record: Record) -> Coordinate {
    Coordinate(uncheckedLatitude: record.latitude, longitude: record.longitude)
  }
}
