import Whereabouts
import WhereaboutsModel

/// Runs a source alone: sends demands to it and receives its signals.
struct SourceHarness {
  static let defaultDemand = Demand.continuous(Demand.Continuous(accuracy: 10))

  /// The signals received so far.
  private(set) var receivedSignals: [SourceSignal] = []
  private let demands: AsyncStream<Demand>.Continuation
  private var signals: AsyncStream<SourceSignal>.Iterator
  private let task: Task<Void, Never>

  /// Starts a source.
  init(_ source: some LocationSource, demand: Demand = defaultDemand) {
    let (demands, demandsIn) = AsyncStream.makeStream(of: Demand.self)
    let (signals, signalsIn) = AsyncStream.makeStream(of: SourceSignal.self)
    let link = SourceLink(
      demands: demands, authorizationRequests: AsyncStream { $0.finish() },
      background: ManagerSettings.Background()
    ) { signal, _ in
      if let signal { signalsIn.yield(signal) }
      return SourceLink.Status(demand: demand)
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

  /// Returns the next matching signal; `nil` if the source ends before.
  mutating func next(_ isWanted: (SourceSignal) -> Bool = { _ in true }) async -> SourceSignal? {
    while let signal = await signals.next() {
      receivedSignals.append(signal)
      if isWanted(signal) { return signal }
    }
    return nil
  }

  /// Returns the next fixes.
  mutating func fixes(_ count: Int) async -> [Fix] {
    var fixes: [Fix] = []
    while fixes.count < count, case .fix(let fix, _)? = await next(\.isFix) { fixes.append(fix) }
    return fixes
  }

  /// Waits for a problem with a code.
  mutating func problem(_ code: SourceProblem.Code) async -> SourceProblem? {
    let signal = await next {
      if case .unavailable(let problem) = $0 { problem.code == code } else { false }
    }
    guard case .unavailable(let problem)? = signal else { return nil }
    return problem
  }

  /// Ends the source.
  ///
  /// - Returns: the time until the end.
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
