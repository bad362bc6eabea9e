package import WhereaboutsEngine
package import WhereaboutsModel

/// An engine over a simulated receiver, which is on only with a demand, needs a warm-up before its first fix, and obeys
/// the demanded interval. The possible fixes are a list.
package struct SimulatedReceiver: Sendable {
  /// The engine.
  package private(set) var engine: Engine
  /// The time from a demand to the first fix.
  package let warmUp: Duration
  /// The number of delivered fixes.
  package private(set) var deliveredCount = 0
  /// The time with the receiver on, in seconds.
  package private(set) var secondsOn = 0.0
  /// The reported fence events.
  package private(set) var events: [FenceEvent] = []
  /// The changes of the fences' power decisions, with their instants.
  package private(set) var powers: [(instant: Instant, power: FencePower)] = []
  /// The current demand.
  package private(set) var demand = Demand.off
  /// The instant since which the receiver is on; `nil` while off.
  package private(set) var onSince: Instant?

  private var lastDelivered: Instant?
  private var start: UTCTime?
  private var effects: [Effect] = []
  private var now = Instant.start

  package init(_ settings: EngineSettings = EngineSettings(), warmUp: Duration = .seconds(10)) {
    engine = Engine(settings: settings)
    self.warmUp = warmUp
  }

  /// Sends an input to the engine at the current moment.
  package mutating func sendInput(_ input: Input) { handle(input, at: now) }

  /// Advances through the possible fixes in the order of their times.
  package mutating func run(through fixes: [Fix]) {
    for fix in fixes { step(to: fix) }
    if let onSince { secondsOn += now.since(onSince).inSeconds }
    onSince = onSince.map { _ in now }
  }

  /// Advances to the time of a fix, and delivers the fix if the receiver is on.
  package mutating func step(to fix: Fix) {
    guard let time = fix.time else { return }
    advance(to: time)
    if isReady { deliver(fix) }
  }

  /// Whether the receiver is on without an interval, and past its warm-up.
  package var isContinuouslyOn: Bool {
    guard case .continuous(let wanted) = demand.fixes, let onSince else { return false }
    return wanted.interval == .zero && now >= onSince.advanced(by: warmUp)
  }

  /// Whether a fix could be had now.
  package var isReady: Bool {
    guard case .continuous(let wanted) = demand.fixes, let onSince, now >= onSince.advanced(by: warmUp) else {
      return false
    }
    guard let lastDelivered, lastDelivered >= onSince else { return true }
    return now.since(lastDelivered) >= wanted.interval - .milliseconds(100)
  }

  /// Lets time pass until then, meeting what is due on the way.
  package mutating func advance(to time: UTCTime) {
    let beginning = start ?? time
    start = beginning
    advance(to: max(now, Instant(time.since(beginning))))
  }

  private mutating func advance(to instant: Instant) {
    while let wake = engine.nextWake, wake <= instant {
      let due = max(now, wake)
      handle(.wake, at: due)
      // One that is due and not done with comes again with the next input.
      if engine.nextWake == wake { break }
    }
    now = instant
  }

  private mutating func deliver(_ fix: Fix) {
    deliveredCount += 1
    lastDelivered = now
    handle(.signal(.fix(fix, age: .sinceArrival)), at: now)
  }

  private mutating func handle(_ input: Input, at instant: Instant) {
    now = max(now, instant)
    effects.removeAll(keepingCapacity: true)
    let wall = start?.advanced(by: now.since(.start))
    engine.handle(input, at: Moment(instant: now, wall: wall), into: &effects)
    for effect in effects {
      switch effect {
      case .demand(let demand): applyDemand(demand)
      case .fence(.event(let event)): events.append(event)
      case .decided(.fencePower(let power)): powers.append((now, power))
      default: break
      }
    }
  }

  private mutating func applyDemand(_ demand: Demand) {
    let wasOn = self.demand != .off
    self.demand = demand
    if demand != .off, !wasOn { onSince = now }
    if demand == .off, let since = onSince {
      secondsOn += now.since(since).inSeconds
      onSince = nil
    }
  }
}
