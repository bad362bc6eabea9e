/// A canvas of squares for drawing lines.
struct RasterCanvas {
  private let side: Int
  /// The crossed squares, 64 a word, row after row.
  private var crossed: [UInt64]
  private var enclosed: [UInt64]
  private let stride: Int

  init(side: Int) {
    self.side = side
    stride = (side + 63) / 64
    crossed = Array(repeating: 0, count: side * stride)
    enclosed = crossed
  }

  /// Marks all squares within a margin of a line.
  mutating func markCrossed(_ a: SIMD2<Double>, _ b: SIMD2<Double>, within margin: SIMD2<Double>) {
    let (low, high) = a.y <= b.y ? (a, b) : (b, a)
    let slope = high.y > low.y ? (high.x - low.x) / (high.y - low.y) : 0
    for row in index(low.y - margin.y)...index(high.y + margin.y) {
      // The part of the line within the margin of the row.
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

  /// Toggles the squares east of a line between inside and outside, in each row whose middle the line
  /// crosses.
  mutating func toggleEast(of a: SIMD2<Double>, _ b: SIMD2<Double>) {
    guard a.y != b.y else { return }
    let (low, high) = a.y < b.y ? (a, b) : (b, a)
    // The rows with a middle in [low, high).
    let first = max(0, Int((low.y - 0.5).rounded(.up))), end = min(side, Int((high.y - 0.5).rounded(.up)))
    guard first < end else { return }
    let slope = (high.x - low.x) / (high.y - low.y)
    for row in first..<end {
      let x = low.x + slope * (Double(row) + 0.5 - low.y)
      // The squares with a middle east of the line.
      let column = max(0, Int((x - 0.5).rounded(.up)))
      guard column < side else { continue }
      enclosed[row * stride + column >> 6] ^= ~0 << UInt64(column & 63)
      for word in column >> 6 + 1..<max(stride, column >> 6 + 1) { enclosed[row * stride + word] ^= ~0 }
    }
  }

  private func index(_ coordinate: Double) -> Int { Int(max(0, min(Double(side - 1), coordinate))) }

  /// The squares in two bits each.
  var words: [UInt32] {
    (0..<side * side / 16).map { word in
      let row = word * 16 / side, column = word * 16 % side
      let place = row * stride + column >> 6, bits = UInt64(column & 63)
      let crossed = UInt32(truncatingIfNeeded: (self.crossed[place] >> bits) & 0xFFFF)
      let enclosed = UInt32(truncatingIfNeeded: (self.enclosed[place] >> bits) & 0xFFFF)
      return Self.interleaved(crossed) << 1 | Self.interleaved(enclosed & ~crossed)
    }
  }

  /// Spreads sixteen bits to every second bit.
  private static func interleaved(_ bits: UInt32) -> UInt32 {
    var bits = bits
    bits = (bits | bits << 8) & 0x00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333
    return (bits | bits << 1) & 0x5555_5555
  }
}
