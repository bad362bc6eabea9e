import Atomics
import Whereabouts
import WhereaboutsTesting

/// Those who want to know where the device is: requests every few minutes, subscriptions for a while, a tracker for each
/// drive and walk.
struct SoakClients {
  private struct OpenRequest {
    var request: LocationRequest
    /// The time and kind of a client's change.
    var until: Int
    var completes: Bool
  }

  private(set) var requested = 0
  private(set) var subscribed = 0
  private(set) var trips = 0
  private var random: SeededGenerator
  private var open: [OpenRequest] = []
  private var nextRequest = 60
  private var nextSubscription = 600
  private var listeners: [(task: Task<Void, Never>, until: Int)] = []
  private var tracker: (tracker: Tracker, tasks: [Task<Void, Never>])?
  /// Requests by how they ended.
  private let outcomes: RequestOutcomeLog
  private let tasks = SoakTasks()

  init(seed: UInt64, endings: RequestOutcomeLog) {
    random = SeededGenerator(seed: seed)
    self.outcomes = endings
  }

  mutating func advance(_ second: Int, _ stretch: SoakPlan.Segment, _ manager: LocationManager) async {
    endDueRequests(second)
    if second >= nextRequest {
      nextRequest = second + Int.random(in: 60...1500, using: &random)
      makeRequest(manager, at: second)
    }
    if second >= nextSubscription {
      nextSubscription = second + Int.random(in: 600...14_400, using: &random)
      listen(manager, until: second + Int.random(in: 5...2400, using: &random))
    }
    await track(stretch, manager)
  }

  /// Everybody leaves, and it is waited until they have.
  mutating func endAll() async {
    for entry in open { entry.request.cancel() }
    open = []
    for listener in listeners { listener.task.cancel() }
    listeners = []
    await endTracking()
    await tasks.waitUntilEmpty()
  }

  // MARK: Requests

  private mutating func makeRequest(_ manager: LocationManager, at second: Int) {
    let level = AccuracyLevel.standard.randomElement(using: &random) ?? .house
    let timeouts: [Duration?] = [.seconds(5), .seconds(20), .seconds(60), nil]
    let request = manager.request(
      level, timeout: timeouts.randomElement(using: &random) ?? nil,
      timeoutStarts: Bool.random(using: &random) ? .whenRequested : .whenAuthorized,
      settlingAfter: Bool.random(using: &random) ? .seconds(5) : nil)
    requested += 1
    open.append(
      OpenRequest(
        request: request, until: second + Int.random(in: 1...300, using: &random),
        completes: Bool.random(using: &random)))
    tasks.run { [outcomes] in await outcomes.recordObserved(request.id, await request.outcome) }
  }

  private mutating func endDueRequests(_ second: Int) {
    // One that has ended already does not notice.
    for entry in open where second >= entry.until {
      if entry.completes { entry.request.completeNow() } else { entry.request.cancel() }
    }
    open.removeAll { second >= $0.until }
    for listener in listeners where second >= listener.until { listener.task.cancel() }
    listeners.removeAll { second >= $0.until }
  }

  // MARK: Subscriptions

  private mutating func listen(_ manager: LocationManager, until second: Int) {
    subscribed += 1
    let kind = Int.random(in: 0..<6, using: &random)
    let task = tasks.run {
      switch kind {
      case 0: for await _ in manager.fixes(.house) {}
      case 1: for await _ in manager.updates(.block, distanceFilter: 50, keeping: .all(upTo: 50)) {}
      case 2: for await _ in manager.fixes(FixTerms(level: .room, maximumCount: 20)) {}
      case 3: for await _ in manager.significantChanges() {}
      case 4: for await _ in manager.visits() {}
      default: for await _ in manager.motions() {}
      }
    }
    listeners.append((task, second))
  }

  // MARK: Tracking

  private mutating func track(_ stretch: SoakPlan.Segment, _ manager: LocationManager) async {
    switch (stretch.kind, tracker) {
    case (.rest, nil), (.walk, .some), (.drive, .some): return
    case (.rest, .some): await endTracking()
    case (.walk, nil), (.drive, nil):
      let tracker = manager.tracker(stretch.kind == .walk ? .walk : .car)
      // Without permission a tracker does not start; this is reported and is not a fault.
      try? await tracker.start()
      let updates = tracker.updates, events = tracker.events
      self.tracker = (
        tracker, [Task { for await _ in updates {} }, Task { for await _ in events {} }]
      )
      trips += 1
    }
  }

  private mutating func endTracking() async {
    guard let (tracker, tasks) = tracker else { return }
    _ = await tracker.stop()
    tracker.end()
    for task in tasks { await task.value }
    self.tracker = nil
  }
}

/// Unretained tasks, so that a month of them uses no memory.
final class SoakTasks: Sendable {
  private let running = ManagedAtomic(0)
  private let (ends, ended) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  @discardableResult
  func run(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    running.wrappingIncrement(ordering: .relaxed)
    return Task {
      await work()
      self.running.wrappingDecrement(ordering: .relaxed)
      self.ended.yield()
    }
  }

  func waitUntilEmpty() async {
    guard running.load(ordering: .relaxed) > 0 else { return }
    for await _ in ends where running.load(ordering: .relaxed) == 0 { return }
  }
}

/// The outcomes of requests, as received by their callers and as decided by the engine.
actor RequestOutcomeLog {
  private(set) var counts: [String: Int] = [:]
  /// Seen by one side only until now; both sides must agree, and each see each request once.
  private var observed: [RequestID: RequestOutcome] = [:]
  private var decided: [RequestID: RequestOutcome] = [:]
  private(set) var violations: [String] = []

  /// Records the outcome that a request's caller received.
  func recordObserved(_ id: RequestID, _ outcome: RequestOutcome) {
    match(id, outcome, &observed, &decided)
  }

  /// The engine ends a request.
  func recordDecided(_ id: RequestID, _ outcome: RequestOutcome) {
    counts[Self.name(outcome), default: 0] += 1
    match(id, outcome, &decided, &observed)
  }

  /// Requests of which only one side knows that they have ended.
  var unmatched: Int { observed.count + decided.count }

  private func match(
    _ id: RequestID, _ outcome: RequestOutcome, _ mine: inout [RequestID: RequestOutcome],
    _ others: inout [RequestID: RequestOutcome]
  ) {
    if let other = others.removeValue(forKey: id) {
      if other != outcome { violations.append("\(id) ended in two ways") }
    } else if mine.updateValue(outcome, forKey: id) != nil {
      violations.append("\(id) ended twice")
    }
  }

  private static func name(_ outcome: RequestOutcome) -> String {
    switch outcome {
    case .reached: "reached"
    case .settled: "settled"
    case .timedOut: "timed out"
    case .unauthorized: "unauthorized"
    case .completedEarly: "completed early"
    case .cancelled: "cancelled"
    case .sourceFailed: "source failed"
    case .sourceEnded: "source ended"
    }
  }
}
