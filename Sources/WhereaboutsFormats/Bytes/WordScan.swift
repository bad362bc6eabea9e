/// Looks at bytes eight at a time, without vector instructions that only some machines have.
package enum WordScan {
  /// A word with the same byte in all eight places.
  @inline(__always)
  static func everyByte(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

  /// The index of the first byte in `start..<end` that is below `bound`, or `end` where none is.
  ///
  /// `bound` is at most 128; the caller answers for the range lying within the buffer.
  ///
  /// - Source: the "has less" test of S. E. Anderson, *Bit Twiddling Hacks*: subtracting the bound from every byte sets
  ///   the top bit of those below it. A borrow can only disturb bytes above a real hit, and the lowest hit is taken.
  @inline(__always)
  package static func firstByte(
    below bound: UInt8, in bytes: UnsafeRawPointer, from start: Int, to end: Int
  ) -> Int {
    let bounds = everyByte(bound), tops = everyByte(0x80)
    var index = start
    while index &+ 8 <= end {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let hits = (word &- bounds) & ~word & tops
      if hits != 0 { return index &+ hits.trailingZeroBitCount &>> 3 }
      index &+= 8
    }
    while index < end {
      if bytes.load(fromByteOffset: index, as: UInt8.self) < bound { return index }
      index &+= 1
    }
    return end
  }

  /// All bytes in `start..<end` combined by exclusive or: the checksum of NMEA 0183.
  ///
  /// The caller answers for the range lying within the buffer.
  @inline(__always)
  package static func exclusiveOr(of bytes: UnsafeRawPointer, from start: Int, to end: Int) -> UInt8 {
    var sum: UInt64 = 0
    var index = start
    while index &+ 8 <= end {
      sum ^= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      index &+= 8
    }
    sum ^= sum &>> 32
    sum ^= sum &>> 16
    sum ^= sum &>> 8
    var byte = UInt8(truncatingIfNeeded: sum)
    while index < end {
      byte ^= bytes.load(fromByteOffset: index, as: UInt8.self)
      index &+= 1
    }
    return byte
  }
}
