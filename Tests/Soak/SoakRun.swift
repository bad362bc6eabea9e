import WhereaboutsEngine
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsSources
import WhereaboutsTesting

/// Days of a device's life in virtual time, with everything that may go wrong: a manager over two receivers, a store,
/// fences, trackers, subscriptions and requests. The same seed makes the same days; tasks run in another order each time.
public struct SoakRun {
  private static let secondsOfDay = 86_400
  /// The time step while no receiver is on.
  private static let idleStep = 5

  private let days: Int
  private let seed: UInt64
  private let clock = StepClock(wall: SoakPlan.start)
  private let store = SoakStore()
  private let receivers = [SoakReceiver(), SoakReceiver()]
  private let outcomes = RequestOutcomeLog()
  private var plan: SoakPlan
  private var clients: SoakClients
  private var faults: SoakFaults
  private var report = SoakReport()
  private var fixes = 0

  /// Makes a run of a number of days.
  public init(days: Int, seed: UInt64) {
    self.days = days
    self.seed = seed
    plan = SoakPlan(seed: seed)
    clients = SoakClients(seed: seed &+ 1, endings: outcomes)
    faults = SoakFaults(seed: seed &+ 2, clock: clock, store: store, receivers: receivers.count)
  }

  /// Runs all days.
  ///
  /// - Parameter progress: called after each day.
  public mutating func run(progress: @Sendable (Int, SoakReport) -> Void = { _, _ in }) async -> SoakReport {
    let began = ContinuousClock.now
    let meter = DemandMeter(clock: clock)
    let ledger: Task<Duration, Never>
    let eventCount: Int
    do {
      let manager = LocationManager(
        source: ObservedSource(failover, meter: meter), clock: clock.managerClock, store: store)
      let decisions = manager.decisions(keeping: .all(upTo: 1_000_000))
      ledger = Task { [outcomes] in await Self.follow(decisions, outcomes) }
      let deliveries = Task { [fences = manager.fences] in
        var count = 0
        for await update in fences.updates(for: "soak") {
          count += 1
          // On a full disk the event is delivered again later.
          if let number = update.number { try? await fences.acknowledge(through: number, by: "soak") }
        }
        return count
      }
      do { try await manager.fences.add(contentsOf: watchedPlaces()) } catch {
        report.violations.append("could not watch: \(error)")
      }
      for day in 0..<days {
        await runDay(through: day, manager)
        report.memory.append(SoakReport.residentMemory())
        progress(day, report)
      }
      await finish(manager)
      // The listener holds the manager.
      deliveries.cancel()
      eventCount = await deliveries.value
      if await meter.demand != .off { report.violations.append("there is a demand without consumers") }
    }
    // The manager was released, so the stream ends.
    let asked = await ledger.value
    await evaluate(asked: asked, meter: await meter.duration)
    report.figures += [
      ("fence events reported", "\(eventCount)"),
      ("true seconds", "\((ContinuousClock.now - began).components.seconds)"),
    ]
    return report
  }

  private var failover: FailoverSource {
    FailoverSource(
      [
        .init(.init(name: "receiver"), receivers[0]),
        .init(.init(name: "substitute"), receivers[1]),
      ], clock: clock)
  }

  /// Home, work, and two hundred places around them.
  private func watchedPlaces() throws -> [Fence] {
    var random = SeededGenerator(seed: seed &+ 3)
    func place(_ id: String, _ center: Coordinate, _ radius: Double) throws -> Fence {
      Fence(id: FenceID(id), area: .circle(try Area.Circle(center: center, radius: radius)))
    }
    var fences = [try place("home", plan.home, 120), try place("work", plan.work, 150)]
    for number in 0..<200 {
      let center = Geodesic(
        from: plan.home, azimuth: .random(in: 0..<360, using: &random),
        distance: .random(in: 500...20_000, using: &random))
      fences.append(
        try place("place \(number)", center?.end ?? plan.home, .random(in: 50...400, using: &random)))
    }
    return fences
  }

  // MARK: Living

  private mutating func runDay(through day: Int, _ manager: LocationManager) async {
    var second = day * Self.secondsOfDay
    let end = second + Self.secondsOfDay
    while second < end {
      var isOn = false
      for receiver in receivers where await receiver.demand != .off { isOn = true }
      let step = isOn ? 1 : Self.idleStep
      await clock.advance(by: .seconds(step))
      second += step
      plan.advance(to: second)
      await faults.advance(second, receivers)
      await clients.advance(second, plan.segment, manager)
      // Each demand until now must have reached the source.
      await manager.waitUntilProcessed()
      for place in receivers.indices { await sendFix(place, second) }
    }
  }

  private mutating func sendFix(_ place: Int, _ second: Int) async {
    let receiver = receivers[place]
    let demand = await receiver.demand
    let pace: Int
    switch demand.fixes {
    case .off: return
    case .significantChanges: pace = 120
    case .continuous(let demand): pace = max(place == 0 ? 1 : 5, Int(demand.interval.components.seconds))
    }
    guard second % pace == 0, faults.delivers(place, asked: await receiver.demandCount, at: second),
      var fix = plan.fix(at: second)
    else { return }
    if place > 0 { fix.horizontalAccuracy = 25 }
    fixes += 1
    await receiver.send(.fix(fix, age: .sinceArrival))
  }

  /// Everybody leaves, the fences are taken away, and time enough passes for all that is due.
  private mutating func finish(_ manager: LocationManager) async {
    await faults.restoreAll(receivers)
    await clients.endAll()
    do { try await manager.fences.removeAll() } catch {
      report.violations.append("could not unwatch: \(error)")
    }
    for _ in 0..<120 {
      await clock.advance(by: .seconds(1))
      await manager.waitUntilProcessed()
    }
    let health = await manager.save()
    if case .working = health {} else { report.violations.append("not all is kept: \(health)") }
  }

  // MARK: Judging

  /// Reads what the engine decided.
  ///
  /// - Returns: for how long something was asked of the source.
  private static func follow(_ decisions: EventStream<Decision.Entry>, _ endings: RequestOutcomeLog) async
    -> Duration
  {
    var asked = Duration.zero
    var since: Instant?
    for await entry in decisions {
      switch entry.decision {
      case .requestEnded(let id, _, let outcome, _): await endings.recordDecided(id, outcome)
      case .demandChanged(_, let demand, _):
        if let since { asked += entry.moment.instant.since(since) }
        since = demand == .off ? nil : entry.moment.instant
      default: break
      }
    }
    return asked
  }

  private mutating func evaluate(asked: Duration, meter: Duration) async {
    let usages = await store.usages
    report.violations += await store.violations
    report.violations += await outcomes.violations
    if await outcomes.unmatched > 0 {
      report.violations.append("\(await outcomes.unmatched) requests did not end")
    }
    if usages.duration != asked {
      report.violations.append("the ledger has \(usages.duration), asked was for \(asked)")
    }
    // The source receives a demand slightly later than its decision.
    if abs((meter - asked) / .seconds(1)) > max(60, 0.001 * (asked / .seconds(1))) {
      report.violations.append("asked was for \(asked), the source saw \(meter)")
    }
    let ended = await outcomes.counts
    if ended.values.reduce(0, +) != clients.requested {
      report.violations.append("\(clients.requested) requests, \(ended.values.reduce(0, +)) ends")
    }
    report.figures += [
      ("days", "\(days)"), ("seed", "\(seed)"), ("fixes", "\(fixes)"), ("requests", "\(clients.requested)"),
      ("subscriptions", "\(clients.subscribed)"), ("trips", "\(clients.trips)"),
      ("receiver on, hours", "\(asked.components.seconds / 3600)"), ("usages", "\(usages.count)"),
      ("fixes kept", "\(await store.fixes)"), ("writes refused", "\(await store.failedCommits)"),
    ]
    for (name, count) in ended.sorted(by: { $0.key < $1.key }) {
      report.figures.append(("requests \(name)", "\(count)"))
    }
    for (name, count) in faults.counts.sorted(by: { $0.key < $1.key }) {
      report.figures.append(("fault \(name)", "\(count)"))
    }
  }
}
