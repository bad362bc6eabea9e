import Testing
import WhereaboutsTesting

@testable import WhereaboutsEngine

@Suite struct SlotListsTests {
  private func contents(of lists: SlotLists<Int>) -> [Int: [Int]] {
    var contents: [Int: [Int]] = [:]
    for (key, first) in lists.heads {
      contents[key] = Array(sequence(first: first) { lists.next(after: $0) })
    }
    return contents
  }

  @Test func slotsAreInAppendingOrder() {
    var lists = SlotLists<Int>()
    for slot in [4, 0, 2] { lists.append(slot, to: 7) }
    lists.append(3, to: 8)
    #expect(contents(of: lists) == [7: [4, 0, 2], 8: [3]])
    lists.remove(0)
    #expect(contents(of: lists) == [7: [4, 2], 8: [3]])
  }

  @Test func removingAnAbsentSlotDoesNothing() {
    var lists = SlotLists<Int>()
    lists.remove(3)
    lists.append(0, to: 1)
    lists.remove(0)
    lists.remove(0)
    #expect(lists.isEmpty)
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func slotListsEqualADictionaryOfArrays(seed: UInt64) {
    var random = SeededGenerator(seed: seed), lists = SlotLists<Int>(), model: [Int: [Int]] = [:]
    for step in 0..<500 {
      let slot = Int.random(in: 0..<40, using: &random), key = Int.random(in: 0..<12, using: &random)
      if model.values.contains(where: { $0.contains(slot) }) {
        lists.remove(slot)
        model = model.mapValues { $0.filter { $0 != slot } }.filter { !$0.value.isEmpty }
      } else {
        lists.append(slot, to: key)
        model[key, default: []].append(slot)
      }
      #expect(contents(of: lists) == model, "step \(step)")
    }
  }
}
