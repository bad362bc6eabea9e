/// The 64-bit FNV-1a hash of bytes: the same in every process and version, for names and digests that are stored.
///
/// - Source: Fowler, Noll and Vo (draft-eastlake-fnv).
package struct FNV1aHash: Hashable, Sendable {
  /// The hash of the bytes so far.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Creates the hash of no bytes.
  package init() {}

  /// Adds bytes.
  package mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { addByte(byte) }
  }

  /// Adds the eight bytes of a number, the least significant first.
  package mutating func add(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      addByte(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  private mutating func addByte(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }
}
