/// A picture of an area in squares that are inside, outside, or crossed by its boundary.
///
/// In a square that is not crossed a place needs no other test. Two bits a square: 0 outside, 1 inside, 2 crossed.
struct AreaRaster {
  /// Squares on a side, a power of two.
  let side: Int
  /// The southwestern corner, in steps of `GridPlace`.
  let west, south: UInt32
  /// Squares for each step, times 2³².
  let scaleX, scaleY: UInt32
  /// 16 squares a word, row after row from the south.
  let words: [UInt32]

  /// What the words say of a place.
  enum Answer: UInt32 {
    case outside, inside, crossed
  }

  /// The square of a place; `nil` where it is outside of the picture.
  @inline(__always)
  static func square(
    of place: GridPlace, west: UInt32, south: UInt32, scaleX: UInt32, scaleY: UInt32, side: Int
  ) -> Int? {
    // West of the picture, and south, differences wrap around to large ones.
    let column = (UInt64((place.x &- west) & (Grid.width - 1)) &* UInt64(scaleX)) >> 32
    let row = (UInt64((place.y &- south) & (Grid.width - 1)) &* UInt64(scaleY)) >> 32
    guard column < UInt64(side), row < UInt64(side) else { return nil }
    return Int(row) * side + Int(column)
  }
}

extension AreaRaster {
  /// The picture of an area; `nil` where it is too near a pole or too wide to be drawn flat.
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
