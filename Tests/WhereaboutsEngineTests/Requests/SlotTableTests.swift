import Testing
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

@Suite struct SlotTableTests {
  @Test func slotsStartAtZeroAndAreReused() {
    var table = SlotTable()
    let slots = [table.insert(a), table.insert(b), table.remove(a), table.insert(c)]
    #expect(slots == [0, 1, 0, 0])
    #expect(table.count == 2)
  }

  @Test func idHasOneSlotAtATime() {
    var table = SlotTable()
    #expect(table.slot(of: a) == nil)
    let beforehand = table.remove(a), first = table.insert(a), second = table.insert(a)
    #expect(beforehand == nil && first == 0 && second == nil)
    #expect(table.slot(of: a) == 0)
    let removed = table.remove(a), again = table.remove(a)
    #expect(removed == 0 && again == nil)
  }

  /// Ids from a narrow rising range, from the full range, and from multiples that collide.
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func slotTableEqualsADictionary(seed: UInt64) {
    var random = SeededGenerator(seed: seed), table = SlotTable(), model: [RequestID: Int] = [:]
    var most = 0
    for step in 0..<800 {
      let number: UInt64 =
        switch seed % 3 {
        case 0: UInt64(step) - min(UInt64(step), .random(in: 0..<100, using: &random))
        case 1: .random(in: 0..<60, using: &random) &* 0x0400_0000_0000_0000 &- 1
        default: .random(in: 0..<200, using: &random) << 32
        }
      let id = RequestID(number)
      if Bool.random(using: &random) {
        let slot = table.insert(id)
        #expect((slot == nil) == (model[id] != nil))
        if let slot {
          #expect(!model.values.contains(slot), "step \(step)")
          model[id] = slot
          most = max(most, model.count)
          #expect(slot < most, "step \(step)")
        }
      } else {
        let slot = table.remove(id)
        #expect(slot == model.removeValue(forKey: id), "step \(step)")
      }
      #expect(table.count == model.count)
      if step % 50 == 0 { for (id, slot) in model { #expect(table.slot(of: id) == slot, "step \(step)") } }
    }
  }
}
