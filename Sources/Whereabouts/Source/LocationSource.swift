/// Where fixes come from: a function from demands to signals.
///
/// A source runs for as long as its manager lives. It learns what is needed from ``SourceLink/demands`` (and from the
/// answer to each signal), and hands over what it has with ``SourceLink/send(_:)``. With no demand its receiver is off.
public protocol LocationSource: Sendable {
  /// What must be allowed before there are fixes; ``AuthorizationNeeds/none`` where a source does not say.
  var authorizationNeeds: AuthorizationNeeds { get }

  /// Whether fixes come as they are made or from a recording; ``SourceTiming/live`` where a source does not say. Read
  /// once, when a manager is made. A source around another passes on the timing of that one.
  var timing: SourceTiming { get }

  /// Runs until the task is cancelled or the source has nothing more to tell.
  ///
  /// - Ends: returning means ``SourceSignal/ended``. A source that can't deliver for now stays in here, says
  ///   ``SourceSignal/unavailable(_:)`` and goes on trying; one that has given up says ``SourceSignal/failed(_:)``, waits
  ///   for the next demand, and tries again. The demand comes again by itself where somebody still needs fixes: after
  ///   10 s, and then after pauses that double up to 10 min.
  /// - Cancellation: the manager is gone; release the receiver and return soon.
  func run(_ link: SourceLink) async
}

extension LocationSource {
  /// Nothing: a source that is refused all the same says so with ``SourceSignal/authorization(_:)``.
  public var authorizationNeeds: AuthorizationNeeds { .none }

  /// Live.
  public var timing: SourceTiming { .live }
}

/// The origin of a source's time.
public enum SourceTiming: Hashable, Sendable {
  /// Fixes come as they are made: deadlines are those of the manager's clock.
  case live
  /// Fixes come from a recording, and time passes only as the source says, with ``SourceLink/send(_:at:)`` and
  /// ``SourceLink/advance(to:)``: deadlines are met at their own instants, and the answers are the same at every speed.
  case recorded
}

/// What must be allowed before a source has fixes.
public enum AuthorizationNeeds: Hashable, Sendable {
  /// Nothing that is known beforehand.
  case none
  /// A person must say yes. Until the source says how that stands (``SourceSignal/authorization(_:)``) it is not
  /// determined. The program may ask for these levels; none where it lacks what the platform wants it to declare.
  case person(askable: Set<Authorization.Level>)
}

/// What a source is connected to.
public struct SourceLink: Sendable {
  /// What is needed, each time it changes; begins with the first need. Values that nobody took yet are replaced by
  /// newer ones.
  ///
  /// A value equal to the one before asks a source that has given up to try once more, and one that has been silent for
  /// too long to stop its receiver and start it again: the ``Demand/off`` in between may have been replaced.
  public let demands: AsyncStream<Demand>
  /// What to ask the person for, each time there is something to ask.
  public let questions: AsyncStream<Authorization.Level>
  /// How to behave in the background.
  public let background: BackgroundSettings
  /// Whether time passes only as this source says: see ``SourceTiming/recorded``.
  public let drivesTime: Bool
  private let take: @Sendable (SourceSignal?, Moment?) async -> EngineStatus

  /// A link of one's own, for a source that is made of others: it runs each of them with a link like this, and passes
  /// on what it wants to.
  ///
  /// - Parameters:
  ///   - demands: what is needed, each time it changes; begins with the first need.
  ///   - questions: what to ask the person for.
  ///   - background: how to behave in the background.
  ///   - drivesTime: whether time passes only as the source says.
  ///   - take: takes what the source hands over, and the moment it names; without a signal only time passes. Answers
  ///     with what is needed of that source from now on.
  public init(
    demands: AsyncStream<Demand>, questions: AsyncStream<Authorization.Level>, background: BackgroundSettings,
    drivesTime: Bool = false, take: @escaping @Sendable (SourceSignal?, Moment?) async -> EngineStatus
  ) {
    self.demands = demands
    self.questions = questions
    self.background = background
    self.drivesTime = drivesTime
    self.take = take
  }

  /// Hands a signal over.
  ///
  /// Returns when the engine has judged it and everyone has been told, so a source that waits for it can't run ahead.
  /// Subscribers who asked for it (``FixBuffering/waiting(upTo:)``) make a source wait here while they are behind.
  ///
  /// - Returns: what is needed from now on. ``EngineStatus/over`` once the manager is gone.
  @discardableResult
  public func send(_ signal: SourceSignal) async -> EngineStatus {
    await take(signal, nil)
  }

  /// Hands a signal over together with the moment at which it happens.
  ///
  /// For sources with ``SourceTiming/recorded`` timing; the moment of a live source is ignored. Deadlines up to that moment
  /// are met first, each at its own instant.
  @discardableResult
  public func send(_ signal: SourceSignal, at moment: Moment) async -> EngineStatus {
    await take(signal, moment)
  }

  /// Lets time pass up to a moment, for sources that bring their own.
  @discardableResult
  public func advance(to moment: Moment) async -> EngineStatus {
    await take(nil, moment)
  }
}

/// What an engine needs after it has taken something in.
public struct EngineStatus: Hashable, Sendable {
  /// What is asked of the source.
  public var demand: Demand
  /// The instant at which something will be due, if anything will.
  public var nextWake: Instant?

  /// A status.
  public init(demand: Demand, nextWake: Instant? = nil) {
    self.demand = demand
    self.nextWake = nextWake
  }

  /// The engine is gone: nothing is needed, and never will be.
  public static let over = EngineStatus(demand: .off, nextWake: nil)
}
