import Testing
import Whereabouts
import WhereaboutsTesting

/// The promises of ``LocationStore``, checked on every store.
@Suite struct StoreConformanceTests {
  @Test(arguments: StoreConformanceCase.commits, StoreKind.allCases)
  func commits(row: StoreConformanceCase, kind: StoreKind) async throws { try await row.run(on: kind) }

  @Test(arguments: StoreConformanceCase.receiverUsages, StoreKind.allCases)
  func receiverUsages(row: StoreConformanceCase, kind: StoreKind) async throws { try await row.run(on: kind) }

  @Test(arguments: StoreConformanceCase.fences, StoreKind.allCases)
  func fences(row: StoreConformanceCase, kind: StoreKind) async throws { try await row.run(on: kind) }

  @Test(arguments: StoreConformanceCase.delivery, StoreKind.allCases)
  func delivery(row: StoreConformanceCase, kind: StoreKind) async throws { try await row.run(on: kind) }
}

/// All stores hold the same content after the same commits.
@Suite struct StoreAgreementTests {
  @Test(arguments: PropertyCases.seeds(4, of: UInt64(1)...12)) func allStoresHoldTheSameContent(seed: UInt64)
    async throws
  {
    let benches = try StoreKind.allCases.map { try $0.makeFixture() }
    var commits = RandomCommits(seed: seed), random = SeededGenerator(seed: seed)
    for step in 0..<60 {
      let commit = commits.nextCommit()
      for bench in benches { try await bench.store.commit(commit) }
      if Int.random(in: 0..<8, using: &random) == 0 {
        for bench in benches { try await bench.edit(.removed(FenceID("\(step)")), of: phone) }
      }
      if Int.random(in: 0..<12, using: &random) == 0 {
        for bench in benches {
          let last = try await bench.load(phone).edits.last?.number
          try await bench.commit { $0.lastAppliedEdit = last }
        }
      }
      if Int.random(in: 0..<8, using: &random) == 0 {
        let number = UInt64.random(in: 0..<30, using: &random)
        for bench in benches { try await bench.store.acknowledge(through: number, by: "mail", device: phone) }
      }
      guard step % 5 == 4 else { continue }
      for device in [phone, watch] {
        try await expectEqualContent(benches, device, "seed \(seed), step \(step)")
      }
    }
  }

  private func expectEqualContent(_ benches: [any StoreFixture], _ device: DeviceID, _ hint: String)
    async throws
  {
    let first = try await benches[0].load(device)
    let trips = try await benches[0].trips(of: device).sorted { $0.id < $1.id }
    let cursor = try await benches[0].store.cursor(of: "mail", device: device)
    for bench in benches.dropFirst() {
      expectSame(first, try await bench.load(device), hint)
      let others = try await bench.trips(of: device).sorted { $0.id < $1.id }
      #expect(trips == others, "\(hint)")
      for trip in trips {
        let (one, other) = (
          try await benches[0].gaps(of: trip.id, device: device),
          try await bench.gaps(of: trip.id, device: device)
        )
        #expect(one == other, "\(hint)")
      }
      let usages = try await (benches[0].usages(of: device), bench.usages(of: device))
      #expect(usages.0 == usages.1, "\(hint)")
      let otherCursor = try await bench.store.cursor(of: "mail", device: device)
      #expect(cursor == otherCursor, "\(hint)")
    }
  }
}
