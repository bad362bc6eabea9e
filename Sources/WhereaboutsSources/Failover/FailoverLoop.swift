import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel

/// Processes the events of several sources in order, and executes the effects of ``WhereaboutsEngine/Failover``.
struct FailoverLoop {
  enum Event: Sendable {
    /// The demand on the failover source as a whole.
    case demand(Demand)
    /// A signal of the source at an index, which waits until the signal is processed.
    case signal(Int, SourceSignal, CheckedContinuation<SourceLink.Status, Never>)
    /// The source at an index has returned.
    case ended(Int)
    /// The timer has fired.
    case wake
  }

  /// The delay of the timer by which a stop of the process or the machine is detected.
  private static let stopThreshold = Duration.seconds(1)
  /// The time after such a stop in which the sources read what has arrived meanwhile. Receivers report every second.
  private static let catchUpTime = Duration.seconds(2)

  private var failover: Failover
  /// The last demand on each source, returned for each of its signals.
  private var memberDemands: [Demand]
  private var effects: [Failover.Effect] = []
  private var timer: Task<Void, Never>?

  private let link: SourceLink
  private let inputs: [MemberInput]
  private let time: RelativeClock
  private let inbox: AsyncStream<Event>.Continuation

  init(
    _ failover: Failover, link: SourceLink, inputs: [MemberInput], time: RelativeClock,
    inbox: AsyncStream<Event>.Continuation
  ) {
    self.failover = failover
    self.link = link
    self.inputs = inputs
    self.time = time
    self.inbox = inbox
    memberDemands = inputs.map { _ in .off }
  }

  /// Runs until the events end or all sources have ended. Signals that come later are answered with the end.
  mutating func run(_ events: AsyncStream<Event>) async {
    var left = Set(inputs.indices)
    for await event in events {
      switch event {
      case .demand(let demand): await handle(.demand(demand))
      case .signal(let place, let signal, let taken):
        await handle(.signal(place, signal))
        taken.resume(returning: SourceLink.Status(demand: memberDemands[place]))
      case .ended(let place):
        left.remove(place)
        await handle(.signal(place, .ended))
      case .wake: await handle(.wake)
      }
      if left.isEmpty { break }
    }
    timer?.cancel()
    for end in inputs { end.finish() }
    inbox.finish()
    for await case .signal(_, _, let taken) in events { taken.resume(returning: .ended) }
  }

  private mutating func handle(_ input: Failover.Input) async {
    effects.removeAll(keepingCapacity: true)
    failover.handle(input, at: time.now(), into: &effects)
    for effect in effects {
      switch effect {
      case .demand(let place, let demand):
        memberDemands[place] = demand
        await inputs[place].send(demand)
      case .forward(let signal): await link.send(signal)
      case .wake(let instant): setTimer(at: instant)
      }
    }
  }

  private mutating func setTimer(at instant: Instant?) {
    timer?.cancel()
    timer = nil
    guard let instant else { return }
    timer = Task { [inbox, time] in
      do {
        try await time.sleep(instant)
        let now = time.now()
        // No source is silent whose data waits to be read.
        if now.since(instant) > Self.stopThreshold {
          try await time.sleep(now.advanced(by: Self.catchUpTime))
        }
      } catch { return }
      inbox.yield(.wake)
    }
  }
}
