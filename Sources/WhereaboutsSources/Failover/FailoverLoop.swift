import Whereabouts
import WhereaboutsCore

/// Takes what happens to several sources, in order, and carries out what is decided.
struct FailoverLoop {
  enum Event: Sendable {
    case demand(Demand)
    case signal(Int, SourceSignal, CheckedContinuation<EngineStatus, Never>)
    case ended(Int)
    case wake
  }

  private var failover: Failover
  private var asked: [Demand]
  private var effects: [Failover.Effect] = []
  private var alarm: Task<Void, Never>?

  private let link: SourceLink
  private let ends: [MemberEnds]
  private let time: SourceTime
  private let inbox: AsyncStream<Event>.Continuation

  init(
    _ failover: Failover, link: SourceLink, ends: [MemberEnds], time: SourceTime,
    inbox: AsyncStream<Event>.Continuation
  ) {
    self.failover = failover
    self.link = link
    self.ends = ends
    self.time = time
    self.inbox = inbox
    asked = ends.map { _ in .off }
  }

  /// Runs until nothing more comes in, or all of them are over.
  mutating func run(_ events: AsyncStream<Event>) async {
    var left = Set(ends.indices)
    for await event in events {
      switch event {
      case .demand(let demand): await handle(.demand(demand))
      case .signal(let place, let signal, let taken):
        await handle(.signal(place, signal))
        taken.resume(returning: EngineStatus(demand: asked[place]))
      case .ended(let place):
        left.remove(place)
        await handle(.signal(place, .ended))
      case .wake: await handle(.wake)
      }
      if left.isEmpty { break }
    }
    alarm?.cancel()
    for end in ends { end.finish() }
    inbox.finish()
    for await case .signal(_, _, let taken) in events { taken.resume(returning: .over) }
  }

  private mutating func handle(_ input: Failover.Input) async {
    effects.removeAll(keepingCapacity: true)
    failover.handle(input, at: time.now(), into: &effects)
    for effect in effects {
      switch effect {
      case .ask(let place, let demand):
        asked[place] = demand
        await ends[place].demand(demand)
      case .pass(let signal): await link.send(signal)
      case .wake(let instant): setAlarm(at: instant)
      }
    }
  }

  private mutating func setAlarm(at instant: Instant?) {
    alarm?.cancel()
    alarm = nil
    guard let instant else { return }
    alarm = Task { [inbox, time] in
      do { try await time.sleep(instant) } catch { return }
      inbox.yield(.wake)
    }
  }
}
