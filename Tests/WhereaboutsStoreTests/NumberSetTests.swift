import Testing

@testable import WhereaboutsStore

@Suite struct NumberSetTests {
  /// A check of a store with years of fixes keeps the number of each.
  @Test func manySuccessiveNumbersShareAWord() {
    var set = NumberSet()
    let numbers: [Int64] = [.min, -65, -64, -1, .max] + Array(1...6_400)
    let first = numbers.map { set.insert($0) }, again = numbers.map { set.insert($0) }
    #expect(!first.contains(false) && !again.contains(true))
    let between = [set.insert(0), set.insert(6_401)]
    #expect(between == [true, true])
    #expect(set.words.count == 105)
  }
}
