/// A place in whole numbers: its cell at every level, and its position in the cell.
///
/// Longitudes are counted in 2²⁸ parts of the circle, latitudes in 2²⁷ parts of a meridian. A step is 0.149 m north,
/// and at the equator as much east. The last 13 bits are within a cell of the lowest level.
struct GridPlace {
  /// The longitude from -180° eastward, below 2²⁸; 180° is 0.
  let x: UInt32
  /// The latitude from the south pole, below 2²⁷.
  let y: UInt32

  @inline(__always)
  init(_ place: Coordinate) {
    x = UInt32(truncatingIfNeeded: Int((place.longitude + 180) * Grid.stepsPerDegree)) & (Grid.width - 1)
    y = min(UInt32(truncatingIfNeeded: Int((place.latitude + 90) * Grid.stepsPerDegree)), Grid.height - 1)
  }
}

/// The division of the Earth into cells.
///
/// The lowest level has cells of 0.011° (1.22 km) from south to north. Eight by eight cells form one of the next
/// level: 9.8 km, 78 km and 625 km. Up to 60° cells are as many degrees wide as high. The width doubles each time the
/// parallels have become half as long, in 13 zones up to the poles. Cells are therefore at least half as wide as high
/// everywhere.
enum Grid {
  static var width: UInt32 { 1 << 28 }
  static var height: UInt32 { 1 << 27 }
  /// The number of `GridPlace` steps in a degree.
  static var stepsPerDegree: Double { 0x1p28 / 360 }
  /// The size of a step in radians.
  static var step: Double { 2 * .pi * 0x1p-28 }
  /// The bits of a place within a cell of the lowest level.
  static var bits: UInt32 { 13 }
  static var rows: UInt32 { height >> bits }
  static var lastZone: UInt32 { 12 }

  /// Returns the zone of a row of the lowest level: 0 up to 60°, and 12 beside the poles.
  @inline(__always)
  static func zone(ofRow row: UInt32) -> UInt32 {
    let toPole = min(row, rows - 1 - row)
    // 60° is 2730.7 rows from a pole.
    return toPole >= 2730 ? 0 : polarZone(toPole)
  }

  @inline(never)
  private static func polarZone(_ toPole: UInt32) -> UInt32 {
    min(lastZone, UInt32(truncatingIfNeeded: (3 * (toPole + 1)).leadingZeroBitCount) - 18)
  }

  /// Returns the number of columns of a level in a zone.
  @inline(__always)
  static func columns(_ level: Int, zone: UInt32) -> Int { 1 << max(0, 15 - Int(zone) - 3 * level) }

  /// Returns the directory position of the zone's first cell of the highest level.
  @inline(__always)
  static func directoryOffset(_ zone: UInt32) -> Int {
    zone <= 6 ? 4096 - (4096 >> Int(zone)) : 4064 + 32 * (Int(zone) - 7)
  }
  static var directorySize: Int { directoryOffset(lastZone) + 32 }

  /// Returns the last row of a row's zone, on its side of the equator; the zone up to 60° has both sides.
  static func lastRow(ofZoneAt row: Int) -> Int {
    let zone = Int(zone(ofRow: UInt32(row))), rows = Int(rows)
    if zone == 0 { return rows - 1 - 2730 }
    // The rows to the pole are those for which 3 (q + 1) has 14 − zone bits.
    if row < rows / 2 { return ((1 << (14 - zone)) + 2) / 3 - 2 }
    return zone == Int(lastZone) ? rows - 1 : rows - ((1 << (13 - zone)) + 2) / 3
  }
}
