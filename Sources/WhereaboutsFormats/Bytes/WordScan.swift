/// A search over bytes, eight at a time, without vector instructions that only some machines have.
package enum WordScan {
  /// A word with the same byte in all eight places.
  @inline(__always)
  private static func everyByte(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

  /// Returns the index of the first byte in `start..<end` below `bound`, or `end` if there is none. All bytes before
  /// it are combined into `sum` by exclusive or, eight at a time.
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
    while index &+ 16 <= end {
      let low = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let high = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self))
      if (((low &- bounds) & ~low) | ((high &- bounds) & ~high)) & tops != 0 { break }
      sum ^= low ^ high
      index &+= 16
    }
    while index &+ 8 <= end {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let hits = (word &- bounds) & ~word & tops
      if hits != 0 {
        // Everything below the lowest hit: its top bit, and all bits of its byte, cleared.
        let before = ((hits & (0 &- hits)) &>> 7) &- 1
        sum ^= word & before
        return index &+ hits.trailingZeroBitCount &>> 3
      }
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
