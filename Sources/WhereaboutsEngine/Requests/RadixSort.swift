extension Array {
  /// Sorts the elements by a number that each has; elements of equal numbers keep their order.
  ///
  /// Many elements are distributed by one byte of the number after the other, the lowest first. This costs one pass for
  /// each byte in which the numbers differ: far fewer steps than comparisons, and the same for any initial order.
  ///
  /// - Complexity: at most eight passes over the elements; a few dozen are sorted by insertion.
  /// - Source: Knuth, *The Art of Computer Programming* 3 (2nd ed.), section 5.2.5, algorithm R.
  package mutating func sortByNumber(_ number: (Element) -> UInt64) {
    if count <= 32 { insertionSortByNumber(number) } else { radixSortByNumber(number) }
  }

  private mutating func insertionSortByNumber(_ number: (Element) -> UInt64) {
    for end in indices.dropFirst() {
      let element = self[end]
      var place = end
      while place > 0, number(self[place - 1]) > number(element) {
        self[place] = self[place - 1]
        place -= 1
      }
      self[place] = element
    }
  }

  private mutating func radixSortByNumber(_ number: (Element) -> UInt64) {
    var inAll = UInt64.max, inAny: UInt64 = 0
    for element in self {
      inAll &= number(element)
      inAny |= number(element)
    }
    var dealt = self
    for shift in stride(from: UInt64(0), to: 64, by: 8) where (inAll ^ inAny) >> shift & 0xFF != 0 {
      // The number of elements before the first of each byte.
      var before = [Int](repeating: 0, count: 257)
      for element in self { before[Int(number(element) >> shift & 0xFF) + 1] += 1 }
      for byte in 1...256 { before[byte] += before[byte - 1] }
      for element in self {
        let byte = Int(number(element) >> shift & 0xFF)
        dealt[before[byte]] = element
        before[byte] += 1
      }
      swap(&self, &dealt)
    }
  }
}
