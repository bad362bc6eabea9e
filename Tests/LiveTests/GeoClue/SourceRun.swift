import Whereabouts

/// A running source that receives demands from a test, which reads its signals.
struct SourceRun: ~Copyable {
  private var signals: AsyncStream<SourceSignal>.Iterator
  private let demands: AsyncStream<Demand>.Continuation
  private let task: Task<Void, Never>

  init(_ source: some LocationSource) {
    let (signals, signalsIn) = AsyncStream.makeStream(of: SourceSignal.self)
    let (demands, asked) = AsyncStream.makeStream(of: Demand.self)
    let (questions, _) = AsyncStream.makeStream(of: Authorization.Level.self)
    self.signals = signals.makeAsyncIterator()
    self.demands = asked
    let link = SourceLink(
      demands: demands, authorizationRequests: questions, background: ManagerSettings.Background()
    ) {
      signal, _ in
      if let signal { signalsIn.yield(signal) }
      return .ended
    }
    task = Task {
      await source.run(link)
      signalsIn.finish()
    }
  }

  deinit { task.cancel() }

  func setDemand(_ demand: Demand) { demands.yield(demand) }

  /// Returns the next signal; `nil` if the source has ended.
  mutating func next() async -> SourceSignal? { await signals.next() }

  /// Returns the first match in the following signals; `nil` if the source ends before.
  mutating func first<Found>(_ find: (SourceSignal) -> Found?) async -> Found? {
    while let signal = await signals.next() {
      if let found = find(signal) { return found }
    }
    return nil
  }

  mutating func fix() async -> Fix? { await first(\.fix) }
  mutating func problem() async -> SourceProblem? { await first(\.problem) }
  mutating func authorization() async -> Authorization? { await first(\.authorization) }

  /// Cancels the source and waits for its return.
  func end() async {
    task.cancel()
    await task.value
  }
}

extension SourceSignal {
  var fix: Fix? { if case .fix(let fix, _) = self { fix } else { nil } }
  var problem: SourceProblem? { if case .unavailable(let problem) = self { problem } else { nil } }
  var authorization: Authorization? {
    if case .authorization(let authorization) = self { authorization } else { nil }
  }
}
