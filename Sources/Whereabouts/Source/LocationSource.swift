/// A source of fixes: a function from demands to signals.
///
/// A source runs as long as its manager lives. ``SourceLink/demands``, and the answer to each signal, carry the
/// current demand. ``SourceLink/send(_:)`` sends a signal. Without a demand the receiver is off.
public protocol LocationSource: Sendable {
  /// The permission that fixes need; ``AuthorizationNeeds/none`` by default.
  var authorizationNeeds: AuthorizationNeeds { get }

  /// Whether fixes are live or from a recording; ``SourceTiming/live`` by default. The manager reads the value once, at
  /// its creation. A source around another source returns the other's timing.
  var timing: SourceTiming { get }

  /// Runs until the task is cancelled or the source has no more signals.
  ///
  /// - Ends: returning means ``SourceSignal/ended``. A source that can't deliver for now sends
  ///   ``SourceSignal/unavailable(_:)``, keeps running and retries. A source that has given up sends
  ///   ``SourceSignal/failed(_:)``, waits for the next demand, and retries. While fixes are needed, the demand is
  ///   repeated after 10 s, and then after pauses that double up to 10 min.
  /// - Cancellation: the manager is gone; release the receiver and return soon.
  func run(_ link: SourceLink) async
}

extension LocationSource {
  /// No permission. A source that is refused nevertheless sends ``SourceSignal/authorization(_:)``.
  public var authorizationNeeds: AuthorizationNeeds { .none }

  /// The default timing: live.
  public var timing: SourceTiming { .live }
}

/// The origin of a source's time.
public enum SourceTiming: Hashable, Sendable {
  /// Fixes are live, and deadlines follow the manager's clock.
  case live
  /// Fixes are from a recording. The source alone advances time, with ``SourceLink/send(_:at:)`` and
  /// ``SourceLink/advance(to:)``. Deadlines are processed at their own instants, and the results are the same at every
  /// speed.
  case recorded
}

/// The permission that a source's fixes need.
public enum AuthorizationNeeds: Hashable, Sendable {
  /// No permission known beforehand.
  case none
  /// A person's consent. The authorization is undetermined until the source sends ``SourceSignal/authorization(_:)``.
  /// The program may request these levels; none if the program lacks the platform's declaration.
  case userConsent(requestable: Set<Authorization.Level>)
}

/// The connection of a source to its manager.
public struct SourceLink: Sendable {
  /// The demand after each change; begins with the first demand. Newer values replace unconsumed ones.
  ///
  /// A value equal to the previous one asks a source that has given up to retry. A source that has been silent for
  /// too long restarts its receiver: a ``Demand/off`` in between may have been replaced.
  public let demands: AsyncStream<Demand>
  /// The authorization levels to request from the person.
  public let authorizationRequests: AsyncStream<Authorization.Level>
  /// The behaviour in the background.
  public let background: BackgroundSettings
  /// Whether this source alone advances time; see ``SourceTiming/recorded``.
  public let drivesTime: Bool
  private let submit: @Sendable (SourceSignal?, Moment?) async -> EngineStatus

  /// Creates a link, for a source that combines other sources. The source runs each of them with such a link and
  /// forwards selected signals.
  ///
  /// - Parameters:
  ///   - demands: the demand after each change; begins with the first demand.
  ///   - authorizationRequests: the authorization levels to request from the person.
  ///   - background: the behaviour in the background.
  ///   - drivesTime: whether the source alone advances time.
  ///   - submit: receives each signal with its moment, and returns the source's new demand. Without a signal only
  ///     time advances.
  public init(
    demands: AsyncStream<Demand>, authorizationRequests: AsyncStream<Authorization.Level>,
    background: BackgroundSettings,
    drivesTime: Bool = false, submit: @escaping @Sendable (SourceSignal?, Moment?) async -> EngineStatus
  ) {
    self.demands = demands
    self.authorizationRequests = authorizationRequests
    self.background = background
    self.drivesTime = drivesTime
    self.submit = submit
  }

  /// Sends a signal.
  ///
  /// The method returns after the engine has processed the signal and everybody is notified, so a source that waits
  /// can't run ahead. Slow subscribers with ``FixBuffering/waiting(upTo:)`` make the source wait here.
  ///
  /// - Returns: the status with the new demand; ``EngineStatus/ended`` after the manager's end.
  @discardableResult
  public func send(_ signal: SourceSignal) async -> EngineStatus {
    await submit(signal, nil)
  }

  /// Sends a signal with the moment at which the signal happens.
  ///
  /// For sources with ``SourceTiming/recorded`` timing; the moment of a live source is ignored. Earlier deadlines are
  /// processed first, each at its own instant.
  @discardableResult
  public func send(_ signal: SourceSignal, at moment: Moment) async -> EngineStatus {
    await submit(signal, moment)
  }

  /// Advances time to a moment, for sources that bring their own time.
  @discardableResult
  public func advance(to moment: Moment) async -> EngineStatus {
    await submit(nil, moment)
  }
}

/// The status of an engine after an input.
public struct EngineStatus: Hashable, Sendable {
  /// The demand on the source.
  public var demand: Demand
  /// The instant of the next deadline, if any.
  public var nextWake: Instant?

  /// Creates a status.
  public init(demand: Demand, nextWake: Instant? = nil) {
    self.demand = demand
    self.nextWake = nextWake
  }

  /// The status of an engine that has ended: no demand any more.
  public static let ended = EngineStatus(demand: .off, nextWake: nil)
}
