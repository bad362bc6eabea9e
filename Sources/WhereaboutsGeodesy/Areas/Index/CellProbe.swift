/// A place in the form for comparison with the entries of its cells.
///
/// In a cell's plane, the parallel half-way to the center gives the length of a step east in steps north. The square
/// of that ratio is `ratio` at the place, and changes by `slope` for each step of the center northward.
struct CellProbe {
  let grid: GridPlace
  let zone: UInt32
  private let ratio: Float
  private let slope: Float

  /// Creates a probe as seen from a zone, which may be a neighbour of the place's own.
  @inline(__always)
  init(_ grid: GridPlace, zone: UInt32) {
    self.grid = grid
    self.zone = zone
    let frame = RowFrame(grid)
    let fromMiddle = Int32(bitPattern: grid.y & (1 << RowFrame.bits - 1)) - 1 << (RowFrame.bits - 1)
    let zoom = Float(1 &<< Int32(bitPattern: 2 * zone))
    ratio = (frame.ratio + 2 * frame.slope * Float(fromMiddle)) * zoom
    slope = frame.slope * zoom
  }

  /// Returns the place in the plane of its cell of a level.
  @inline(__always)
  func point(at level: Int) -> CellPoint {
    let up = UInt32(3 * level), mask: UInt32 = (1 << Grid.bits) - 1
    return CellPoint(
      x: Float(Int32(truncatingIfNeeded: (grid.x >> (zone + up)) & mask) + Int32(CellEntry.margin)),
      y: Float(Int32(truncatingIfNeeded: (grid.y >> up) & mask) + Int32(CellEntry.margin)),
      ratio: ratio, slope: slope * Float(1 << (3 * level)))
  }
}

extension CellProbe {
  /// Returns the place in the plane of a cell of the lowest level that is not on the other side of 180°.
  @inline(__always)
  func point(row: Int, column: Int) -> CellPoint {
    CellPoint(
      x: Float(Int(grid.x >> zone) - column << Int(Grid.bits) + CellEntry.margin),
      y: Float(Int(grid.y) - row << Int(Grid.bits) + CellEntry.margin), ratio: ratio, slope: slope)
  }

  /// Returns the place in the plane of any cell of its zone.
  func point(in cell: CellTree.Cell) -> CellPoint {
    let up = 3 * cell.level, bits = Int(Grid.bits)
    let corner = cell.column << (bits + Int(zone) + up)
    // The shorter way around from the corner to the place.
    let ahead = Int(Int32(truncatingIfNeeded: (Int(grid.x) - corner) << 4) >> 4)
    return CellPoint(
      x: Float((ahead >> (Int(zone) + up)) + CellEntry.margin),
      y: Float((Int(grid.y) >> up) - (cell.row << bits) + CellEntry.margin),
      ratio: ratio, slope: slope * Float(1 << up))
  }
}

/// A place in the plane of a cell.
struct CellPoint {
  let x, y, ratio, slope: Float

  /// Converts half-words to numbers: in the bits of the number 2²³ they are the last digits.
  @inline(__always)
  static func numbers(_ halves: SIMD4<UInt32>) -> SIMD4<Float> {
    unsafeBitCast(halves | SIMD4(repeating: 0x4B00_0000), to: SIMD4<Float>.self) - 0x1p23
  }

  /// Returns the squares of the distances to the centers of four entries, in steps.
  @inline(__always)
  func distanceSquared(_ centers: SIMD4<UInt32>) -> SIMD4<Float> {
    let Δx = Self.numbers(centers & 0xFFFF) - x, Δy = Self.numbers(centers &>> 16) - y
    let ratios = SIMD4(repeating: ratio) + slope * Δy
    return Δx * Δx * ratios + Δy * Δy
  }

  /// Returns the square of the distance to the center of an entry, in steps.
  @inline(__always)
  func distanceSquared(_ center: UInt32) -> Float {
    let Δx = Float(Int32(truncatingIfNeeded: center & 0xFFFF)) - x
    let Δy = Float(Int32(truncatingIfNeeded: center >> 16)) - y
    return Δx * Δx * (ratio + slope * Δy) + Δy * Δy
  }
}
