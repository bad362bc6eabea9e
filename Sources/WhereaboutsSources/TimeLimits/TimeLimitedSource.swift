import Atomics
package import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats

/// A live source that ends at a ``TimeLimit``, counted from the first demand.
package struct TimeLimitedSource: LocationSource {
  private enum EndReason {
    case sourceEnded
    case timeExpired
  }

  private let base: any LocationSource
  private let limit: TimeLimit

  package var authorizationNeeds: Authorization.Needs { base.authorizationNeeds }

  package init(_ base: any LocationSource, _ limit: TimeLimit) {
    self.base = base
    self.limit = limit
  }

  package func run(_ link: SourceLink) async {
    let (demands, demandsIn) = AsyncStream.makeStream(of: Demand.self, bufferingPolicy: .bufferingNewest(1))
    let (lifted, liftedIn) = AsyncStream.makeStream(of: Void.self)
    let (asked, askedIn) = AsyncStream.makeStream(of: Void.self)
    // Set once: by an element that lifts the limit, or by the limit.
    let isDecided = ManagedAtomic(false)
    let inner = SourceLink(
      demands: demands, authorizationRequests: link.authorizationRequests, background: link.background,
      drivesTime: link.drivesTime
    ) { [limit] signal, moment in
      if let element = signal?.element, limit.isLifted(element),
        !isDecided.exchange(true, ordering: .relaxed)
      {
        liftedIn.finish()
      }
      guard let signal else { return await link.advance(to: moment ?? Moment(instant: .start, wall: nil)) }
      return await link.send(signal)
    }
    let end = await withTaskGroup(of: EndReason?.self) { group in
      group.addTask {
        await base.run(inner)
        return .sourceEnded
      }
      group.addTask {
        for await demand in link.demands {
          if demand.ofReceiver != .off { askedIn.finish() }
          demandsIn.yield(demand)
        }
        return .sourceEnded
      }
      group.addTask { await wait(from: asked, unless: lifted, isDecided) ? .timeExpired : nil }
      var end: EndReason?
      while end == nil, let next = await group.next() { end = next }
      group.cancelAll()
      return end
    }
    demandsIn.finish()
    if end == .timeExpired, let problem = limit.problem { await link.send(.failed(problem)) }
  }

  /// - Returns: whether the time was up before the limit was cancelled.
  private func wait(
    from asked: AsyncStream<Void>, unless lifted: AsyncStream<Void>, _ isDecided: ManagedAtomic<Bool>
  ) async -> Bool {
    for await _ in asked {}
    guard !Task.isCancelled else { return false }
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        do { try await Task.sleep(for: limit.after) } catch { return false }
        return !isDecided.exchange(true, ordering: .relaxed)
      }
      group.addTask {
        for await _ in lifted {}
        return false
      }
      let isOver = await group.next() ?? false
      group.cancelAll()
      return isOver
    }
  }
}

extension SourceSignal {
  /// The equivalent element of a recording, if the signal can cancel a time limit.
  fileprivate var element: RecordingElement? {
    switch self {
    case .fix(let fix, _): .fix(fix)
    case .heading(let heading): .heading(heading)
    default: nil
    }
  }
}
