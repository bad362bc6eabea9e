/// Decimal digits, eight at a time. The first byte of a word is its lowest.
enum WordDigits {
  /// Returns a word of bytes with each digit replaced by its value.
  @inline(__always)
  static func values(_ bytes: UInt64) -> UInt64 { bytes ^ 0x3030_3030_3030_3030 }

  /// Returns the top bit of each byte of `values` that was no digit.
  ///
  /// A byte above 0x89 carries into the next one, whose bit may then be wrong. The carrying byte's own bit is set. So
  /// the lowest set bit is right, and zero reliably means that all bytes are digits.
  @inline(__always)
  static func others(_ values: UInt64) -> UInt64 {
    ((values &+ 0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
  }

  /// Returns the values of neighbours combined: the bytes 0, 2, 4 and 6 hold numbers of two digits.
  @inline(__always)
  static func pairs(_ values: UInt64) -> UInt64 { values &* 10 &+ values &>> 8 }

  /// Returns the number that the first `count` digits make, of one to eight.
  ///
  /// - Source: D. Lemire, *Quickly parsing eight digits* (2018): neighbours are combined to pairs, pairs to fours, and
  ///   fours to the number. Zeros before the digits leave the number as it is.
  @inline(__always)
  static func number(_ values: UInt64, count: Int) -> UInt64 {
    let pairs = pairs(values &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count))
    let lower = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let upper = (pairs &>> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return (lower &+ upper) &>> 32
  }

  /// Returns the eight digits of a number below 10⁸ by their values, the first one in the lowest byte.
  ///
  /// The number is split into fours, these into pairs, and these into digits. Fours up to 9,999 are divided by 100, and
  /// pairs up to 99 by 10, exactly by a multiplication; no product reaches into the next field.
  @inline(__always)
  static func digits(_ number: UInt32) -> UInt64 {
    let fours = UInt64(number / 10_000) | UInt64(number % 10_000) &<< 32
    let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let pairs = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = (pairs &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (pairs &- tens &* 10) &<< 8
  }

  /// Returns ten to the power of `exponent`, which is from 0 to 9.
  @inline(__always)
  static func power(_ exponent: Int) -> Int64 {
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1_000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    case 8: 100_000_000
    default: 1_000_000_000
    }
  }
}
