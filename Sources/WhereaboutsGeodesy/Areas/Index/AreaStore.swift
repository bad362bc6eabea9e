/// The areas of an index by key: a circle in 24 bytes, any other area prepared, with a raster.
struct AreaStore: Sendable {
  /// A record of three words. A circle has its latitude, longitude and radius. A shape has the corner and scale of
  /// its raster. Its last word holds the shape's index in the low half, and the sign bit, which no radius has. Five
  /// bits from 56 hold the raster's side as a power of two, 0 for no raster.
  struct Record {
    var first, second, third: UInt64

    static let none = Record(first: 0, second: 0, third: .max)
    var isNone: Bool { third == .max }

    @inline(__always)
    var isCircle: Bool { third >> 63 == 0 }
    @inline(__always)
    var center: Coordinate {
      Coordinate(
        uncheckedLatitude: Double(bitPattern: first), longitude: Double(bitPattern: second))
    }
    @inline(__always)
    var radius: Double { Double(bitPattern: third) }

    @inline(__always)
    var shape: Int { Int(UInt32(truncatingIfNeeded: third)) }
    @inline(__always)
    var side: Int { Int(1 << ((third >> 56) & 31)) }
  }

  private(set) var records: [Record] = []
  private var shapes: [IndexedShape?] = []
  private var freeShapes: [Int] = []
  /// The words of rasters. `IndexedShape` has the start of a raster's words; those of the smallest size follow from
  /// the shape's index.
  private var rasterWords: [UInt32] = []

  /// The words of a raster of the smallest size, stored where no access to the shape is needed.
  private static var smallestRasterWords: Int { 64 }

  @inline(__always)
  func contains(_ key: UInt32) -> Bool { Int(key) < records.count && !records[Int(key)].isNone }

  mutating func reserve(_ count: Int) { records.reserveCapacity(count) }

  /// Inserts an area under an unused key.
  mutating func insert(_ area: Area, as key: UInt32) {
    if Int(key) >= records.count {
      records.append(contentsOf: repeatElement(.none, count: Int(key) + 1 - records.count))
    }
    if case .circle(let circle) = area {
      records[Int(key)] = Record(
        first: circle.center.latitude.bitPattern, second: circle.center.longitude.bitPattern,
        third: circle.radius.bitPattern)
      return
    }
    let index = freeShapes.popLast() ?? shapes.count
    if index == shapes.count {
      shapes.append(nil)
      rasterWords.append(contentsOf: repeatElement(0, count: Self.smallestRasterWords))
    }
    let prepared = PreparedArea(area)
    let raster = AreaRaster(area, around: prepared.center.coordinate)
    var third = UInt64(1) << 63 | UInt64(index)
    var picture: [UInt32] = []
    if let raster {
      third |= UInt64(raster.side.trailingZeroBitCount) << 56
      if raster.words.count == Self.smallestRasterWords {
        for word in 0..<Self.smallestRasterWords {
          rasterWords[index * Self.smallestRasterWords + word] = raster.words[word]
        }
      } else {
        picture = raster.words
      }
    }
    shapes[index] = IndexedShape(area, raster: picture, prepared)
    records[Int(key)] = Record(
      first: UInt64(raster?.west ?? 0) | UInt64(raster?.south ?? 0) << 32,
      second: UInt64(raster?.scaleX ?? 0) | UInt64(raster?.scaleY ?? 0) << 32, third: third)
  }

  mutating func remove(_ key: UInt32) {
    let record = records[Int(key)]
    if !record.isCircle {
      shapes[record.shape] = nil
      freeShapes.append(record.shape)
    }
    records[Int(key)] = .none
    while let last = records.last, last.isNone { records.removeLast() }
    if records.isEmpty { self = AreaStore() }
  }

  /// Returns the footprint of the area with a key.
  func footprint(_ key: UInt32) -> Footprint {
    let record = records[Int(key)]
    if record.isCircle { return Footprint(center: record.center, radius: record.radius, isCircle: true) }
    let shape = shape(record)
    return Footprint(center: shape.prepared.center.coordinate, radius: shape.reach, isCircle: false)
  }

  private func shape(_ record: Record) -> IndexedShape {
    guard !record.isNone, let shape = shapes[record.shape] else {
      preconditionFailure("there is no area of that key")
    }
    return shape
  }

  /// Returns the answer of a shape's raster for a place.
  private func rasterAnswer(_ record: Record, _ grid: GridPlace) -> AreaRaster.Answer {
    let side = record.side
    guard side > 1 else { return .crossed }
    let square = AreaRaster.square(
      of: grid, west: UInt32(truncatingIfNeeded: record.first), south: UInt32(record.first >> 32),
      scaleX: UInt32(truncatingIfNeeded: record.second), scaleY: UInt32(record.second >> 32), side: side)
    guard let square else { return .outside }
    let word = square >> 4
    let bits =
      side == 32
      ? rasterWords[record.shape * Self.smallestRasterWords + word]
      : shapes[record.shape]?.raster[word] ?? .max
    return AreaRaster.Answer(rawValue: (bits >> UInt32(2 * (square & 15))) & 3) ?? .crossed
  }
}

// MARK: Queries

extension AreaStore {
  /// Returns the distance from a place to the boundary of an area, negative inside.
  @inline(__always)
  func signedDistance(_ key: UInt32, to place: Coordinate) -> SignedDistance {
    let record = records[Int(key)]
    guard record.isCircle else { return shapeDistance(record, to: place) }
    return SignedDistance(metres: record.center.distance(to: place) - record.radius, errorBound: 15e-9)
  }

  /// Returns whether an area contains a place.
  func contains(_ key: UInt32, _ place: Coordinate, _ grid: GridPlace) -> Bool {
    let record = records[Int(key)]
    guard !record.isCircle else { return record.center.distance(to: place) <= record.radius }
    switch rasterAnswer(record, grid) {
    case .outside: return false
    case .inside: return true
    case .crossed: return shape(record).contains(place)
    }
  }

  @inline(never)
  private func shapeDistance(_ record: Record, to place: Coordinate) -> SignedDistance {
    shape(record).prepared.signedDistance(to: place)
  }
}
