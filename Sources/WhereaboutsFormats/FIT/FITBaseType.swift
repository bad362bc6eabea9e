/// The base type of a field, by its number in the format.
struct FITBaseType {
  let code: UInt8

  /// The size of one value in bytes; `nil` for text, bytes and unknown types.
  var size: Int? {
    switch code {
    case 0x00, 0x01, 0x02, 0x0A: 1
    case 0x83, 0x84, 0x8B: 2
    case 0x85, 0x86, 0x8C, 0x88: 4
    case 0x89, 0x8E, 0x8F, 0x90: 8
    default: nil
    }
  }

  /// Whether whole numbers of the type have a sign.
  private var isSigned: Bool { code == 0x01 || code == 0x83 || code == 0x85 || code == 0x8E }

  /// Whether 0 marks an invalid value.
  private var hasInvalidZero: Bool { code == 0x0A || code == 0x8B || code == 0x8C || code == 0x90 }

  private var isFloat: Bool { code == 0x88 || code == 0x89 }

  /// Returns the whole number in these bytes; `nil` for an invalid value, and for one that is no whole number.
  func integer(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) -> Int64? {
    guard let size, bytes.count >= size, !isFloat else { return nil }
    let bits: UInt64 =
      switch size {
      case 1: UInt64(bytes[0])
      case 2: UInt64(bytes.number(UInt16.self, isBigEndian: isBigEndian))
      case 4: UInt64(bytes.number(UInt32.self, isBigEndian: isBigEndian))
      default: bytes.number(UInt64.self, isBigEndian: isBigEndian)
      }
    if hasInvalidZero { return bits == 0 ? nil : Int64(exactly: bits) }
    let width = UInt64(size * 8)
    let ones: UInt64 = size == 8 ? .max : (1 << width) - 1
    guard bits != (isSigned ? ones >> 1 : ones) else { return nil }
    guard isSigned else { return Int64(exactly: bits) }
    let shift = 64 - width
    return Int64(bitPattern: bits << shift) >> Int64(shift)
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the number that the first bytes are; there must be as many as it has.
  @inline(__always)
  fileprivate func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _: Number.Type, isBigEndian: Bool
  ) -> Number {
    let number = loadUnaligned(as: Number.self)
    return isBigEndian ? Number(bigEndian: number) : Number(littleEndian: number)
  }
}
