/// The one, two or four cells of the lowest level that may be within a short distance of a place. A `CellWindow` is a
/// `GridRegion` that costs a few nanoseconds.
struct CellWindow {
  let rows, columns: ClosedRange<Int>
  let zone: UInt32
  /// A lower limit of the cosine of the place's latitude.
  let leastCosine: Double

  /// Creates a window for a radius in metres. `nil` if there are more cells, or cells in two zones or on both
  /// sides of 180°; also from 1000 m on, and near a pole.
  @inline(__always)
  init?(_ place: GridPlace, radius: Double) {
    let a = WGS84.semiMajorAxis
    let aside = radius * (1 / (a * (1 - WGS84.eccentricitySquared)))
    leastCosine = Double(RowFrame(place).leastCosine)
    let least = leastCosine - aside
    guard radius < 1_000, least > 0.05 else { return nil }
    // As in `GridRegion`.
    let rise = Int(aside * (1 / Grid.step)) + 2, turn = Int(radius / (least * (a * Grid.step))) + 2
    let bits = Int(Grid.bits), x = Int(place.x), y = Int(place.y)
    let firstRow = (y - rise) >> bits, lastRow = (y + rise) >> bits
    let zone = Grid.zone(ofRow: UInt32(truncatingIfNeeded: firstRow))
    guard lastRow - firstRow < 2, Grid.zone(ofRow: UInt32(truncatingIfNeeded: lastRow)) == zone else {
      return nil
    }
    let first = (x - turn) >> (bits + Int(zone)), last = (x + turn) >> (bits + Int(zone))
    guard last - first < 2, first >= 0, last < Grid.columns(0, zone: zone) else { return nil }
    rows = firstRow...lastRow
    columns = first...last
    self.zone = zone
  }
}
