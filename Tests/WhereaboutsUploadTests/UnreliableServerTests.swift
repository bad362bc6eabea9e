import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsUpload

/// With an unreliable server and kills, every item arrives in order, and never under two names.
@Suite struct UnreliableServerTests {
  /// The faults of a server in its worst phase.
  private static func behaviour(_ random: inout SeededGenerator) -> TestServer.Behaviour {
    let ok = TestServer.Behaviour.answer(200, body: #"{"result":"ok"}"#)
    switch Int.random(in: 0..<13, using: &random) {
    case 0: return .answer(500)
    case 1: return .answer(503, [("Retry-After", "\(Int.random(in: 0...600, using: &random))")])
    case 2: return .answer(429, [("Retry-After", "soon")], body: "{\"result\":")
    case 3: return .disconnect
    case 4: return .acceptThenDisconnect
    case 5: return .acceptThenTruncateReply
    case 6: return .acceptThenSendGarbage
    case 7: return .acceptThenHang
    default: return ok
    }
  }

  /// A history, and the items of it that must arrive.
  private struct RandomHistory {
    var commits: [StoreCommit] = []
    var items: [String] = []

    /// Fixes of every use, some of long ago, a clock that was set back, notes of every kind, snapshots here and there.
    init(_ random: inout SeededGenerator, crossings: Bool) {
      var (seq, number, seconds) = (0, UInt64(0), 0)
      for _ in 0..<Int.random(in: 3...25, using: &random) {
        var commit = SampleHistory.commit([], snapshot: Int.random(in: 0..<4, using: &random) == 0)
        for _ in 0..<Int.random(in: 0...6, using: &random) {
          seconds += Int.random(in: 1...40, using: &random)
          if Int.random(in: 0..<60, using: &random) == 0 { seconds -= 4000 }
          var seen = SampleHistory.fix(seconds)
          seq += 1
          if Int.random(in: 0..<8, using: &random) == 0 {
            seen = SampleHistory.fix(seconds - Int.random(in: 0...20_000, using: &random))
            seen.use = Bool.random(using: &random) ? .late : .implausible
          } else {
            items.append("fix/\(seq)")
          }
          commit.fixes.append(seen)
        }
        if Int.random(in: 0..<5, using: &random) == 0 {
          number += 1
          let event = SampleHistory.event(number, at: seconds)
          let records: [FenceRecord] = [
            .event(event), .revised(event.id, event), .revised(event.id, nil),
            .removed("home", because: .once),
          ]
          let record = records.randomElement(using: &random) ?? .event(event)
          commit.fenceRecords = [NumberedFenceRecord(number: number, record: record)]
          if crossings, UploadItem(record, number: number) != nil { items.append("note/\(number)") }
        }
        commits.append(commit)
      }
    }
  }

  @Test(arguments: PropertyCases.seeds(8, of: 1...30)) func itemsArriveOnceAndInOrder(seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let past = RandomHistory(&random, crossings: true)
    let rig = try UploadFixture()
    let fate = Locked((random: SeededGenerator(seed: seed &+ 1000), isBad: true))
    // The server refuses a larger body in both phases.
    let largest = Int.random(in: 300...3000, using: &random)
    let server = try await TestServer.start { request in
      if Int(request.fields["content-length"] ?? "") ?? 0 > largest { return .answer(413) }
      return fate.withLock { fate in
        fate.isBad ? Self.behaviour(&fate.random) : .answer(200, body: #"{"result":"ok"}"#)
      }
    }
    var endpoint = Endpoint.test(.whereabouts, server)
    endpoint.batchSize = Int.random(in: 1...12, using: &random)
    do {
      let store = try rig.store()
      try store.add(endpoint)
      store.close()
    }
    var commits = past.commits[...]
    var kills = 0
    // Each round is a process, which is killed in the end.
    while !commits.isEmpty || kills < 3 {
      let store = try rig.store()
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        if let commit = commits.popFirst() { try await store.commit(commit) }
      }
      await sendUntilKilled(
        rig, store, server, seed: seed &+ UInt64(kills), requests: Int.random(in: 0...6, using: &random))
      store.close()
      kills += 1
    }
    fate.withLock { $0.isBad = false }
    let store = try rig.store()
    let outcome = try await rig.drive(store)
    #expect(outcome.last == .waiting(until: nil), "seed \(seed)")
    try check(server, past, store, "seed \(seed), \(kills) kills")
    try await server.stop()
    #expect(await rig.clock.sleepers == 0)
  }

  /// Sends until a number of requests has arrived, and is killed during the last one.
  private func sendUntilKilled(
    _ rig: UploadFixture, _ store: SQLiteStore, _ server: TestServer, seed: UInt64, requests: Int
  ) async {
    let sending = Task { try await rig.drive(store, seed: seed, steps: 40) }
    let watching = Task {
      var rest = requests
      for await request in server.arrivals {
        rest -= 1
        if rest <= 0 { return }
        guard case .acceptThenHang = request.behaviour else { continue }
        await rig.clock.advance(by: max(.zero, await rig.clock.nextDeadline().offset - rig.clock.now.offset))
      }
    }
    let end = Task {
      await watching.value
      sending.cancel()
    }
    _ = try? await sending.value
    watching.cancel()
    await end.value
  }

  private func check(_ server: TestServer, _ past: RandomHistory, _ store: SQLiteStore, _ remark: Comment)
    throws
  {
    var names: [String: String] = [:]
    var bodies: [String: [UInt8]] = [:]
    var order: [String] = []
    for request in server.requests {
      if let body = bodies[request.key] { #expect(body == request.body, remark) }
      bodies[request.key] = request.body
      // Refused as too large: its items are sent again under other names.
      if case .answer(413, _, _) = request.behaviour { continue }
      for id in request.ids {
        if let name = names[id] {
          #expect(name == request.key, remark)
        } else {
          names[id] = request.key
          order.append(id)
        }
      }
    }
    let status = try store.onlyStatus()
    let dead = try deadItems(server, status)
    let arrived = Set(names.keys).union(dead)
    #expect(past.items.filter { !arrived.contains($0) } == [], remark)
    #expect(arrived.subtracting(past.items) == [], remark)
    #expect(
      order.filter { $0.hasPrefix("fix") } == past.items.filter { $0.hasPrefix("fix") && names[$0] != nil },
      remark)
    #expect(
      order.filter { $0.hasPrefix("note") } == past.items.filter { $0.hasPrefix("note") && names[$0] != nil },
      remark)
    #expect(status.waiting.requests == 0 && status.unreadFixes == 0 && status.stopReason == nil, remark)
  }

  /// Requests with a single item that are too large.
  private func deadItems(_ server: TestServer, _ status: UploadStatus) throws -> Set<String> {
    let keys = Set(status.deadLetters.map { "\"\($0.key)\"" })
    return Set(server.requests.filter { keys.contains($0.key) }.flatMap(\.ids))
  }
}
