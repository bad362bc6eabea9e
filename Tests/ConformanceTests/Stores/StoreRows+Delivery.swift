import EngineBench
import Testing
import Whereabouts

extension StoreRow {
  /// Notes, and how far consumers have come with them.
  static let delivery: [StoreRow] = [
    StoreRow("every kind of note comes back as it is") {
      let evidence = FenceEvidence(
        time: utc(1), probability: 0.1 + 0.2, needed: 0.95, distance: -1.0 / 3, deviation: 4)
      let told: [FenceNote] = [
        .event(event(1)), .revised(FenceEvent.ID(1), event(1, of: "other")), .revised(FenceEvent.ID(1), nil),
        .decided(.suspected("home", .exit, evidence)), .removed("home", because: .expired),
      ]
      let notes = told.enumerated().map { NumberedNote(number: UInt64($0.offset) + 1, note: $0.element) }
      try await $0.commit { $0.notes = notes }
      #expect(try await $0.load().notes == notes)
      #expect(try await $0.store.notes(of: phone, after: 0, limit: 10) == notes)
    },
    StoreRow("the last event is the newest that was told, whatever was revised since") {
      try await $0.commit { $0.notes = [note(1, event: 1), note(2, event: 2)] }
      try await $0.commit {
        $0.notes = [NumberedNote(number: 3, note: .revised(FenceEvent.ID(1), event(1)))]
      }
      #expect(try await $0.load().lastEvent == 2)
      #expect(try await $0.load().lastNote == 3)
    },
    StoreRow("a note that is committed again stays, and another of its number is refused") { bench in
      try await bench.commit { $0.notes = [note(1, event: 1), note(2, event: 2)] }
      try await bench.commit { $0.notes = [note(2, event: 2), note(3, event: 3)] }
      await #expect(throws: StoreTrouble.self) {
        try await bench.commit { $0.notes = [note(4, event: 4), note(2, event: 2, of: "other")] }
      }
      #expect(
        try await bench.store.notes(of: phone, after: 0, limit: 10)
          == [note(1, event: 1), note(2, event: 2), note(3, event: 3)])
      #expect(try await bench.load().lastNote == 3)
    },
    StoreRow("notes are read after a number, in order, at most so many") {
      for start in stride(from: UInt64(1), through: 41, by: 10) {
        try await $0.commit { $0.notes = (start..<start + 10).map { note($0, event: $0) } }
      }
      let store = $0.store
      #expect(try await store.notes(of: phone, after: 0, limit: 3).map(\.number) == [1, 2, 3])
      #expect(try await store.notes(of: phone, after: 9, limit: 3).map(\.number) == [10, 11, 12])
      #expect(try await store.notes(of: phone, after: 48, limit: 100).map(\.number) == [49, 50])
      #expect(try await store.notes(of: phone, after: 50, limit: 100).isEmpty)
      #expect(try await store.notes(of: phone, after: UInt64(Int64.max), limit: .max).isEmpty)
      #expect(try await store.notes(of: phone, after: 0, limit: 0).isEmpty)
      #expect(try await store.notes(of: watch, after: 0, limit: 9).isEmpty)
    },
    StoreRow("a record remembers the newest notes, the oldest of them first") {
      let count = UInt64(Fences.remembered) + 7
      try await $0.commit { $0.notes = (1...count).map { note($0, event: $0) } }
      let record = try await $0.load()
      #expect(record.notes.count == Fences.remembered)
      #expect(record.notes.first?.number == 8 && record.notes.last?.number == count)
      #expect(record.lastNote == count && record.lastEvent == count)
    },
    StoreRow("a consumer that nobody has heard of has dealt with nothing") {
      let cursor = try await $0.store.cursor(of: "mail", device: phone)
      #expect(cursor == 0)
    },
    StoreRow("each consumer of each device has dealt with what it says, and that never goes back") {
      for device in [phone, watch] {
        try await $0.commit(device) { $0.notes = (1...9).map { note($0, event: $0) } }
      }
      let store = $0.store
      try await store.acknowledge(through: 3, by: "mail", device: phone)
      try await store.acknowledge(through: 5, by: "log", device: phone)
      try await store.acknowledge(through: 2, by: "mail", device: watch)
      try await store.acknowledge(through: 1, by: "mail", device: phone)
      try await store.acknowledge(through: 5, by: "log", device: phone)
      for reader in [store, try $0.opened()] {
        #expect(try await reader.cursor(of: "mail", device: phone) == 3)
        #expect(try await reader.cursor(of: "log", device: phone) == 5)
        #expect(try await reader.cursor(of: "mail", device: watch) == 2)
        #expect(try await reader.cursor(of: "log", device: watch) == 0)
      }
      try await store.acknowledge(through: 9, by: "mail", device: phone)
      #expect(try await store.cursor(of: "mail", device: phone) == 9)
    },
    StoreRow("what consumers have dealt with is told to any other all the same") {
      try await $0.commit { $0.notes = [note(1, event: 1), note(2, event: 2)] }
      try await $0.store.acknowledge(through: 2, by: "mail", device: phone)
      #expect(try await $0.store.notes(of: phone, after: 0, limit: 9).count == 2)
      #expect(try await $0.load().notes.count == 2)
    },
    StoreRow("who acknowledges from many tasks at once ends at the greatest") { bench in
      try await bench.commit { $0.notes = (1...50).map { note($0, event: $0) } }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in UInt64(1)...50 {
          group.addTask { try await bench.store.acknowledge(through: number, by: "mail", device: phone) }
        }
        try await group.waitForAll()
      }
      #expect(try await bench.store.cursor(of: "mail", device: phone) == 50)
    },
  ]
}
