public import Whereabouts
public import WhereaboutsEngine
import WhereaboutsModel

/// Several sources combined into one, with failover.
///
/// The best source that delivers is used. When it has no fix, the next one is switched on. A silent source is stopped
/// and started. After a stop of the process or the machine, the sources first have two seconds to read what has
/// arrived meanwhile. ``Whereabouts/ServiceStatus/sources`` contains each source's state; ``WhereaboutsEngine/Failover``
/// documents the decisions. Without demand all sources are off, and no timers run.
///
/// The permission that a single member needs is that of the failover source. For one of several members a person is not
/// asked: a program with such a member asks by itself, as by the `requestAuthorization(_:)` of a Core Location source.
/// The regions of members are not watched.
///
/// - Cancellation: cancels all sources, and returns when they have ended.
public struct FailoverSource: LocationSource {
  /// A member: a source with its configuration.
  public struct Member: Sendable {
    /// The member's name, and the conditions under which the member steps in.
    public var configuration: Failover.Member
    /// The source itself, which belongs to one failover source only.
    public var source: any LocationSource

    /// Creates a member with a configuration and a source.
    public init(_ place: Failover.Member, _ source: some LocationSource) {
      self.configuration = place
      self.source = source
    }
  }

  private let members: [Member]
  private let settings: FailoverSettings
  private let time: RelativeClock

  /// Creates a failover source over several members.
  ///
  /// - Parameters:
  ///   - members: the sources, the best first; at least one.
  ///   - settings: the conditions under which one source replaces another.
  ///   - clock: the clock of all times in the settings.
  public init<C: Clock>(
    _ members: [Member], settings: FailoverSettings = FailoverSettings(), clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    precondition(!members.isEmpty, "a failover source needs a source")
    self.members = members
    self.settings = settings
    time = RelativeClock(clock)
  }

  /// Creates a failover source over a single source, which is monitored: its state is reported, and it is restarted
  /// when silent.
  ///
  /// - Parameters:
  ///   - source: the source.
  ///   - name: the source's name in reports.
  public init(_ source: some LocationSource, name: String) {
    self.init([Member(Failover.Member(name: name), source)])
  }

  /// The permission that a single source needs. None for several sources: others may deliver without it.
  public var authorizationNeeds: Authorization.Needs {
    members.count == 1 ? members[0].source.authorizationNeeds : .none
  }

  /// Runs all sources until the task is cancelled or all sources have ended.
  public func run(_ link: SourceLink) async {
    await withTaskGroup(of: Void.self) { group in
      let (events, inbox) = AsyncStream.makeStream(of: FailoverLoop.Event.self)
      let ends = members.map { MemberInput(observer: $0.source as? any SourceObserver) }
      for (place, member) in members.enumerated() {
        let end = ends[place]
        let childLink = SourceLink(
          demands: end.demands, authorizationRequests: end.authorizationRequests, background: link.background
        ) { signal, _ in
          await withCheckedContinuation { taken in
            guard let signal else { return taken.resume(returning: .ended) }
            if case .terminated = inbox.yield(.signal(place, signal, taken)) {
              taken.resume(returning: .ended)
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
        for await level in link.authorizationRequests {
          for end in ends { await end.requestAuthorization(level) }
        }
      }
      var loop = FailoverLoop(
        Failover(members.map(\.configuration), settings: settings), link: link, inputs: ends, time: time,
        inbox: inbox, forwardsAuthorization: authorizationNeeds != .none)
      await withTaskCancellationHandler {
        await loop.run(events)
      } onCancel: {
        inbox.finish()
      }
      group.cancelAll()
    }
  }
}

/// The inputs of one member's source.
struct MemberInput: Sendable {
  let demands: AsyncStream<Demand>
  let authorizationRequests: AsyncStream<Authorization.Level>
  private let demandContinuation: AsyncStream<Demand>.Continuation
  private let authorizationContinuation: AsyncStream<Authorization.Level>.Continuation

  /// The source if it is an observer. An observer receives each value; the streams hold only the newest one.
  private let observer: (any SourceObserver)?

  init(observer: (any SourceObserver)?) {
    self.observer = observer
    (demands, demandContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (authorizationRequests, authorizationContinuation) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    demandContinuation.yield(.off)
  }

  func send(_ demand: Demand) async {
    await observer?.demandDidChange(to: demand)
    demandContinuation.yield(demand)
  }

  func requestAuthorization(_ level: Authorization.Level) async {
    await observer?.authorizationRequested(for: level)
    authorizationContinuation.yield(level)
  }

  func finish() {
    demandContinuation.finish()
    authorizationContinuation.finish()
  }
}
