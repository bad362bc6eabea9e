/// The connection of a source to its manager.
public struct SourceLink: Sendable {
  /// The demand after each change; begins with the first demand. Newer values replace unconsumed ones.
  ///
  /// Each value asks a source that has given up to retry, also one equal to the previous one. So it does for a source
  /// that was refused and does not report changes (``Authorization/noticesChanges``): the source then reports its
  /// authorization again, changed or not. For any other source, an equal value means a restart of a receiver that has
  /// been silent for too long: a ``Demand/off`` in between may have been replaced.
  public let demands: AsyncStream<Demand>
  /// The authorization levels to request from the person.
  public let authorizationRequests: AsyncStream<Authorization.Level>
  /// The behaviour in the background.
  public let background: ManagerSettings.Background
  /// Whether this source alone advances time; see ``SourceTiming/recorded``.
  public let drivesTime: Bool
  private let submit: @Sendable (SourceSignal?, Moment?) async -> Status

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
    background: ManagerSettings.Background,
    drivesTime: Bool = false, submit: @escaping @Sendable (SourceSignal?, Moment?) async -> Status
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
  /// - Returns: the status with the new demand; ``SourceLink/Status/ended`` after the manager's end.
  @discardableResult
  public func send(_ signal: SourceSignal) async -> Status {
    await submit(signal, nil)
  }

  /// Sends a signal with the moment at which the signal happens.
  ///
  /// For sources with ``SourceTiming/recorded`` timing; the moment of a live source is ignored. Earlier deadlines are
  /// processed first, each at its own instant.
  @discardableResult
  public func send(_ signal: SourceSignal, at moment: Moment) async -> Status {
    await submit(signal, moment)
  }

  /// Advances time to a moment, for sources that bring their own time.
  @discardableResult
  public func advance(to moment: Moment) async -> Status {
    await submit(nil, moment)
  }
}
