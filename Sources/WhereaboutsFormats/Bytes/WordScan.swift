/// A search over bytes, sixteen or eight at a time, without vector instructions that only some machines have.
package enum WordScan {
  /// Returns a word with the same byte in all eight places.
  @inline(__always)
  private static func everyByte(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

  /// Returns the index of the first byte in `start..<end` below `bound`, or `end` if there is none. All bytes before
  /// it are combined into `sum` by exclusive or, eight at a time.
  ///
  /// No load reaches beyond `end`: sixteen or eight bytes are read only where as many are left before it.
  ///
  /// `bound` is at most 128. The caller guarantees that the range lies within the buffer.
  ///
  /// - Source: the "has less" test of S. E. Anderson, *Bit Twiddling Hacks*: subtracting the bound from every byte
  ///   sets the top bit of those below it. A borrow can only disturb bytes above a real hit, and the lowest hit is
  ///   used.
  @inline(__always)
  package static func firstByte(
    below bound: UInt8, in bytes: UnsafeRawPointer, from start: Int, to end: Int,
    summingInto sum: inout UInt64
  ) -> Int {
    let bounds = everyByte(bound), tops = everyByte(0x80)
    var index = start
    if index &+ 16 <= end {
      let vectorBounds = SIMD16<UInt8>(repeating: bound)
      var vectorSum = SIMD16<UInt8>()
      var isFound = false
      repeat {
        let block = bytes.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
        // A mask has the same layout as a vector of integers: all bits of a byte are set, or none.
        let hits = unsafeBitCast(block .< vectorBounds, to: SIMD2<UInt64>.self)
        if hits[0] | hits[1] != 0 {
          isFound = true
          break
        }
        vectorSum ^= block
        index &+= 16
      } while index &+ 16 <= end
      let halves = unsafeBitCast(vectorSum, to: SIMD2<UInt64>.self)
      sum ^= halves[0] ^ halves[1]
      if isFound {
        // The hit is within the sixteen bytes from here, so the words below are too.
        let low = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let hits = (low &- bounds) & ~low & tops
        if hits != 0 { return finish(at: index, word: low, hits: hits, summingInto: &sum) }
        sum ^= low
        index &+= 8
        let high = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        return finish(at: index, word: high, hits: (high &- bounds) & ~high & tops, summingInto: &sum)
      }
    }
    while index &+ 8 <= end {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let hits = (word &- bounds) & ~word & tops
      if hits != 0 { return finish(at: index, word: word, hits: hits, summingInto: &sum) }
      sum ^= word
      index &+= 8
    }
    while index < end {
      let byte = bytes.load(fromByteOffset: index, as: UInt8.self)
      if byte < bound { return index }
      sum ^= UInt64(byte)
      index &+= 1
    }
    return end
  }

  /// Returns the index of a word's first hit, and combines the bytes before the hit into `sum`.
  @inline(__always)
  private static func finish(at index: Int, word: UInt64, hits: UInt64, summingInto sum: inout UInt64) -> Int
  {
    // Everything below the lowest hit: its top bit, and all bits of its byte, cleared.
    sum ^= word & (((hits & (0 &- hits)) &>> 7) &- 1)
    return index &+ hits.trailingZeroBitCount &>> 3
  }

  /// Returns the eight bytes of a sum combined by exclusive or: with ``firstByte(below:in:from:to:summingInto:)`` the
  /// checksum of NMEA 0183.
  @inline(__always)
  package static func folded(_ sum: UInt64) -> UInt8 {
    var sum = sum
    sum ^= sum &>> 32
    sum ^= sum &>> 16
    sum ^= sum &>> 8
    return UInt8(truncatingIfNeeded: sum)
  }
}
