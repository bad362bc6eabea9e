import EngineTestSupport
import Testing
import Whereabouts

extension StoreConformanceCase {
  /// Fences, trips, and edits of other processes.
  static let fences: [StoreConformanceCase] = [
    StoreConformanceCase("fences are loaded unchanged, in the order of their serials") {
      let terms = FenceTerms(
        enterConfidence: 0.9, dwell: .seconds(90), notify: [.exit], once: true, expiry: utc(1e6),
        responsiveness: .milliseconds(1500))
      var fancy = fence("b", north: 1.0 / 3, radius: 100.1, terms)
      fancy.name = "Café \"Ω\""
      fancy.properties = ["a": .array([.null, .bool(true), .number(0.1), .string("'")])]
      let entries = [
        StoreCommit.FenceChange.Entry(fancy, serial: 2), StoreCommit.FenceChange.Entry(fence("a"), serial: 9),
        StoreCommit.FenceChange.Entry(fence("c"), serial: 1),
      ]
      try await $0.commit {
        $0.fences.set = entries
        $0.fences.lastSerial = 11
        $0.snapshot = engineSnapshot(0)
      }
      #expect(try await $0.load().fences == [entries[2], entries[0], entries[1]])
      #expect(try await $0.load().lastSerial == 11)
    },
    StoreConformanceCase("a commit removes all fences, then some, and then sets others") {
      try await $0.commit { $0.addFences("a", "b", "c") }
      try await $0.commit {
        $0.fences.removed = ["a", "c", "unknown"]
        $0.fences.set = [StoreCommit.FenceChange.Entry(fence("c", north: 7), serial: 4)]
        $0.fences.lastSerial = 4
        $0.snapshot = engineSnapshot(1)
      }
      #expect(try await $0.load().fences.map(\.fence) == [fence("b"), fence("c", north: 7)])
      try await $0.commit {
        $0.fences.removesAll = true
        $0.fences.set = [StoreCommit.FenceChange.Entry(fence("b"), serial: 5)]
        $0.fences.lastSerial = 5
        $0.snapshot = engineSnapshot(1)
      }
      #expect(try await $0.load().fences == [StoreCommit.FenceChange.Entry(fence("b"), serial: 5)])
      #expect(try await $0.load().lastSerial == 5)
    },
    StoreConformanceCase(
      "a fence that is set again replaces the one with its id and gets a new serial"
    ) {
      try await $0.commit { $0.addFences("a", "b") }
      try await $0.commit {
        $0.fences.set = [StoreCommit.FenceChange.Entry(fence("a", north: 5), serial: 3)]
        $0.fences.lastSerial = 3
        $0.snapshot = engineSnapshot(0)
      }
      #expect(try await $0.load().fences.map(\.fence.id) == ["b", "a"])
    },
    StoreConformanceCase("the last area serial outlives its fence") {
      try await $0.commit { $0.addFences("a", "b") }
      try await $0.commit {
        $0.fences.removesAll = true
        $0.snapshot = engineSnapshot(0)
      }
      let record = try await $0.load()
      #expect(record.fences.isEmpty && record.lastSerial == 2)
    },
    StoreConformanceCase("a one-shot fence is removed with the commit of its crossing, not before") {
      bench in
      try await bench.commit { $0.addFences("a", "parking") }
      try await bench.commit { $0.fixes = [usedFix(1)] }
      #expect(try await bench.load().fences.count == 2)
      try await bench.commit {
        $0.fixes = [usedFix(2)]
        $0.fenceRecords = [
          numberedRecord(1, event: 1, of: "parking"),
          NumberedFenceRecord(number: 2, record: .removed("parking", because: .once)),
        ]
        $0.fences.removed = ["parking"]
        $0.snapshot = engineSnapshot(2)
        $0.durability = .power
      }
      let record = try await bench.load()
      #expect(
        record.fences.map(\.fence.id) == ["a"] && record.lastRecordNumber == 2 && record.lastEventNumber == 1)
    },
    StoreConformanceCase(
      "edits of other processes are stored in order until they are applied, and then removed"
    ) {
      try await $0.edit(.set(fence("a")), of: phone)
      try await $0.edit(.removed("b"), of: phone)
      try await $0.edit(.set(fence("c")), of: watch)
      let edits = try await $0.load().edits
      try #require(edits.map(\.change) == [.set(fence("a")), .removed("b")])
      #expect(edits[0].number >= 1 && edits[0].number < edits[1].number)
      try await $0.edit(.set(fence("d")), of: phone)
      try await $0.commit {
        $0.addFences("a")
        $0.lastAppliedEdit = edits[1].number
      }
      #expect(try await $0.load().edits.map(\.change) == [.set(fence("d"))])
      #expect(try await $0.load(watch).edits.map(\.change) == [.set(fence("c"))])
    },
    StoreConformanceCase("edits after all earlier ones are applied have greater numbers") {
      try await $0.edit(.removed("a"), of: phone)
      let first = try await $0.load().edits.map(\.number)
      try await $0.commit {
        $0.lastAppliedEdit = first.last
        $0.snapshot = engineSnapshot(0)
      }
      try await $0.edit(.removed("b"), of: phone)
      let second = try await $0.load().edits.map(\.number)
      #expect(first.count == 1 && second.count == 1 && first[0] < second[0])
    },
    StoreConformanceCase("trips are replaced, and ended trips are stored but not open") {
      try await $0.commit { $0.trips = [trip("a", distance: 1), trip("b", distance: 2)] }
      try await $0.commit { $0.trips = [trip("a", distance: 10.1)] }
      let open = Set(try await $0.load().openTrips)
      #expect(open == [trip("a", distance: 10.1), trip("b", distance: 2)])
      try await $0.commit { $0.trips = [trip("b", distance: 3, ended: 9)] }
      #expect(try await $0.load().openTrips == [trip("a", distance: 10.1)])
      #expect(try await $0.load().endedTrips == ["b"])
      let all = Set(try await $0.trips(of: phone))
      #expect(all == [trip("a", distance: 10.1), trip("b", distance: 3, ended: 9)])
    },
    StoreConformanceCase("gaps belong to their trip, and an existing gap is replaced") {
      try await $0.commit {
        $0.trips = [trip("a", distance: 1), trip("b", distance: 1)]
        $0.gaps = [gap(of: "a", end: 20), gap(of: "a", end: 10), gap(of: "b", end: 10)]
      }
      try await $0.commit { $0.gaps = [gap(of: "a", end: 10, counted: 99)] }
      #expect(
        try await $0.gaps(of: "a", device: phone) == [
          gap(of: "a", end: 10, counted: 99), gap(of: "a", end: 20),
        ])
      #expect(try await $0.gaps(of: "b", device: phone) == [gap(of: "b", end: 10)])
      #expect(try await $0.gaps(of: "a", device: watch).isEmpty)
    },
  ]
}

extension StoreCommit {
  /// New fences, numbered from 1.
  fileprivate mutating func addFences(_ ids: String...) {
    for (place, id) in ids.enumerated() {
      fences.set.append(StoreCommit.FenceChange.Entry(EngineTestSupport.fence(id), serial: UInt64(place) + 1))
    }
    fences.lastSerial = UInt64(ids.count)
    snapshot = engineSnapshot(0)
  }
}
