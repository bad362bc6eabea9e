import Whereabouts
import WhereaboutsModel

/// Runs a source by itself: says what is needed of it, and hears what it tells.
struct SourceHarness {
  static let defaultDemand = Demand.continuous(ContinuousDemand(accuracy: 10))

  /// Everything it told, as far as it was listened to.
  private(set) var receivedSignals: [SourceSignal] = []
  private let demands: AsyncStream<Demand>.Continuation
  private var signals: AsyncStream<SourceSignal>.Iterator
  private let task: Task<Void, Never>

  /// Starts a source.
  init(_ source: some LocationSource, demand: Demand = defaultDemand) {
    let (demands, demandsIn) = AsyncStream.makeStream(of: Demand.self)
    let (signals, signalsIn) = AsyncStream.makeStream(of: SourceSignal.self)
    let link = SourceLink(
      demands: demands, authorizationRequests: AsyncStream { $0.finish() }, background: BackgroundSettings()
    ) { signal, _ in
      if let signal { signalsIn.yield(signal) }
      return EngineStatus(demand: demand)
    }
    self.demands = demandsIn
    self.signals = signals.makeAsyncIterator()
    demandsIn.yield(demand)
    task = Task {
      await source.run(link)
      signalsIn.finish()
    }
  }

  func setDemand(_ demand: Demand) { demands.yield(demand) }

  /// The next signal that is wanted; `nil` where the source has ended before.
  mutating func next(_ isWanted: (SourceSignal) -> Bool = { _ in true }) async -> SourceSignal? {
    while let signal = await signals.next() {
      receivedSignals.append(signal)
      if isWanted(signal) { return signal }
    }
    return nil
  }

  /// The next so many fixes.
  mutating func fixes(_ count: Int) async -> [Fix] {
    var fixes: [Fix] = []
    while fixes.count < count, case .fix(let fix, _)? = await next(\.isFix) { fixes.append(fix) }
    return fixes
  }

  /// Waits for a problem of that kind.
  mutating func problem(_ code: SourceProblem.Code) async -> SourceProblem? {
    let signal = await next {
      if case .unavailable(let problem) = $0 { problem.code == code } else { false }
    }
    guard case .unavailable(let problem)? = signal else { return nil }
    return problem
  }

  /// Ends the source, and gives how long that took.
  mutating func end() async -> Duration {
    let clock = ContinuousClock()
    let began = clock.now
    task.cancel()
    await task.value
    let took = clock.now - began
    while await next() != nil {}
    return took
  }
}

extension SourceSignal {
  var isFix: Bool { if case .fix = self { true } else { false } }
}
