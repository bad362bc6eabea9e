/// The cells that an area can be in, with the area's entries.
///
/// The footprint follows from a center and a radius, so that an area is found again for removal. An area of any size
/// takes at most some dozens of cells. Small areas use cells of the lowest level, larger ones cells of a higher
/// level.
struct Footprint {
  /// The level of the cells; `nil` if the area is too large for any.
  let level: Int?
  private let radii: UInt32
  private let region: GridRegion

  /// The greatest number of cells; a larger footprint uses the next level.
  static var maximumCells: Int { 36 }

  /// - Parameters:
  ///   - center: a place from which all of the area is within the radius.
  ///   - radius: metres.
  ///   - isCircle: whether all that is within the radius is in the area.
  init(center: Coordinate, radius: Double, isCircle: Bool) {
    let φ = sines(ofDegrees: SIMD2(center.latitude, 90 - center.latitude.magnitude))
    region = GridRegion(GridPlace(center), cosine: φ.y, radius: radius)
    level = Self.level(of: region, radius: radius)
    guard let level else {
      radii = CellEntry.undecided
      return
    }
    let e² = WGS84.eccentricitySquared, a = WGS84.semiMajorAxis
    let w² = 1 - e² * (φ.x * φ.x)
    let meridian = a * (1 - e²) / (w² * w².squareRoot())
    radii = Self.radii(
      radius, steps: meridian * Grid.step * Double(1 << (3 * level)), cosine: φ.y, level: level,
      isCircle: isCircle)
  }

  /// Returns the radii in steps; `steps` is the length of one step in metres.
  private static func radii(_ radius: Double, steps: Double, cosine: Double, level: Int, isCircle: Bool)
    -> UInt32
  {
    let leastCosine = level == 0 ? 0.05 : level == 1 ? 0.1 : level == 2 ? 0.35 : 2
    guard cosine > leastCosine else { return CellEntry.undecided }
    let error = flatError(at: radius, cosine: cosine)
    let outer = ((radius + error) / steps + 1.5).rounded(.up)
    guard outer < 0xFFFF else { return CellEntry.undecided }
    let inner = isCircle ? max(0, ((radius - error) / steps - 1.5).rounded(.down)) : 0
    return UInt32(outer) << 16 | UInt32(inner)
  }

  /// Returns the largest error of a distance in a cell's plane, in metres, without the rounding to steps.
  private static func flatError(at distance: Double, cosine: Double) -> Double {
    let r = distance / WGS84.semiMajorAxis
    return distance * ((r * r + RowFrame.error) / (cosine * cosine) + r * 0.01)
  }

  /// Returns the lowest level at which a region needs few cells.
  private static func level(of region: GridRegion, radius: Double) -> Int? {
    guard radius < 5_000_000 else { return nil }
    return (0...3).first { cells(of: region, at: $0, upTo: maximumCells) <= maximumCells }
  }

  /// Returns the number of cells that a region needs at a level. Counting stops above a limit.
  private static func cells(of region: GridRegion, at level: Int, upTo limit: Int) -> Int {
    var count = 0
    region.eachZone { zone, rows in
      let span = region.columns(at: level, zone: zone)
      count += ((rows.upperBound >> (3 * level)) - (rows.lowerBound >> (3 * level)) + 1) * span.count
      return count <= limit
    }
    return count
  }

  /// Returns whether all rows are in zones below a given one.
  func isWithinZones(below zone: UInt32) -> Bool {
    Grid.zone(ofRow: UInt32(region.rows.lowerBound)) < zone
      && Grid.zone(ofRow: UInt32(region.rows.upperBound)) < zone
  }

  /// Calls a closure with each cell, and with the area's entry without its key.
  @inline(__always)
  func forEach(_ body: (CellTree.Cell, CellEntry) -> Void) {
    guard let level else { return }
    region.eachZone { zone, rows in
      let span = region.columns(at: level, zone: zone), mask = Grid.columns(level, zone: zone) - 1
      for row in (rows.lowerBound >> (3 * level))...(rows.upperBound >> (3 * level)) {
        for column in span {
          let cell = CellTree.Cell(level: level, zone: zone, row: row, column: column & mask)
          body(cell, entry(in: cell))
        }
      }
      return true
    }
  }

  private func entry(in cell: CellTree.Cell) -> CellEntry {
    let up = 3 * cell.level, bits = Int(Grid.bits), margin = CellEntry.margin
    let corner = cell.column << (bits + Int(cell.zone) + up)
    // The shorter way around from the corner to the center.
    let ahead = Int(Int32(truncatingIfNeeded: (region.x - corner) << 4) >> 4)
    let east = (ahead >> (Int(cell.zone) + up)) + margin
    let north = (region.y >> up) - (cell.row << bits) + margin
    guard east >= 0, east <= 0xFFFF, north >= 0, north <= 0xFFFF else {
      return CellEntry(center: UInt32(margin << 16 | margin), radii: CellEntry.undecided, key: 0)
    }
    return CellEntry(center: UInt32(north << 16 | east), radii: radii, key: 0)
  }
}
