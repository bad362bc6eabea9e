import Whereabouts
import WhereaboutsCore

/// Listens to one source for a while.
enum SourceListening {
  /// Listens until there is nothing more to be learnt, or the time is up. The receiver is off again on return.
  static func listen(to source: any LocationSource, until deadline: ContinuousClock.Instant) async -> Heard {
    let clock = ContinuousClock(), start = ContinuousClock.now
    let demand = Demand(
      fixes: .continuous(ContinuousDemand(accuracy: 5)), headings: HeadingDemand(filter: 0))
    let (demands, demandsIn) = AsyncStream.makeStream(of: Demand.self)
    let (told, toldIn) = AsyncStream.makeStream(
      of: SourceSignal?.self, bufferingPolicy: .bufferingNewest(1_000))
    let link = SourceLink(
      demands: demands, questions: AsyncStream { $0.finish() }, background: BackgroundSettings()
    ) { signal, _ in
      if let signal { toldIn.yield(signal) }
      return EngineStatus(demand: demand)
    }
    demandsIn.yield(demand)
    let running = Task {
      await source.run(link)
      toldIn.finish()
    }
    let timing = Task {
      // A look at the time, so that what was enough a moment ago ends it.
      while clock.now < deadline, !Task.isCancelled {
        try? await clock.sleep(until: min(clock.now + .milliseconds(500), deadline))
        toldIn.yield(nil)
      }
      toldIn.finish()
    }
    var heard = Heard()
    for await signal in told {
      let elapsed = clock.now - start
      if let signal {
        heard.take(signal, after: elapsed, wall: UTCTime(nanosecondsSince1970: System.wallClock))
      }
      if heard.isEnough(after: elapsed) { break }
    }
    timing.cancel()
    demandsIn.finish()
    running.cancel()
    await running.value
    return heard
  }
}
