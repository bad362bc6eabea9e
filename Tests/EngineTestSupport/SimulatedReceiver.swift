package import WhereaboutsEngine
package import WhereaboutsModel

/// An engine over a receiver that is on only as it is asked to be: it needs a while to its first fix, and gives none
/// sooner than is worth having. What it would see is a list of fixes.
package struct SimulatedReceiver: Sendable {
  /// The engine.
  package private(set) var engine: Engine
  /// From being asked to the first fix.
  package let warmUp: Duration
  /// Fixes that were given.
  package private(set) var deliveredCount = 0
  /// How long it was on, in seconds.
  package private(set) var secondsOn = 0.0
  /// What happened at fences.
  package private(set) var events: [FenceEvent] = []
  /// What the fences needed, each time that changed, and when.
  package private(set) var powers: [(instant: Instant, power: FencePower)] = []
  /// What is asked of it.
  package private(set) var demand = Demand.off
  /// Since when it has been on.
  package private(set) var onSince: Instant?

  private var lastDelivered: Instant?
  private var start: UTCTime?
  private var effects: [Effect] = []
  private var now = Instant.start

  package init(_ settings: EngineSettings = EngineSettings(), warmUp: Duration = .seconds(10)) {
    engine = Engine(settings: settings)
    self.warmUp = warmUp
  }

  /// Tells the engine something at the present moment.
  package mutating func sendInput(_ input: Input) { handle(input, at: now) }

  /// Lives through what there would be to see, in the order of its times.
  package mutating func run(through fixes: [Fix]) {
    for fix in fixes { step(to: fix) }
    if let onSince { secondsOn += now.since(onSince).inSeconds }
    onSince = onSince.map { _ in now }
  }

  /// Lives until there would be a fix to see, and sees it if it is on.
  package mutating func step(to fix: Fix) {
    guard let time = fix.time else { return }
    advance(to: time)
    if isReady { deliver(fix) }
  }

  /// Whether it is on and past its warm-up, and gives whatever there is to see.
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
