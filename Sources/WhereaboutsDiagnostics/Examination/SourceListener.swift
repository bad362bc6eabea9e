import Whereabouts
import WhereaboutsModel
import WhereaboutsSystem

/// A temporary listener to one source.
enum SourceListener {
  /// Listens until the result is complete or the period is over. The receiver is off again on return.
  ///
  /// - Parameter limit: the longest time, where that of the period is too long.
  static func listen(
    to source: any LocationSource, during period: ListeningPeriod, atMost limit: Duration? = nil
  ) async -> ListenResult {
    let clock = ContinuousClock(), start = ContinuousClock.now
    let deadline = limit.map { min(start + $0, period.deadline) } ?? period.deadline
    let demand = Demand(
      fixes: .continuous(Demand.Continuous(accuracy: 5)), headings: Demand.Headings(filter: 0))
    let (demands, demandsIn) = AsyncStream.makeStream(of: Demand.self)
    let (signals, signalInput) = AsyncStream.makeStream(
      of: SourceSignal?.self, bufferingPolicy: .bufferingNewest(1_000))
    let link = SourceLink(
      demands: demands, authorizationRequests: AsyncStream { $0.finish() },
      background: ManagerSettings.Background()
    ) { signal, _ in
      if let signal { signalInput.yield(signal) }
      return SourceLink.Status(demand: demand)
    }
    demandsIn.yield(demand)
    let running = Task {
      await source.run(link)
      signalInput.finish()
    }
    let timing = Task {
      // Checks the time regularly, so that a result that is complete by now ends the loop.
      while clock.now < deadline, !Task.isCancelled {
        try? await clock.sleep(until: min(clock.now + .milliseconds(500), deadline))
        signalInput.yield(nil)
      }
      signalInput.finish()
    }
    var result = ListenResult()
    for await signal in signals {
      let elapsed = clock.now - start
      if let signal {
        result.process(
          signal, after: elapsed, wall: UTCTime(nanosecondsSince1970: WallClock.nanosecondsSince1970))
      }
      if await period.isOver(for: result, after: elapsed) { break }
    }
    timing.cancel()
    demandsIn.finish()
    running.cancel()
    await running.value
    return result
  }
}
