/// The cells that may be within a distance of a place.
struct GridRegion {
  let x, y: Int
  private let south, north: Int
  private let west, east: Int
  private let goesAround: Bool

  /// - Parameters:
  ///   - cosine: the cosine of the place's latitude.
  ///   - radius: the distance in metres.
  @inline(__always)
  init(_ place: GridPlace, cosine: Double, radius: Double) {
    x = Int(place.x)
    y = Int(place.y)
    // No meridian is curved more than at the equator, with radius a(1 − e²). No parallel of geodetic latitude φ is
    // shorter than a circle of radius a cos φ. The cosine changes by no more than the angle. Two steps allow for
    // rounding.
    let a = WGS84.semiMajorAxis
    let aside = radius / (a * (1 - WGS84.eccentricitySquared))
    let least = cosine - aside
    let rise = Int(min(aside / Grid.step, 0x1p27)) + 2
    south = max(0, y - rise)
    north = min(Int(Grid.height) - 1, y + rise)
    let turn = least > 1e-4 ? radius / (a * least) : .infinity
    goesAround = !(turn < 3.14)
    let reach = goesAround ? 0 : Int(turn / Grid.step) + 2
    west = x - reach
    east = x + reach
  }

  /// The rows of the lowest level.
  var rows: ClosedRange<Int> { (south >> Int(Grid.bits))...(north >> Int(Grid.bits)) }

  /// Returns the columns of a level in a zone; below 0 or beyond the last if the region crosses 180°.
  func columns(at level: Int, zone: UInt32) -> Range<Int> {
    let all = Grid.columns(level, zone: zone)
    guard !goesAround else { return 0..<all }
    let shift = Int(Grid.bits + zone) + 3 * level
    let first = west >> shift, last = east >> shift
    return last - first + 1 >= all ? 0..<all : first..<last + 1
  }

  /// Returns the columns of the lowest level in a zone; two pieces if the region crosses 180°.
  func pieces(zone: UInt32) -> [ClosedRange<Int>] {
    let all = Grid.columns(0, zone: zone), columns = columns(at: 0, zone: zone)
    let first = columns.lowerBound & (all - 1), last = (columns.upperBound - 1) & (all - 1)
    return first <= last ? [first...last] : [first...all - 1, 0...last]
  }

  /// Calls a closure with each zone and its rows of the lowest level, until the closure has enough.
  @inline(__always)
  func eachZone(_ body: (UInt32, ClosedRange<Int>) -> Bool) {
    var row = rows.lowerBound
    let end = rows.upperBound
    while row <= end {
      let last = min(end, Grid.lastRow(ofZoneAt: row))
      guard body(Grid.zone(ofRow: UInt32(row)), row...last) else { return }
      row = last + 1
    }
  }
}
