import WhereaboutsCore

/// What comes from the bus and with time.
extension ServiceSession {
  // MARK: Answers

  mutating func take(
    _ result: Result<BusReply, BusFailure>, to question: Question, at now: Instant,
    into effects: inout [Effect]
  ) {
    switch (question, phase) {
    case (.client(asked), .askingForClient): letIn(result, at: now, into: &effects)
    case (.start(asked), .starting(let client)): started(client, result, at: now, into: &effects)
    case (.location, .starting), (.location, .running): takeLocation(result, into: &effects)
    // An answer that came after what asked for it was given up.
    case (.client, _), (.start, _), (.location, _): break
    }
  }

  private mutating func letIn(
    _ result: Result<BusReply, BusFailure>, at now: Instant, into effects: inout [Effect]
  ) {
    switch result {
    case .success(let reply):
      guard let path = reply.values.first?.asPath, let wish = ServiceWish(demand.fixes) else {
        return miss(ServiceTrouble.failing(BusFailure("an answer without a client")), at: now, into: &effects)
      }
      let client = Client(path: path, service: reply.sender)
      effects.append(.call(set("DesktopId", of: client, to: .text(settings.desktopID))))
      setThresholds(wish, of: client, into: &effects)
      waitsSince = nil
      lastAccuracy = nil
      isEscalated = false
      start(client, at: wish.level, at: now, into: &effects)
    case .failure(let failure): fail(failure, at: now, into: &effects)
    }
  }

  private mutating func started(
    _ client: Client, _ result: Result<BusReply, BusFailure>, at now: Instant, into effects: inout [Effect]
  ) {
    switch result {
    case .success:
      phase = .running(client)
      backoff = Backoff()
      tell(ServiceTrouble.allowed(), into: &effects)
      guard let wish = ServiceWish(demand.fixes) else { return }
      waitForPosition(wish, at: now)
      startAnewIfNeeded(client, at: now, into: &effects)
    case .failure(let failure): fail(failure, at: now, into: &effects)
    }
  }

  private mutating func fail(_ failure: BusFailure, at now: Instant, into effects: inout [Effect]) {
    if failure.isAccessDenied {
      tell(ServiceTrouble.refusal(failure, desktopID: settings.desktopID), into: &effects)
      leave(for: .refused, into: &effects)
      wasOff = true
    } else {
      let trouble = failure.isUnknownService ? ServiceTrouble.notInstalled() : ServiceTrouble.failing(failure)
      miss(trouble, at: now, into: &effects)
    }
  }

  /// The service can't be had for now.
  private mutating func miss(_ trouble: SourceTrouble, at now: Instant, into effects: inout [Effect]) {
    phase = .withoutService
    wasOff = true
    deadline = backoff.next(after: now, isLocal: false)
    tell(trouble, into: &effects)
  }

  // MARK: Positions

  private mutating func takeLocation(
    _ result: Result<BusReply, BusFailure>, into effects: inout [Effect]
  ) {
    // Old positions are removed soon after there is a newer one, which has been told then.
    guard case .success(let reply) = result else { return }
    guard let fix = reply.values.first?.properties.flatMap(ServiceLocation.fix) else {
      return tell(ServiceTrouble.unusable(), into: &effects)
    }
    told = nil
    lastAccuracy = fix.horizontalAccuracy ?? .infinity
    if wasOff, hadFixes { effects.append(.tell(.segmentBegan)) }
    wasOff = false
    hadFixes = true
    waitsSince = isEnough(for: ServiceWish(demand.fixes)) ? nil : waitsSince
    setPositionDeadline()
    effects.append(.tell(.fix(fix, age: fix.time == nil ? .sinceArrival : .sinceFixTime)))
  }

  private func isEnough(for wish: ServiceWish?) -> Bool {
    guard let wish, let lastAccuracy else { return false }
    return lastAccuracy <= wish.accuracy
  }

  /// From now on a position is waited for, unless there is one that is enough or one is waited for already.
  mutating func waitForPosition(_ wish: ServiceWish, at now: Instant) {
    waitsSince = isEnough(for: wish) ? nil : waitsSince ?? now
    setPositionDeadline()
  }

  /// When the service is to be asked for more, or it is to be told that it has nothing.
  private mutating func setPositionDeadline() {
    guard case .running = phase else { return }
    guard let waitsSince else { return deadline = nil }
    if level < .exact {
      deadline = waitsSince.advanced(by: settings.positionPatience / 2)
    } else {
      deadline = lastAccuracy != nil ? nil : waitsSince.advanced(by: settings.positionPatience)
    }
  }

  // MARK: Signals

  mutating func take(_ signal: BusSignal, at now: Instant, into effects: inout [Effect]) {
    switch signal.member {
    case "NameOwnerChanged" where signal.sender == ServiceName.bus:
      guard signal.values.count == 3, signal.values[0].asText == ServiceName.service,
        let owner = signal.values[2].asText
      else { return }
      changed(owner: owner, at: now, into: &effects)
    case "LocationUpdated":
      guard let client = client(of: signal), signal.values.count == 2, let path = signal.values[1].asPath,
        path != "/"
      else { return }
      effects.append(
        .call(.properties(of: ServiceName.location, at: path, on: client.service), .location))
    case "PropertiesChanged":
      guard case .running = phase, client(of: signal) != nil, signal.values.count > 1,
        let isActive = signal.values[1].properties?["Active"]?.asBool
      else { return }
      changed(isActive: isActive, into: &effects)
    default: break
    }
  }

  /// Our client, where the signal is of it and of the service that made it.
  private func client(of signal: BusSignal) -> Client? {
    switch phase {
    case .starting(let client), .running(let client):
      client.path == signal.path && client.service == signal.sender ? client : nil
    case .off, .withoutBus, .withoutService, .askingForClient, .refused: nil
    }
  }

  private mutating func changed(owner: String, at now: Instant, into effects: inout [Effect]) {
    switch phase {
    case .withoutService where !owner.isEmpty: askForClient(at: now, into: &effects)
    case .starting(let client), .running(let client):
      guard owner != client.service else { return }
      // Nobody is told of a service that is there again at once: it goes on as before, with a gap.
      wasOff = true
      guard owner.isEmpty else { return askForClient(at: now, into: &effects) }
      miss(ServiceTrouble.stopped(), at: now, into: &effects)
    case .askingForClient where owner.isEmpty: miss(ServiceTrouble.stopped(), at: now, into: &effects)
    case .off, .withoutBus, .withoutService, .askingForClient, .refused: break
    }
  }

  /// The agent stops and starts clients by itself when the person switches location off and on.
  private mutating func changed(isActive: Bool, into effects: inout [Effect]) {
    if isActive {
      tell(ServiceTrouble.allowed(), into: &effects)
    } else {
      wasOff = true
      deadline = nil
      tell(ServiceTrouble.switchedOff(), into: &effects)
    }
  }

  mutating func lose(_ failure: BusFailure, at now: Instant, into effects: inout [Effect]) {
    switch phase {
    case .off, .withoutBus, .refused: return
    case .withoutService, .askingForClient, .starting, .running: break
    }
    phase = .withoutBus
    wasOff = true
    deadline = backoff.next(after: now, isLocal: true)
    tell(ServiceTrouble.unreachableBus(failure), into: &effects)
  }

  // MARK: Time

  mutating func wake(at now: Instant, into effects: inout [Effect]) {
    guard let due = deadline, now >= due else { return }
    deadline = nil
    switch phase {
    case .off, .refused: break
    case .withoutBus: begin(at: now, into: &effects)
    case .withoutService: askForClient(at: now, into: &effects)
    // The answer is waited for all the same: it comes when there is an agent, or when the person has decided.
    case .askingForClient: tell(ServiceTrouble.noAgent(), into: &effects)
    case .starting: tell(ServiceTrouble.questionIsOpen(settings.desktopID), into: &effects)
    case .running(let client):
      if level < .exact {
        isEscalated = true
        startAnew(client, at: .exact, at: now, into: &effects)
      } else if lastAccuracy == nil {
        tell(ServiceTrouble.noPosition(level: level), into: &effects)
      }
    }
  }
}
