import EngineTestSupport
import Testing
import Whereabouts

extension StoreConformanceCase {
  /// Fence records, and the cursors of their consumers.
  static let delivery: [StoreConformanceCase] = [
    StoreConformanceCase("every kind of fence record is loaded unchanged") {
      let evidence = FenceDecision.Evidence(
        time: utc(1), probability: 0.1 + 0.2, needed: 0.95, distance: -1.0 / 3, deviation: 4)
      let reported: [FenceRecord] = [
        .event(event(1)), .revised(FenceEvent.ID(1), event(1, of: "other")), .revised(FenceEvent.ID(1), nil),
        .decided(.suspected("home", .exit, evidence)), .removed("home", because: .expired),
      ]
      let records = reported.enumerated().map {
        NumberedFenceRecord(number: UInt64($0.offset) + 1, record: $0.element)
      }
      try await $0.commit { $0.fenceRecords = records }
      #expect(try await $0.load().fenceRecords == records)
      #expect(try await $0.store.fenceRecords(of: phone, after: 0, limit: 10) == records)
    },
    StoreConformanceCase("the last event is the newest reported one, regardless of later revisions") {
      try await $0.commit { $0.fenceRecords = [numberedRecord(1, event: 1), numberedRecord(2, event: 2)] }
      try await $0.commit {
        $0.fenceRecords = [NumberedFenceRecord(number: 3, record: .revised(FenceEvent.ID(1), event(1)))]
      }
      #expect(try await $0.load().lastEventNumber == 2)
      #expect(try await $0.load().lastRecordNumber == 3)
    },
    StoreConformanceCase(
      "a record that is committed again is stored once, and another record with its number is refused"
    ) {
      bench in
      try await bench.commit { $0.fenceRecords = [numberedRecord(1, event: 1), numberedRecord(2, event: 2)] }
      try await bench.commit { $0.fenceRecords = [numberedRecord(2, event: 2), numberedRecord(3, event: 3)] }
      await #expect(throws: StoreError.self) {
        try await bench.commit {
          $0.fenceRecords = [numberedRecord(4, event: 4), numberedRecord(2, event: 2, of: "other")]
        }
      }
      #expect(
        try await bench.store.fenceRecords(of: phone, after: 0, limit: 10)
          == [numberedRecord(1, event: 1), numberedRecord(2, event: 2), numberedRecord(3, event: 3)])
      #expect(try await bench.load().lastRecordNumber == 3)
    },
    StoreConformanceCase("fence records are read after a number, in order, up to a limit") {
      for start in stride(from: UInt64(1), through: 41, by: 10) {
        try await $0.commit { $0.fenceRecords = (start..<start + 10).map { numberedRecord($0, event: $0) } }
      }
      let store = $0.store
      #expect(try await store.fenceRecords(of: phone, after: 0, limit: 3).map(\.number) == [1, 2, 3])
      #expect(try await store.fenceRecords(of: phone, after: 9, limit: 3).map(\.number) == [10, 11, 12])
      #expect(try await store.fenceRecords(of: phone, after: 48, limit: 100).map(\.number) == [49, 50])
      #expect(try await store.fenceRecords(of: phone, after: 50, limit: 100).isEmpty)
      #expect(try await store.fenceRecords(of: phone, after: UInt64(Int64.max), limit: .max).isEmpty)
      #expect(try await store.fenceRecords(of: phone, after: 0, limit: 0).isEmpty)
      #expect(try await store.fenceRecords(of: watch, after: 0, limit: 9).isEmpty)
    },
    StoreConformanceCase("a device record contains the newest fence records, oldest first") {
      let count = UInt64(Fences.rememberedRecords) + 7
      try await $0.commit { $0.fenceRecords = (1...count).map { numberedRecord($0, event: $0) } }
      let record = try await $0.load()
      #expect(record.fenceRecords.count == Fences.rememberedRecords)
      #expect(record.fenceRecords.first?.number == 8 && record.fenceRecords.last?.number == count)
      #expect(record.lastRecordNumber == count && record.lastEventNumber == count)
    },
    StoreConformanceCase("an unknown consumer has a cursor of zero") {
      let cursor = try await $0.store.cursor(of: "mail", device: phone)
      #expect(cursor == 0)
    },
    StoreConformanceCase("each consumer of each device has its own cursor, which never decreases") {
      for device in [phone, watch] {
        try await $0.commit(device) { $0.fenceRecords = (1...9).map { numberedRecord($0, event: $0) } }
      }
      let store = $0.store
      try await store.acknowledge(through: 3, by: "mail", device: phone)
      try await store.acknowledge(through: 5, by: "log", device: phone)
      try await store.acknowledge(through: 2, by: "mail", device: watch)
      try await store.acknowledge(through: 1, by: "mail", device: phone)
      try await store.acknowledge(through: 5, by: "log", device: phone)
      for reader in [store, try $0.reopened()] {
        #expect(try await reader.cursor(of: "mail", device: phone) == 3)
        #expect(try await reader.cursor(of: "log", device: phone) == 5)
        #expect(try await reader.cursor(of: "mail", device: watch) == 2)
        #expect(try await reader.cursor(of: "log", device: watch) == 0)
      }
      try await store.acknowledge(through: 9, by: "mail", device: phone)
      #expect(try await store.cursor(of: "mail", device: phone) == 9)
    },
    StoreConformanceCase("records acknowledged by one consumer are delivered to the others") {
      try await $0.commit { $0.fenceRecords = [numberedRecord(1, event: 1), numberedRecord(2, event: 2)] }
      try await $0.store.acknowledge(through: 2, by: "mail", device: phone)
      #expect(try await $0.store.fenceRecords(of: phone, after: 0, limit: 9).count == 2)
      #expect(try await $0.load().fenceRecords.count == 2)
    },
    StoreConformanceCase("concurrent acknowledgements end at the greatest number") { bench in
      try await bench.commit { $0.fenceRecords = (1...50).map { numberedRecord($0, event: $0) } }
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
