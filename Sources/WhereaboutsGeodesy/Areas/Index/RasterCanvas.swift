/// Squares that lines are drawn on.
struct RasterCanvas {
  private let side: Int
  /// 64 squares a word, row after row.
  private var crossed: [UInt64]
  private var enclosed: [UInt64]
  private let stride: Int

  init(side: Int) {
    self.side = side
    stride = (side + 63) / 64
    crossed = Array(repeating: 0, count: side * stride)
    enclosed = crossed
  }

  /// Marks all squares that come within a margin of a line.
  mutating func markCrossed(_ a: SIMD2<Double>, _ b: SIMD2<Double>, within margin: SIMD2<Double>) {
    let (low, high) = a.y <= b.y ? (a, b) : (b, a)
    let slope = high.y > low.y ? (high.x - low.x) / (high.y - low.y) : 0
    for row in index(low.y - margin.y)...index(high.y + margin.y) {
      // The part of the line that is that near to the row.
      let from = max(low.y, Double(row) - margin.y), to = min(high.y, Double(row + 1) + margin.y)
      var first = low.x + slope * (from - low.y), last = low.x + slope * (to - low.y)
      if slope == 0 { (first, last) = (min(low.x, high.x), max(low.x, high.x)) }
      let west = index(min(first, last) - margin.x), east = index(max(first, last) + margin.x)
      for word in west >> 6...east >> 6 {
        let start = max(west - word << 6, 0), end = min(east - word << 6, 63)
        crossed[row * stride + word] |= (~0 << UInt64(start)) & (~0 >> UInt64(63 - end))
      }
    }
  }

  /// Goes in or out, at a line, on the way from west to east through the middle of each row.
  mutating func toggleEast(of a: SIMD2<Double>, _ b: SIMD2<Double>) {
    guard a.y != b.y else { return }
    let (low, high) = a.y < b.y ? (a, b) : (b, a)
    // Rows whose middle is in [low, high).
    let first = max(0, Int((low.y - 0.5).rounded(.up))), end = min(side, Int((high.y - 0.5).rounded(.up)))
    guard first < end else { return }
    let slope = (high.x - low.x) / (high.y - low.y)
    for row in first..<end {
      let x = low.x + slope * (Double(row) + 0.5 - low.y)
      // Squares whose middle is east of it.
      let column = max(0, Int((x - 0.5).rounded(.up)))
      guard column < side else { continue }
      enclosed[row * stride + column >> 6] ^= ~0 << UInt64(column & 63)
      for word in column >> 6 + 1..<max(stride, column >> 6 + 1) { enclosed[row * stride + word] ^= ~0 }
    }
  }

  private func index(_ coordinate: Double) -> Int { Int(max(0, min(Double(side - 1), coordinate))) }

  /// Two bits a square.
  var words: [UInt32] {
    (0..<side * side / 16).map { word in
      let row = word * 16 / side, column = word * 16 % side
      let place = row * stride + column >> 6, bits = UInt64(column & 63)
      let crossed = UInt32(truncatingIfNeeded: (self.crossed[place] >> bits) & 0xFFFF)
      let enclosed = UInt32(truncatingIfNeeded: (self.enclosed[place] >> bits) & 0xFFFF)
      return Self.spread(crossed) << 1 | Self.spread(enclosed & ~crossed)
    }
  }

  /// Sixteen bits, each in the place of two.
  private static func spread(_ bits: UInt32) -> UInt32 {
    var bits = bits
    bits = (bits | bits << 8) & 0x00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333
    return (bits | bits << 1) & 0x5555_5555
  }
}
