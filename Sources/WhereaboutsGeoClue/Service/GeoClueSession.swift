import WhereaboutsEngine
package import WhereaboutsModel

/// A state machine for the location service: calls to the service, and signals to the engine. A value that needs no
/// bus.
///
/// A user may have to permit access and start, so the session waits for these as long as there is a demand; only
/// their reports have timeouts. Without demand the session closes the connection. The service then removes the
/// client, and switches its receivers off.
package struct GeoClueSession {
  package enum Event: Sendable {
    case demand(Demand)
    case signal(BusSignal)
    case reply(PendingCall, Result<BusReply, DBusError>)
    /// The connection to the bus failed or was lost.
    case lost(DBusError)
    /// The time of ``nextWake`` has passed; only a hint.
    case timerFired
  }

  package enum Effect: Hashable, Sendable {
    case connect
    case disconnect
    /// Calls a method; without a pending call the reply is ignored.
    case call(BusCall, PendingCall? = nil)
    case emit(SourceSignal)
  }

  /// The D-Bus call a reply belongs to.
  package enum PendingCall: Hashable, Sendable {
    /// The request for a client, with its number: only the last one counts.
    case client(Int)
    /// The start of the client, with its number.
    case start(Int)
    case location
  }

  /// The service's client object for this program, and the unique name of the service that made it.
  struct Client: Equatable {
    var path: String
    var service: String
  }

  enum Phase: Equatable {
    /// There is no demand and no connection.
    case off
    /// The bus can't be reached: the next attempt is at ``deadline``.
    case waitingForBus
    /// The service is unavailable: the next attempt is at ``deadline``, or when a peer takes its name.
    case waitingForService
    case requestingClient
    case starting(Client)
    case running(Client)
    /// The service refused: the next attempt is at the next change of demand.
    case denied
  }

  private static let minGap = Duration.seconds(2)

  let settings: GeoClueSettings
  var phase = Phase.off
  var demand = Demand.off
  /// The level that the service was started with.
  var level = GeoClueAccuracy.none
  /// Whether the service runs at a higher level than requested, because that one gave nothing that is enough.
  var isEscalated = false
  /// The number of calls so far of which only the latest reply counts.
  var callCount = 0
  /// The time of the next action or report; `nil` without one.
  var deadline: Instant?
  /// The time since which a position that is enough is awaited; `nil` while there is one.
  var waitsSince: Instant?
  /// The accuracy of the last position, in metres; infinite if unstated, `nil` without a position.
  var lastAccuracy: Double?
  /// Whether fixes have arrived since the beginning, and whether the receiver has been off since.
  var hadFixes = false
  var wasOff = false
  private var offSince: Instant?
  var reportedProblem: SourceProblem?
  var reportedAuthorization: Authorization?
  /// Whether the last reported authorization is a refusal.
  var hasReportedRefusal = false
  var backoff = GeoClueBackoff()

  package init(_ settings: GeoClueSettings) {
    self.settings = settings
  }

  /// The time at which to send ``Event/timerFired``; `nil` without one.
  package var nextWake: Instant? { deadline }

  package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    var effects: [Effect] = []
    switch event {
    case .demand(let demand): process(demand, at: now, into: &effects)
    case .signal(let signal): process(signal, at: now, into: &effects)
    case .reply(let question, let result): process(result, to: question, at: now, into: &effects)
    case .lost(let failure): handleConnectionLoss(failure, at: now, into: &effects)
    case .timerFired: handleTimer(at: now, into: &effects)
    }
    return effects
  }

  // MARK: Demand

  private mutating func process(_ demand: Demand, at now: Instant, into effects: inout [Effect]) {
    let before = self.demand
    self.demand = demand
    if demand.headings != nil, before.headings == nil || demand == before {
      effects.append(.emit(.headingsUnavailable(GeoClueProblems.noCompass())))
    }
    guard let request = GeoClueRequest(demand) else { return stop(at: now, into: &effects) }
    let isAskedAgain = demand == before
    if isAskedAgain { reportedProblem = nil }
    switch phase {
    case .off, .denied: connect(at: now, into: &effects)
    case .waitingForBus, .waitingForService, .requestingClient:
      if isAskedAgain { connect(at: now, into: &effects) }
    case .starting(let client), .running(let client):
      if isAskedAgain { return connect(at: now, into: &effects) }
      guard request != GeoClueRequest(before) else { return }
      setThresholds(request, of: client, into: &effects)
      // A session that awaits permission stays as it is; the level is checked again after the start.
      guard case .running = phase else { return }
      waitForPosition(request, at: now)
      restartIfNeeded(client, at: now, into: &effects)
    }
  }

  /// Stops the session.
  private mutating func stop(at now: Instant, into effects: inout [Effect]) {
    if case .running(let client) = phase { effects.append(.call(call("Stop", client))) }
    if phase != .off { offSince = now }
    disconnect(entering: .off, into: &effects)
    reportedProblem = nil
  }

  /// Closes the connection, and with it the client that the service holds.
  mutating func disconnect(entering phase: Phase, into effects: inout [Effect]) {
    switch self.phase {
    case .off, .waitingForBus, .denied: break
    case .waitingForService, .requestingClient, .starting, .running: effects.append(.disconnect)
    }
    self.phase = phase
    deadline = nil
  }

  /// Connects anew from any phase, and requests access.
  mutating func connect(at now: Instant, into effects: inout [Effect]) {
    // A receiver that was only stopped and started was not off.
    if phase == .off, let offSince, now.since(offSince) > Self.minGap { wasOff = true }
    disconnect(entering: .requestingClient, into: &effects)
    reportedAuthorization = nil
    effects.append(.connect)
    requestClient(at: now, into: &effects)
  }

  mutating func requestClient(at now: Instant, into effects: inout [Effect]) {
    phase = .requestingClient
    deadline = now.advanced(by: settings.permissionTimeout)
    callCount += 1
    let call = BusCall(
      "GetClient", of: GeoClueBusNames.manager, at: GeoClueBusNames.managerPath, on: GeoClueBusNames.service,
      timeout: nil,
      allowsAutoStart: true)
    effects.append(.call(call, .client(callCount)))
  }

  // MARK: Starting

  mutating func start(
    _ client: Client, at level: GeoClueAccuracy, at now: Instant, into effects: inout [Effect]
  ) {
    phase = .starting(client)
    self.level = level
    callCount += 1
    deadline = now.advanced(by: settings.permissionTimeout)
    effects.append(.call(set("RequestedAccuracyLevel", of: client, to: .uint32(level.rawValue))))
    effects.append(.call(call("Start", client), .start(callCount)))
  }

  func setThresholds(_ request: GeoClueRequest, of client: Client, into effects: inout [Effect]) {
    effects.append(.call(set("DistanceThreshold", of: client, to: .uint32(request.distanceThreshold))))
    effects.append(.call(set("TimeThreshold", of: client, to: .uint32(request.timeThreshold))))
  }

  /// Restarts the service if another level is needed: a level takes effect at the next start.
  mutating func restartIfNeeded(_ client: Client, at now: Instant, into effects: inout [Effect]) {
    guard let request = GeoClueRequest(demand), request.level != level, !isEscalated else { return }
    restart(client, at: request.level, at: now, into: &effects)
  }

  mutating func restart(
    _ client: Client, at level: GeoClueAccuracy, at now: Instant, into effects: inout [Effect]
  ) {
    effects.append(.call(call("Stop", client)))
    start(client, at: level, at: now, into: &effects)
  }

  func call(_ member: String, _ client: Client) -> BusCall {
    BusCall(member, of: GeoClueBusNames.client, at: client.path, on: client.service, timeout: nil)
  }

  func set(_ property: String, of client: Client, to value: BusValue) -> BusCall {
    .set(property, of: GeoClueBusNames.client, at: client.path, on: client.service, to: value)
  }

  // MARK: Reports

  /// Reports a problem, once.
  mutating func reportProblem(_ problem: SourceProblem, into effects: inout [Effect]) {
    guard reportedProblem != problem else { return }
    reportedProblem = problem
    effects.append(.emit(.unavailable(problem)))
  }

  mutating func reportAuthorization(_ authorization: Authorization, into effects: inout [Effect]) {
    guard reportedAuthorization != authorization, hasReportedRefusal || !authorization.isAllowed else {
      return
    }
    reportedAuthorization = authorization
    hasReportedRefusal = !authorization.isAllowed
    effects.append(.emit(.authorization(authorization)))
  }
}
