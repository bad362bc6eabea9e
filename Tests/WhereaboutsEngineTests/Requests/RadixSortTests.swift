import WhereaboutsEngine
import Testing
import WhereaboutsTesting

@testable import WhereaboutsModel

@Suite struct RadixSortTests {
  /// Few and many elements; numbers that differ in every byte, in the lowest, in the highest, and not at all.
  @Test(
    arguments: [0, 1, 2, 31, 32, 33, 500],
    [0...UInt64.max, 0...255, 1000...1003, 7...7, (UInt64.max - 300)...UInt64.max, 0...(1 << 17)])
  func sortIsStable(count: Int, range: ClosedRange<UInt64>) {
    for seed in 1...20 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let numbers = (0..<count).map { _ in UInt64.random(in: range, using: &random) }
      var sorted = numbers.enumerated().map { (number: $1, offset: $0) }
      sorted.sortByNumber { $0.number }
      let expected = numbers.enumerated().map { (number: $1, offset: $0) }
        .sorted { ($0.number, $0.offset) < ($1.number, $1.offset) }
      #expect(sorted.elementsEqual(expected, by: ==), "seed \(seed)")
    }
  }
}
