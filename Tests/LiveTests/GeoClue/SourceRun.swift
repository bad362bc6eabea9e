import Whereabouts

/// A source that runs for a test, which asks it for things and hears what it says.
struct SourceRun: ~Copyable {
  private var signals: AsyncStream<SourceSignal>.Iterator
  private let demands: AsyncStream<Demand>.Continuation
  private let task: Task<Void, Never>

  init(_ source: some LocationSource) {
    let (signals, told) = AsyncStream.makeStream(of: SourceSignal.self)
    let (demands, asked) = AsyncStream.makeStream(of: Demand.self)
    let (questions, _) = AsyncStream.makeStream(of: Authorization.Level.self)
    self.signals = signals.makeAsyncIterator()
    self.demands = asked
    let link = SourceLink(
      demands: demands, authorizationRequests: questions, background: BackgroundSettings()
    ) {
      signal, _ in
      if let signal { told.yield(signal) }
      return .ended
    }
    task = Task {
      await source.run(link)
      told.finish()
    }
  }

  deinit { task.cancel() }

  func setDemand(_ demand: Demand) { demands.yield(demand) }

  /// The next thing that it says; `nil` once it has ended.
  mutating func next() async -> SourceSignal? { await signals.next() }

  /// The first of what it says from now on that is looked for.
  mutating func first<Found>(_ find: (SourceSignal) -> Found?) async -> Found? {
    while let signal = await signals.next() {
      if let found = find(signal) { return found }
    }
    return nil
  }

  mutating func fix() async -> Fix? { await first(\.fix) }
  mutating func problem() async -> SourceProblem? { await first(\.problem) }
  mutating func authorization() async -> Authorization? { await first(\.authorization) }

  /// Cancels it, and waits for its return.
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
