public import Whereabouts
public import WhereaboutsCore

/// Several sources as one: the best that delivers is used, another steps in where it has no fix, and one that is silent is
/// stopped and started. How each is doing comes with ``Whereabouts/ServiceStatus/sources``.
///
/// What it decides is documented at ``Whereabouts/Failover``. With no demand all are off, and nothing wakes up.
///
/// - Cancellation: cancels all of them, and returns when they have.
public struct FailoverSource: LocationSource {
  /// One of the sources.
  public struct Member: Sendable {
    /// What it is called, and when it steps in.
    public var place: Failover.Member
    /// The source itself. It belongs to one failover source only.
    public var source: any LocationSource

    /// One of the sources.
    public init(_ place: Failover.Member, _ source: some LocationSource) {
      self.place = place
      self.source = source
    }
  }

  private let members: [Member]
  private let settings: FailoverSettings
  private let time: SourceTime

  /// Several sources as one.
  ///
  /// - Parameters:
  ///   - members: the sources, the best first; at least one.
  ///   - settings: when one steps in for another.
  ///   - clock: what silence and patience are measured with.
  public init<C: Clock>(
    _ members: [Member], settings: FailoverSettings = FailoverSettings(), clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    precondition(!members.isEmpty, "a failover source needs a source")
    self.members = members
    self.settings = settings
    time = SourceTime(clock)
  }

  /// One source that is watched over: how it is doing is told, and it is stopped and started when it is silent.
  ///
  /// - Parameters:
  ///   - source: the source.
  ///   - name: what it is called.
  public init(_ source: some LocationSource, name: String) {
    self.init([Member(Failover.Member(name: name), source)])
  }

  /// Runs all of them until the task is cancelled or all have told all they had.
  public func run(_ link: SourceLink) async {
    await withTaskGroup(of: Void.self) { group in
      let (events, inbox) = AsyncStream.makeStream(of: FailoverLoop.Event.self)
      let ends = members.map { MemberEnds(witness: $0.source as? any SourceWitness) }
      for (place, member) in members.enumerated() {
        let end = ends[place]
        let childLink = SourceLink(
          demands: end.demands, questions: end.questions, background: link.background
        ) { signal, _ in
          await withCheckedContinuation { taken in
            guard let signal else { return taken.resume(returning: .over) }
            if case .terminated = inbox.yield(.signal(place, signal, taken)) {
              taken.resume(returning: .over)
            }
          }
        }
        group.addTask {
          await member.source.run(childLink)
          inbox.yield(.ended(place))
        }
      }
      group.addTask {
        for await demand in link.demands { inbox.yield(.demand(demand)) }
        inbox.finish()
      }
      group.addTask {
        for await level in link.questions { for end in ends { await end.ask(level) } }
      }
      var loop = FailoverLoop(
        Failover(members.map(\.place), settings: settings), link: link, ends: ends, time: time, inbox: inbox)
      await withTaskCancellationHandler {
        await loop.run(events)
      } onCancel: {
        inbox.finish()
      }
      group.cancelAll()
    }
  }
}

/// The ends that lead to one source among several.
struct MemberEnds: Sendable {
  let demands: AsyncStream<Demand>
  let questions: AsyncStream<Authorization.Level>
  private let demandsIn: AsyncStream<Demand>.Continuation
  private let questionsIn: AsyncStream<Authorization.Level>.Continuation

  /// The source itself, if it wants to know of everything.
  private let witness: (any SourceWitness)?

  init(witness: (any SourceWitness)?) {
    self.witness = witness
    (demands, demandsIn) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (questions, questionsIn) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    demandsIn.yield(.off)
  }

  func demand(_ demand: Demand) async {
    await witness?.isAsked(for: demand)
    demandsIn.yield(demand)
  }

  func ask(_ level: Authorization.Level) async {
    await witness?.isToAsk(for: level)
    questionsIn.yield(level)
  }

  func finish() {
    demandsIn.finish()
    questionsIn.finish()
  }
}

/// A clock, counted from when it was made.
struct SourceTime: Sendable {
  let now: @Sendable () -> Instant
  let sleep: @Sendable (Instant) async throws -> Void

  init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    now = { Instant(start.duration(to: clock.now)) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0.since(.start)), tolerance: nil) }
  }
}
