import Testing
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

/// A reference registry: an array of requests that is searched linearly.
private struct ReferenceRequestRegistry {
  struct Entry {
    let id: RequestID
    let terms: RequestTerms
    let opened: Instant
    var deadline: Instant?
  }

  var entries: [Entry] = []

  mutating func add(_ id: RequestID, _ terms: RequestTerms, at now: Instant, deadlineStarts: Bool) {
    let deadline = deadlineStarts ? terms.timeout.map { now.advanced(by: $0) } : nil
    entries.append(Entry(id: id, terms: terms, opened: now, deadline: deadline))
  }

  mutating func startWaitingDeadlines(at now: Instant) {
    for index in entries.indices where entries[index].deadline == nil {
      entries[index].deadline = entries[index].terms.timeout.map { now.advanced(by: $0) }
    }
  }

  mutating func removeAll(where isWanted: (Entry) -> Bool) -> [RequestID] {
    defer { entries.removeAll(where: isWanted) }
    return entries.filter(isWanted).map(\.id).sorted()
  }

  mutating func removeDue(at now: Instant) -> [RequestID] {
    let due = entries.filter { $0.deadline.map { $0 <= now } ?? false }
    entries.removeAll { entry in due.contains { $0.id == entry.id } }
    return due.sorted { ($0.deadline ?? .start, $0.id) < ($1.deadline ?? .start, $1.id) }.map(\.id)
  }
}

@Suite struct RequestRegistryTests {
  private static func randomTerms(_ random: inout SeededGenerator) -> RequestTerms {
    let ownAccuracy = Double.random(in: 1...40, using: &random).rounded()
    let own = AccuracyLevel.custom(
      worstAccuracy: ownAccuracy, maxAge: .seconds(Int.random(in: 1...3, using: &random)))
    let level = Bool.random(using: &random) ? own : AccuracyLevel.standard.randomElement(using: &random)
    return RequestTerms(
      level: level ?? .room,
      timeout: Bool.random(using: &random) ? .seconds(Int.random(in: 0...30, using: &random)) : nil,
      settle: Int.random(in: 0..<3, using: &random) == 0
        ? .seconds(Int.random(in: 0...9, using: &random)) : nil)
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func indexedEndsEqualExhaustiveSearch(seed: UInt64) {
    var random = SeededGenerator(seed: seed), registry = RequestRegistry(), plain = ReferenceRequestRegistry()
    var now = Instant.start, allowed = false, terms: [RequestID: RequestTerms] = [:]
    // Few ids, so that they repeat; the engine never reuses an id.
    let ids = UInt64.random(in: 5...300, using: &random)
    for step in 0..<300 {
      now = now.advanced(by: .milliseconds(Int.random(in: 0...800, using: &random)))
      let id = RequestID(.random(in: 0..<ids, using: &random))
      var ended: [RequestRegistry.Ended] = [], expected: [RequestID] = []
      switch Int.random(in: 0..<40, using: &random) {
      case 0..<25:
        guard !registry.contains(id) else { continue }
        let new = Self.randomTerms(&random)
        terms[id] = new
        registry.add(id, new, at: now, deadlineStarts: allowed)
        plain.add(id, new, at: now, deadlineStarts: allowed)
      case 25..<31:
        ended = registry.remove(id).map { [$0] } ?? []
        expected = plain.removeAll { $0.id == id }
      case 31..<34:
        let accuracy = Double.random(in: 3...50, using: &random)
        let age = Duration.milliseconds(Int.random(in: 0...5000, using: &random))
        ended = registry.removeReached(accuracy: accuracy, age: age)
        expected = plain.removeAll { $0.terms.level.isReached(byAccuracy: accuracy, age: age) }
      case 34..<36:
        let calm = now.advanced(by: .seconds(-Int.random(in: 0...12, using: &random)))
        ended = registry.removeSettled(calmSince: calm, at: now)
        expected = plain.removeAll { entry in
          entry.terms.settle.map { now.since(max(calm, entry.opened)) >= $0 } ?? false
        }
      case 36:
        // Sometimes a long time passes, so that nearly all requests are due at once.
        if Int.random(in: 0..<4, using: &random) == 0 { now = now.advanced(by: .seconds(25)) }
        ended = registry.removeDue(at: now)
        expected = plain.removeDue(at: now)
      case 37:
        registry.startWaitingDeadlines(at: now)
        plain.startWaitingDeadlines(at: now)
        allowed = true
      case 38 where Int.random(in: 0..<5, using: &random) == 0:
        ended = registry.removeAll()
        expected = plain.removeAll { _ in true }
      default:
        let next = registry.nextDeadline()
        #expect(next == plain.entries.compactMap(\.deadline).min(), "step \(step)")
      }
      #expect(ended.map(\.id) == expected, "step \(step)")
      #expect(ended.allSatisfy { terms[$0.id] == registry.terms(of: $0) }, "step \(step)")
      #expect(registry.count == plain.entries.count && registry.isEmpty == plain.entries.isEmpty)
    }
  }

  @Test(arguments: PropertyCases.seeds(1, of: 1...5 as ClosedRange<UInt64>))
  func simultaneousDeadlinesEndInOrder(seed: UInt64) {
    var random = SeededGenerator(seed: seed), registry = RequestRegistry(), plain = ReferenceRequestRegistry()
    for number in (0..<3000 as Range<UInt64>).shuffled(using: &random) {
      let timeout = Duration.milliseconds(Int.random(in: 0...1000, using: &random))
      let terms = RequestTerms(level: .room, timeout: timeout)
      let began = Instant(.milliseconds(-500))
      registry.add(RequestID(number), terms, at: began, deadlineStarts: true)
      plain.add(RequestID(number), terms, at: began, deadlineStarts: true)
    }
    for _ in 0..<1000 {
      let id = RequestID(.random(in: 0..<3000, using: &random))
      let removed = registry.remove(id)
      #expect(plain.removeAll { $0.id == id } == (removed.map { [$0.id] } ?? []))
    }
    for now in [Instant(.milliseconds(200)), Instant(.milliseconds(500))] {
      let due = registry.removeDue(at: now), next = registry.nextDeadline()
      #expect(due.map(\.id) == plain.removeDue(at: now))
      #expect(next == plain.entries.compactMap(\.deadline).min())
    }
    #expect(registry.isEmpty)
  }

  @Test func levelsWithEqualValuesAreReachedTogether() {
    var registry = RequestRegistry()
    let own = AccuracyLevel.custom(worstAccuracy: 5, maxAge: .seconds(5)) ?? .city
    registry.add(a, RequestTerms(level: .room, timeout: nil), at: .start, deadlineStarts: true)
    registry.add(b, RequestTerms(level: own, timeout: nil), at: .start, deadlineStarts: true)
    let reached = registry.removeReached(accuracy: 5, age: .seconds(5))
    #expect(reached.map { registry.terms(of: $0).level.name } == ["room", "custom"])
  }

  @Test func tooOldFixDoesNotReachALevel() {
    var registry = RequestRegistry()
    registry.add(a, RequestTerms(level: .room, timeout: nil), at: .start, deadlineStarts: true)
    let tooOld = registry.removeReached(accuracy: 1, age: .seconds(6))
    let unknown = registry.removeReached(accuracy: .nan, age: .zero)
    #expect(tooOld.isEmpty && unknown.isEmpty)
    #expect(registry.count == 1)
  }
}
