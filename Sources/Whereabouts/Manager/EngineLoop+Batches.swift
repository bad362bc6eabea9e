import WhereaboutsEngine
import WhereaboutsModel

/// The processing of many signals with one commit.
extension EngineLoop {
  /// The number of signals that one commit holds at most.
  private static let batchSize = 256

  /// Processes signals that arrived together. As with one signal, no consumer is notified of changes that are not
  /// stored.
  ///
  /// - Returns: the error, if a write failed.
  mutating func handle(_ signals: [SourceSignal]) async -> StoreError? {
    var problem: StoreError?
    var rest = signals[...]
    while !rest.isEmpty {
      problem = await handleBatch(rest.prefix(Self.batchSize)) ?? problem
      rest = rest.dropFirst(Self.batchSize)
    }
    return problem
  }

  /// Processes signals that arrived together.
  ///
  /// - Returns: the health of the store afterwards, and the last fix that the engine uses, before and afterwards; `nil`
  ///   after the close of the store, without an effect.
  fileprivate mutating func result(of signals: [SourceSignal]) async -> (
    health: StoreHealth, fixBefore: Fix?, lastFix: Fix?
  )? {
    guard !store.isClosed else { return nil }
    let fixBefore = engine.lastFix(at: now.instant)?.fix
    _ = await handle(signals)
    return (store.health, fixBefore, engine.lastFix(at: now.instant)?.fix)
  }

  private mutating func handleBatch(_ signals: ArraySlice<SourceSignal>) async -> StoreError? {
    var results: [(input: Input, effects: [Effect], records: [NumberedFenceRecord])] = []
    results.reserveCapacity(signals.count)
    for signal in signals {
      let input = Input.signal(signal)
      let records = processInEngine(input)
      results.append((input, effects, records))
    }
    let problem = await writeIfStored()
    for result in results {
      for effect in result.effects { await perform(effect) }
      await fences.report(result.records, result.effects, storeError: problem)
      await observers.record(result.input, at: now, result.effects)
    }
    return problem
  }
}

extension LocationManager {
  /// Processes signals that arrived together, with one commit for a few hundred of them.
  ///
  /// For a program that receives fixes instead of a source, such as a server. The manager's source sends nothing then.
  ///
  /// - Returns: the health of the store afterwards, and the last fix that the engine uses, before and afterwards; `nil`
  ///   after the manager's end.
  package func process(
    _ signals: [SourceSignal]
  ) async -> (health: StoreHealth, fixBefore: Fix?, lastFix: Fix?)? {
    await inbox.perform { await $0.result(of: signals) } ?? nil
  }

  /// Whether anything is due without a further input: a stay that completes, an event that waits, a request, the expiry
  /// of a fence that the device is in.
  package var hasPendingResult: Bool {
    get async { await inbox.perform { $0.engine.hasPendingResult() } ?? false }
  }
}
