/// A raster of an area: squares that are inside, outside, or crossed by the boundary.
///
/// A place in an uncrossed square needs no other test. Two bits a square: 0 outside, 1 inside, 2 crossed.
struct AreaRaster {
  /// The number of squares on a side, a power of two.
  let side: Int
  /// The southwestern corner, in steps of `GridPlace`.
  let west, south: UInt32
  /// The squares for each step, times 2³².
  let scaleX, scaleY: UInt32
  /// The squares, 16 a word, row after row from the south.
  let words: [UInt32]

  /// The answer of a raster for a place.
  enum Answer: UInt32 {
    case outside, inside, crossed
  }

  /// Returns the square of a place; `nil` outside of the raster.
  @inline(__always)
  static func square(
    of place: GridPlace, west: UInt32, south: UInt32, scaleX: UInt32, scaleY: UInt32, side: Int
  ) -> Int? {
    // West and south of the raster, differences wrap around to large ones.
    let column = (UInt64((place.x &- west) & (Grid.width - 1)) &* UInt64(scaleX)) >> 32
    let row = (UInt64((place.y &- south) & (Grid.width - 1)) &* UInt64(scaleY)) >> 32
    guard column < UInt64(side), row < UInt64(side) else { return nil }
    return Int(row) * side + Int(column)
  }
}

extension AreaRaster {
  /// Creates the raster of an area. `nil` for a circle, for an area too near a pole or too wide for a plane,
  /// and if the boundary would take too many squares.
  init?(_ area: Area, around center: Coordinate) {
    let outline = RasterOutline(area, around: center)
    guard var outline else { return nil }
    side = outline.side
    guard let frame = outline.frame(side: side) else { return nil }
    west = UInt32(truncatingIfNeeded: Int(GridPlace(center).x) + frame.west) & (Grid.width - 1)
    south = UInt32(frame.south)
    scaleX = frame.scale(frame.width)
    scaleY = frame.scale(frame.height)
    outline.fit(frame)
    var canvas = RasterCanvas(side: side)
    for line in outline.lines {
      for (a, b) in zip(line, line.dropFirst()) {
        canvas.markCrossed(a, b, within: outline.margin)
        if outline.isFilled { canvas.toggleEast(of: a, b) }
      }
    }
    words = canvas.words
  }
}
