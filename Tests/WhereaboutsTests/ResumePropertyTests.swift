import EngineTestSupport
import Testing
import Whereabouts
import WhereaboutsTesting

/// Random runs with kills must give the same deliveries, fences and totals as runs without kills.
@Suite struct ResumePropertyTests {
  /// An action at a second of a run.
  private enum Action: Sendable {
    case fix(Fix)
    case segment
    case set(Fence)
    case remove(FenceID)
    case removeAll
    case authorize(Bool)
    case stopTrip
    case startTrip
  }

  /// The actions of a run by second, the same for the same seed.
  private struct RandomRun: Sendable {
    var seconds: [[Action]] = []

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      var north = -300.0, speed = 0.0, isAllowed = true, time = 0
      while time < 400 {
        time += 1
        if Int.random(in: 0..<20, using: &random) == 0 { speed = Double.random(in: -12...12, using: &random) }
        north += speed
        if north.magnitude > 500 { speed = -speed }
        var actions: [Action] = []
        // Some seconds have no fix.
        let isSilent = time % 97 > 80 && seed.isMultiple(of: 2)
        if !isSilent {
          let noisy = north + Double.random(in: -4...4, using: &random)
          var accuracy: Double? = .random(in: 3...9, using: &random)
          if Int.random(in: 0..<30, using: &random) == 0 { accuracy = nil }
          actions.append(.fix(EngineTestSupport.fix(accuracy, at: Double(time), north: noisy)))
          switch Int.random(in: 0..<40, using: &random) {
          case 0: actions.append(.fix(EngineTestSupport.fix(5, at: Double(time) - 2.5, north: noisy)))
          case 1: actions.append(actions[0])
          default: break
          }
        }
        switch Int.random(in: 0..<60, using: &random) {
        case 0: actions.append(.segment)
        case 1, 2, 3: actions.append(.set(Self.fence(&random)))
        case 4: actions.append(.remove(Self.names[Int.random(in: 0..<Self.names.count, using: &random)]))
        case 5 where time % 5 == 0: actions.append(.removeAll)
        case 6:
          isAllowed.toggle()
          actions.append(.authorize(isAllowed))
        case 7: actions.append(.stopTrip)
        case 8, 9: actions.append(.startTrip)
        default: break
        }
        seconds.append(actions)
      }
      seconds[0].insert(contentsOf: Self.names.map { .set(Self.fence(&random, named: $0)) }, at: 0)
      seconds.append([.authorize(true)])
    }

    static let names: [FenceID] = ["a", "b", "c", "d"]

    static func fence(_ random: inout SeededGenerator, named name: FenceID? = nil) -> Fence {
      let terms = FenceTerms(
        enterDwell: .seconds(Int.random(in: 0...1, using: &random) * 4),
        dwell: Bool.random(using: &random) ? .seconds(Int.random(in: 3...40, using: &random)) : nil,
        reportsInitialSide: Bool.random(using: &random), once: Int.random(in: 0..<4, using: &random) == 0,
        expiry: Int.random(in: 0..<6, using: &random) == 0 ? utc(.random(in: 50...500, using: &random)) : nil)
      let made = EngineTestSupport.fence(
        "", north: .random(in: -300...300, using: &random), radius: .random(in: 20...200, using: &random))
      return Fence(
        id: name ?? names[Int.random(in: 0..<names.count, using: &random)], area: made.area, terms: terms)
    }
  }

  /// A process: a manager over the store of the previous process.
  private struct ManagerProcess {
    let source = ScriptedSource()
    let manager: LocationManager
    var tracker: Tracker

    init(_ store: MemoryStore, _ clock: StepClock, settings: ManagerSettings) async {
      manager = LocationManager(source: source, clock: clock.managerClock, settings: settings, store: store)
      tracker = manager.tracker(TrackTerms(trip: "way"))
    }

    mutating func perform(_ action: Action) async throws {
      switch action {
      case .fix(let fix): await source.emit(fix)
      case .segment: await source.emit(.segmentBegan)
      case .set(let fence): try await manager.fences.update(fence)
      case .remove(let id): try await manager.fences.remove(id)
      case .removeAll: try await manager.fences.removeAll()
      case .authorize(let isAllowed):
        await source.emit(Authorization(isAllowed ? .always : .denied, noticesChanges: true))
      case .stopTrip: await tracker.stop()
      case .startTrip: try? await tracker.start()
      }
    }
  }

  private struct RunResult: Equatable, Sendable {
    var deliveries: [FenceUpdate]
    var fences: [Fence]
    var states: [FenceState?]
    var fixes: Int
  }

  /// Executes a run with kills at some seconds.
  private func execute(
    through run: RandomRun, killedAt kills: Set<Int>, settings: ManagerSettings
  ) async throws -> RunResult {
    let clock = StepClock(wall: utc(0))
    var store = MemoryStore()
    var process = await ManagerProcess(store, clock, settings: settings)
    var corpses: [LocationManager] = []
    var isPermitted = Authorization(.always, noticesChanges: true)
    for (second, actions) in run.seconds.enumerated() {
      await clock.advance(by: .seconds(1))
      for action in actions {
        if case .authorize(let isAllowed) = action {
          isPermitted = Authorization(isAllowed ? .always : .denied, noticesChanges: true)
        }
        try await process.perform(action)
      }
      await process.manager.waitUntilProcessed()
      guard kills.contains(second) else { continue }
      corpses.append(process.manager)
      store = await store.copy()
      process = await ManagerProcess(store, clock, settings: settings)
      await process.source.emit(isPermitted)
    }
    let deliveries = process.manager.fences.updates(for: "test")
    process.source.end()
    var all: [FenceUpdate] = []
    for await delivery in deliveries where delivery.number != nil { all.append(delivery) }
    let fences = await process.manager.fences.all
    var states: [FenceState?] = []
    for fence in fences { states.append(await process.manager.fences.state(of: fence.id)) }
    withExtendedLifetime(corpses) {}
    return RunResult(deliveries: all, fences: fences, states: states, fixes: await store.fixes().count)
  }

  private static func difference(_ found: RunResult, _ expected: RunResult) -> String {
    var lines = [
      "\(found.deliveries.count) deliveries of \(expected.deliveries.count), \(found.fixes) fixes of \(expected.fixes)"
    ]
    if found.fences != expected.fences {
      lines.append("fences \(found.fences.map(\.id)), not \(expected.fences.map(\.id))")
    }
    if found.states != expected.states { lines.append("states differ") }
    for (found, expected) in zip(found.deliveries, expected.deliveries) where found != expected {
      lines.append("\(summary(found)), not \(summary(expected))")
      break
    }
    return lines.joined(separator: "; ")
  }

  private static func summary(_ delivery: FenceUpdate) -> String {
    guard let event = delivery.event else {
      return "\(delivery.number ?? 0) \(delivery)"
    }
    return "\(delivery.number ?? 0) \(event.fence) \(event.kind) \(event.manner) at "
      + "\(event.time.seconds(since: utc(0))) decided \(event.decided.seconds(since: utc(0)))"
  }

  @Test(arguments: PropertyCases.seeds(3, of: 1...8)) func killsDoNotChangeTheResult(seed: UInt64)
    async throws
  {
    var random = SeededGenerator(seed: seed &* 7919)
    let run = RandomRun(seed: seed)
    // Power saving and outlier tests depend on the fixes that the process itself has received.
    var settings = ManagerSettings(outliers: nil)
    settings.fences = FenceSettings(waitsForLate: seed.isMultiple(of: 3))
    let expected = try await execute(through: run, killedAt: [], settings: settings)
    for count in [1, 4, 20] {
      let kills = Set((0..<count).map { _ in Int.random(in: 0..<run.seconds.count, using: &random) })
      let found = try await execute(through: run, killedAt: kills, settings: settings)
      if found != expected {
        Issue.record("seed \(seed), killed at \(kills.sorted()): \(Self.difference(found, expected))")
      }
    }
  }
}
