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
    /// The timer for an instant of the clock has fired.
    case wake(Instant)
  }

  /// The delay of a deadline by which a stop of the process or the machine is detected.
  private static let stopThreshold = Duration.seconds(1)
  /// The time after such a stop in which the sources read what has arrived meanwhile. Receivers report every second.
  private static let catchUpTime = Duration.seconds(2)

  private var failover: Failover
  /// The last demand on each source, returned for each of its signals.
  private var memberDemands: [Demand]
  private var effects: [Failover.Effect] = []
  private var timer: Task<Void, Never>?
  /// The next deadline, in the time of the failover.
  private var nextWake: Instant?
  /// The time that the failover does not count: of the stops, and of the reading after them.
  private var uncountedTime = Duration.zero
  /// The end of the reading after the last stop, and the time of the failover until then.
  private var catchUp: (end: Instant, time: Instant)?
  /// The deadline that the last stop has put off, and the time since then in which the receiver of the signals was
  /// waited for.
  private var postponedWake: Instant?
  private var sendingTime = Duration.zero

  private let link: SourceLink
  private let inputs: [MemberInput]
  private let time: RelativeClock
  private let inbox: AsyncStream<Event>.Continuation
  /// Whether each authorization is forwarded: that of a single source which needs a person's consent.
  private let forwardsAuthorization: Bool

  init(
    _ failover: Failover, link: SourceLink, inputs: [MemberInput], time: RelativeClock,
    inbox: AsyncStream<Event>.Continuation, forwardsAuthorization: Bool
  ) {
    self.failover = failover
    self.link = link
    self.inputs = inputs
    self.time = time
    self.inbox = inbox
    self.forwardsAuthorization = forwardsAuthorization
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
        // After the health of the source, which the results of a refusal state.
        if forwardsAuthorization, case .authorization = signal { await link.send(signal) }
        taken.resume(returning: SourceLink.Status(demand: memberDemands[place]))
      case .ended(let place):
        left.remove(place)
        await handle(.signal(place, .ended))
      case .wake(let due): await handle(.wake, timer: due)
      }
      if left.isEmpty { break }
    }
    timer?.cancel()
    for end in inputs { end.finish() }
    inbox.finish()
    for await case .signal(_, _, let taken) in events { taken.resume(returning: .ended) }
  }

  /// - Parameter timer: the instant of the timer that has fired; `nil` for another input.
  private mutating func handle(_ input: Failover.Input, timer: Instant? = nil) async {
    effects.removeAll(keepingCapacity: true)
    let now = failoverTime(timer: timer)
    failover.handle(input, at: now, into: &effects)
    for effect in effects {
      switch effect {
      case .demand(let place, let demand):
        memberDemands[place] = demand
        await inputs[place].send(demand)
      case .forward(.authorization) where forwardsAuthorization: break
      case .forward(let signal):
        let start = time.now()
        await link.send(signal)
        sendingTime += time.now().since(start)
      case .wake(let instant): setTimer(at: instant)
      }
    }
  }

  /// Returns the present time of the failover. The time stands still during a stop, and while the sources read what has
  /// arrived meanwhile: no source is silent whose data waits to be read. The first input after a stop may be any, such
  /// as a signal of another source or a demand.
  ///
  /// A slow receiver of the signals makes the timer late, too. It puts each deadline off once. The deadline is then met
  /// when its timer is processed: behind all signals that came before the end of the reading.
  private mutating func failoverTime(timer: Instant?) -> Instant {
    let now = time.now()
    let due = nextWake?.advanced(by: uncountedTime)
    if let nextWake, let due, now.since(due) > Self.stopThreshold {
      if nextWake == postponedWake, let catchUp, now.since(due) - sendingTime <= Self.stopThreshold {
        guard due == timer else { return catchUp.time }
        uncountedTime = now.since(nextWake)
        return nextWake
      }
      postponedWake = nextWake
      sendingTime = .zero
      let end = now.advanced(by: Self.catchUpTime)
      // The deadline is met at the end of the reading, and not before.
      uncountedTime = end.since(nextWake)
      catchUp = (end, nextWake.advanced(by: .nanoseconds(-1)))
      setTimer(at: nextWake)
    }
    if let catchUp, now < catchUp.end { return catchUp.time }
    return now.advanced(by: .zero - uncountedTime)
  }

  /// - Parameter instant: the instant in the time of the failover; `nil` for none.
  private mutating func setTimer(at instant: Instant?) {
    timer?.cancel()
    timer = nil
    nextWake = instant
    guard let due = instant?.advanced(by: uncountedTime) else { return }
    timer = Task { [inbox, time] in
      do { try await time.sleep(due) } catch { return }
      inbox.yield(.wake(due))
    }
  }
}
