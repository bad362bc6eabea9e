/// A set of numbers that mostly follow one another, such as those of fixes: ten million need some megabytes.
struct NumberSet {
  /// The numbers by their upper bits, one bit for each of the lowest six.
  private(set) var words: [Int64: UInt64] = [:]

  /// Inserts a number.
  ///
  /// - Returns: whether the number was not in the set.
  mutating func insert(_ number: Int64) -> Bool {
    let bit: UInt64 = 1 << UInt64(number & 63)
    let word = words[number >> 6, default: 0]
    words[number >> 6] = word | bit
    return word & bit == 0
  }
}
