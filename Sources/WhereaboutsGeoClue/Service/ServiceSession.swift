package import WhereaboutsCore

/// What is said to the location service, and what of it is told on: all that this module knows about the service, as a
/// value that no bus is needed for.
///
/// Being let in and started are questions that a person may have to answer, so they are waited for as long as there is
/// a demand, and only what is told about them has its time. The connection is closed while there is none: the service
/// lets go of the clients of whoever leaves, and switches its receivers off.
package struct ServiceSession {
  package enum Event: Sendable {
    case demand(Demand)
    case signal(BusSignal)
    case reply(Question, Result<BusReply, BusFailure>)
    /// The connection to the bus could not be made, or is gone.
    case lost(BusFailure)
    /// The moment of ``nextWake`` has come; or not, for a wake-up is a hint.
    case woke
  }

  package enum Effect: Hashable, Sendable {
    case connect
    case disconnect
    /// Asks somebody something; without a question nobody waits for the answer.
    case call(BusCall, Question? = nil)
    case tell(SourceSignal)
  }

  /// What an answer is the answer to.
  package enum Question: Hashable, Sendable {
    /// Which time it is that somebody asks to be let in: only the last one counts.
    case client(Int)
    /// Which time it is that it is started.
    case start(Int)
    case location
  }

  /// The object of the service that is ours, and the unique name of the service that made it.
  struct Client: Equatable {
    var path: String
    var service: String
  }

  enum Phase: Equatable {
    /// Nothing is needed, and there is no connection.
    case off
    /// The bus can't be reached: it is tried again at ``deadline``.
    case withoutBus
    /// The service can't be had: it is tried again at ``deadline``, or when somebody takes its name.
    case withoutService
    case askingForClient
    case starting(Client)
    case running(Client)
    /// It said no: it is asked again when there is another demand.
    case refused
  }

  private static let shortestGap = Duration.seconds(2)

  let settings: GeoClueSettings
  var phase = Phase.off
  var demand = Demand.off
  /// The level that the service was started with.
  var level = GeoClueAccuracy.none
  /// Whether it is started with more than was asked for, because that gave nothing that is enough.
  var isEscalated = false
  /// How many times it has been asked for something that only one answer can be for.
  var asked = 0
  /// When something is to be done or told; `nil` while there is nothing to wait for.
  var deadline: Instant?
  /// Since when a position is waited for that is enough; `nil` while there is one.
  var waitsSince: Instant?
  /// The accuracy of the last position, in metres; infinite where it had none, `nil` where there was no position.
  var lastAccuracy: Double?
  /// Whether fixes have come since the beginning, and whether the receiver has been off since.
  var hadFixes = false
  var wasOff = false
  private var offSince: Instant?
  var told: SourceTrouble?
  var toldAuthorization: Authorization?
  /// Whether the last that was told of permission is that there is none.
  var hasToldRefusal = false
  var backoff = Backoff()

  package init(_ settings: GeoClueSettings) {
    self.settings = settings
  }

  /// When to hand in ``Event/woke``; `nil` while there is nothing to wait for.
  package var nextWake: Instant? { deadline }

  package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    var effects: [Effect] = []
    switch event {
    case .demand(let demand): take(demand, at: now, into: &effects)
    case .signal(let signal): take(signal, at: now, into: &effects)
    case .reply(let question, let result): take(result, to: question, at: now, into: &effects)
    case .lost(let failure): lose(failure, at: now, into: &effects)
    case .woke: wake(at: now, into: &effects)
    }
    return effects
  }

  // MARK: Demand

  private mutating func take(_ demand: Demand, at now: Instant, into effects: inout [Effect]) {
    let before = self.demand
    self.demand = demand
    if demand.headings != nil, before.headings == nil || demand == before {
      effects.append(.tell(.headingsUnavailable(ServiceTrouble.noCompass())))
    }
    guard let wish = ServiceWish(demand.fixes) else { return stop(at: now, into: &effects) }
    let isAskedAgain = demand == before
    if isAskedAgain { told = nil }
    switch phase {
    case .off, .refused: begin(at: now, into: &effects)
    case .withoutBus, .withoutService, .askingForClient:
      if isAskedAgain { begin(at: now, into: &effects) }
    case .starting(let client), .running(let client):
      if isAskedAgain { return begin(at: now, into: &effects) }
      guard demand.fixes != before.fixes else { return }
      setThresholds(wish, of: client, into: &effects)
      // One that is asking the person already is left to it; the level is looked at again once it has started.
      guard case .running = phase else { return }
      waitForPosition(wish, at: now)
      startAnewIfNeeded(client, at: now, into: &effects)
    }
  }

  /// Lets go of everything.
  private mutating func stop(at now: Instant, into effects: inout [Effect]) {
    if case .running(let client) = phase { effects.append(.call(call("Stop", client))) }
    if phase != .off { offSince = now }
    leave(for: .off, into: &effects)
    told = nil
  }

  /// Closes the connection, and with it everything that the service holds for us.
  mutating func leave(for phase: Phase, into effects: inout [Effect]) {
    switch self.phase {
    case .off, .withoutBus, .refused: break
    case .withoutService, .askingForClient, .starting, .running: effects.append(.disconnect)
    }
    self.phase = phase
    deadline = nil
  }

  /// Connects, whatever there was before, and asks to be let in.
  mutating func begin(at now: Instant, into effects: inout [Effect]) {
    // A receiver that was merely stopped and started was not off.
    if phase == .off, let offSince, now.since(offSince) > Self.shortestGap { wasOff = true }
    leave(for: .askingForClient, into: &effects)
    toldAuthorization = nil
    effects.append(.connect)
    askForClient(at: now, into: &effects)
  }

  mutating func askForClient(at now: Instant, into effects: inout [Effect]) {
    phase = .askingForClient
    deadline = now.advanced(by: settings.permissionPatience)
    asked += 1
    let call = BusCall(
      "GetClient", of: ServiceName.manager, at: ServiceName.managerPath, on: ServiceName.service,
      timeout: nil,
      mayStart: true)
    effects.append(.call(call, .client(asked)))
  }

  // MARK: Starting

  mutating func start(
    _ client: Client, at level: GeoClueAccuracy, at now: Instant, into effects: inout [Effect]
  ) {
    phase = .starting(client)
    self.level = level
    asked += 1
    deadline = now.advanced(by: settings.permissionPatience)
    effects.append(.call(set("RequestedAccuracyLevel", of: client, to: .uint32(level.rawValue))))
    effects.append(.call(call("Start", client), .start(asked)))
  }

  func setThresholds(_ wish: ServiceWish, of client: Client, into effects: inout [Effect]) {
    effects.append(.call(set("DistanceThreshold", of: client, to: .uint32(wish.distanceThreshold))))
    effects.append(.call(set("TimeThreshold", of: client, to: .uint32(wish.timeThreshold))))
  }

  /// A level counts from the next start on, so where another one is needed the service is stopped and started.
  mutating func startAnewIfNeeded(_ client: Client, at now: Instant, into effects: inout [Effect]) {
    guard let wish = ServiceWish(demand.fixes), wish.level != level, !isEscalated else { return }
    startAnew(client, at: wish.level, at: now, into: &effects)
  }

  mutating func startAnew(
    _ client: Client, at level: GeoClueAccuracy, at now: Instant, into effects: inout [Effect]
  ) {
    effects.append(.call(call("Stop", client)))
    start(client, at: level, at: now, into: &effects)
  }

  func call(_ member: String, _ client: Client) -> BusCall {
    BusCall(member, of: ServiceName.client, at: client.path, on: client.service, timeout: nil)
  }

  func set(_ property: String, of client: Client, to value: BusValue) -> BusCall {
    .set(property, of: ServiceName.client, at: client.path, on: client.service, to: value)
  }

  // MARK: Telling

  /// Tells a trouble, once.
  mutating func tell(_ trouble: SourceTrouble, into effects: inout [Effect]) {
    guard told != trouble else { return }
    told = trouble
    effects.append(.tell(.unavailable(trouble)))
  }

  mutating func tell(_ authorization: Authorization, into effects: inout [Effect]) {
    guard toldAuthorization != authorization, hasToldRefusal || !authorization.isAllowed else { return }
    toldAuthorization = authorization
    hasToldRefusal = !authorization.isAllowed
    effects.append(.tell(.authorization(authorization)))
  }
}
