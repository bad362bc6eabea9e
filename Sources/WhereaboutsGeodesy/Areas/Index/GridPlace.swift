/// A place in whole numbers: the cell it is in at every level, and where in the cell.
///
/// Longitudes are counted in 2²⁸ parts of the circle, latitudes in 2²⁷ parts of a meridian, so that a step is 0.149 m
/// north, and at the equator as much east. The last 13 bits are within a cell of the lowest level.
struct GridPlace {
  /// From -180° eastward, below 2²⁸; 180° is 0.
  let x: UInt32
  /// From the south pole, below 2²⁷.
  let y: UInt32

  @inline(__always)
  init(_ place: Coordinate) {
    x = UInt32(truncatingIfNeeded: Int((place.longitude + 180) * Grid.stepsPerDegree)) & (Grid.width - 1)
    y = min(UInt32(truncatingIfNeeded: Int((place.latitude + 90) * Grid.stepsPerDegree)), Grid.height - 1)
  }
}

/// How the Earth is cut into cells.
///
/// The lowest level has cells of 0.011° (1.22 km) from south to north. Eight by eight make one of the next level: 9.8 km, 78 km and
/// 625 km. From west to east they are as many degrees wide up to 60°, and twice as many each time that the parallels have
/// become half as long, which they do in 13 zones up to the poles. So cells are half as wide as high or more, everywhere.
enum Grid {
  static var width: UInt32 { 1 << 28 }
  static var height: UInt32 { 1 << 27 }
  /// Steps of a `GridPlace` in a degree.
  static var stepsPerDegree: Double { 0x1p28 / 360 }
  /// Radians in a step.
  static var step: Double { 2 * .pi * 0x1p-28 }
  /// Bits of a place within a cell of the lowest level.
  static var bits: UInt32 { 13 }
  static var rows: UInt32 { height >> bits }
  static var lastZone: UInt32 { 12 }

  /// The zone of a row of the lowest level: 0 up to 60°, and 12 beside the poles.
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

  /// How many columns a level has in a zone.
  @inline(__always)
  static func columns(_ level: Int, zone: UInt32) -> Int { 1 << max(0, 15 - Int(zone) - 3 * level) }

  /// The first of the zone's cells of the highest level in the directory.
  @inline(__always)
  static func directoryOffset(_ zone: UInt32) -> Int {
    zone <= 6 ? 4096 - (4096 >> Int(zone)) : 4064 + 32 * (Int(zone) - 7)
  }
  static var directorySize: Int { directoryOffset(lastZone) + 32 }

  /// The last row of a row's zone, on its side of the equator; the zone up to 60° has both sides.
  static func lastRow(ofZoneAt row: Int) -> Int {
    let zone = Int(zone(ofRow: UInt32(row))), rows = Int(rows)
    if zone == 0 { return rows - 1 - 2730 }
    // Rows to the pole are those for which 3 (q + 1) has 14 − zone bits.
    if row < rows / 2 { return ((1 << (14 - zone)) + 2) / 3 - 2 }
    return zone == Int(lastZone) ? rows - 1 : rows - ((1 << (13 - zone)) + 2) / 3
  }
}
