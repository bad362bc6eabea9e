import Foundation
import Testing
import WhereaboutsTesting
@testable import Whereabouts

/// Sixteen concurrent clients perform random operations on a manager with a random source.
///
/// `SEED=n` runs one seed, `STRESS_SEEDS=n` runs n seeds. `Scripts/test-threads` runs 200 under the thread sanitizer.
@Suite(.serialized) struct StressTests {
  private static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["SEED"].flatMap(UInt64.init) { return [seed] }
    return Array(1...max(1, environment["STRESS_SEEDS"].flatMap(UInt64.init) ?? 40))
  }()

  @Test(arguments: seeds)
  func everyRequestEndsOnceAndNothingLeaks(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let clock = StepClock(wall: .noon)
    let source = ScriptedSource(
      authorizationNeeds: Bool.random(using: &random)
        ? .none : .userConsent(requestable: [.whenInUse, .always]))
    let decisions: EventStream<Decision.Entry>
    let account: StressClient.RequestSummary
    do {
      let manager = LocationManager(source: source, clock: clock.managerClock)
      decisions = manager.decisions(keeping: .all(upTo: 1_000_000))
      account = await run(seed, on: manager, source, clock)
      await manager.waitUntilProcessed()
      let demands = await source.demands
      #expect(demands.last ?? .off == .off, "seed \(seed): no client needs the source")
      #expect(await source.emit(.segmentBegan) == .ended, "seed \(seed): nothing is due")
      await clock.waitUntilNoSleepers()
    }
    // The manager was released, so the stream ends.
    var endings: [RequestID: [RequestOutcome]] = [:]
    for await entry in decisions {
      if case .requestEnded(let id, _, let outcome, _) = entry.decision {
        endings[id, default: []].append(outcome)
      }
    }
    #expect(await decisions.dropped == 0)
    #expect(endings.allSatisfy { $0.value.count == 1 }, "seed \(seed): a request ends once")
    // A task cancelled before its request has made none.
    let possible = account.ended.count...account.ended.count + account.unheld
    #expect(possible.contains(endings.count), "seed \(seed): every request ends")
    for (id, outcome) in account.ended {
      #expect(endings[id] == [outcome], "seed \(seed): the logged outcome equals the awaited one")
    }
    #expect(await source.emit(.segmentBegan) == .ended)
    #expect(await clock.sleepers == 0)
  }

  /// Runs all clients, and merges their summaries.
  private func run(
    _ seed: UInt64, on manager: LocationManager, _ source: ScriptedSource, _ clock: StepClock
  ) async -> StressClient.RequestSummary {
    let world = Task {
      var world = StressEnvironment(random: SeededGenerator(seed: seed &* 1000), source: source, clock: clock)
      var steps = 0
      while !Task.isCancelled {
        await world.step()
        steps += 1
        // Some hundreds are usual. Where a client's thread stands still, as on a busy machine, the world goes on slowly.
        if steps > 2000 { try? await Task.sleep(for: .milliseconds(1)) }
      }
    }
    let account = await withTaskGroup(of: StressClient.RequestSummary.self) { group in
      for number in 1...16 {
        group.addTask {
          var client = StressClient(
            random: SeededGenerator(seed: seed &* 1000 &+ UInt64(number)), manager: manager)
          for _ in 1...12 { await client.step() }
          return await client.endRequests()
        }
      }
      return await group.reduce(into: StressClient.RequestSummary()) {
        $0.ended.merge($1.ended) { first, _ in first }
        $0.unheld += $1.unheld
      }
    }
    world.cancel()
    await world.value
    return account
  }
}

extension UTCTime {
  fileprivate static let noon = UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000)
}
