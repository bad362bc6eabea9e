import WhereaboutsEngine
import WhereaboutsModel

/// The handling of bus events and timeouts.
extension GeoClueSession {
  // MARK: Answers

  mutating func process(
    _ result: Result<BusReply, DBusError>, to question: PendingCall, at now: Instant,
    into effects: inout [Effect]
  ) {
    switch (question, phase) {
    case (.client(callCount), .requestingClient): processClientReply(result, at: now, into: &effects)
    case (.start(callCount), .starting(let client)):
      processStartReply(client, result, at: now, into: &effects)
    case (.location, .starting), (.location, .running): processLocation(result, into: &effects)
    // A reply that arrived after its call was given up.
    case (.client, _), (.start, _), (.location, _): break
    }
  }

  private mutating func processClientReply(
    _ result: Result<BusReply, DBusError>, at now: Instant, into effects: inout [Effect]
  ) {
    switch result {
    case .success(let reply):
      guard let path = reply.values.first?.asPath, let request = GeoClueRequest(demand) else {
        return markUnavailable(
          GeoClueProblems.failed(DBusError("an answer without a client")), at: now, into: &effects)
      }
      let client = Client(path: path, service: reply.sender)
      effects.append(.call(set("DesktopId", of: client, to: .text(settings.desktopID))))
      setThresholds(request, of: client, into: &effects)
      waitsSince = nil
      lastAccuracy = nil
      isEscalated = false
      start(client, at: request.level, at: now, into: &effects)
    case .failure(let failure): handleFailure(failure, at: now, into: &effects)
    }
  }

  private mutating func processStartReply(
    _ client: Client, _ result: Result<BusReply, DBusError>, at now: Instant, into effects: inout [Effect]
  ) {
    switch result {
    case .success:
      phase = .running(client)
      backoff = GeoClueBackoff()
      reportAuthorization(GeoClueProblems.allowed(), into: &effects)
      guard let request = GeoClueRequest(demand) else { return }
      waitForPosition(request, at: now)
      restartIfNeeded(client, at: now, into: &effects)
    case .failure(let failure): handleFailure(failure, at: now, into: &effects)
    }
  }

  private mutating func handleFailure(_ failure: DBusError, at now: Instant, into effects: inout [Effect]) {
    if failure.isAccessDenied {
      reportAuthorization(GeoClueProblems.refusal(failure, desktopID: settings.desktopID), into: &effects)
      disconnect(entering: .denied, into: &effects)
      wasOff = true
    } else {
      let problem =
        failure.isUnknownService ? GeoClueProblems.notInstalled() : GeoClueProblems.failed(failure)
      markUnavailable(problem, at: now, into: &effects)
    }
  }

  /// Handles a service that is unavailable for now.
  private mutating func markUnavailable(
    _ problem: SourceProblem, at now: Instant, into effects: inout [Effect]
  ) {
    phase = .waitingForService
    wasOff = true
    deadline = backoff.nextAttempt(after: now, isLocal: false)
    reportProblem(problem, into: &effects)
  }

  // MARK: Positions

  private mutating func processLocation(
    _ result: Result<BusReply, DBusError>, into effects: inout [Effect]
  ) {
    // The service removes an old position soon after a newer one, which has been reported then.
    guard case .success(let reply) = result else { return }
    guard let fix = reply.values.first?.properties.flatMap(GeoClueLocation.fix) else {
      return reportProblem(GeoClueProblems.invalidPosition(), into: &effects)
    }
    reportedProblem = nil
    lastAccuracy = fix.horizontalAccuracy ?? .infinity
    if wasOff, hadFixes { effects.append(.emit(.segmentBegan)) }
    wasOff = false
    hadFixes = true
    waitsSince = isAccurateEnough(for: GeoClueRequest(demand)) ? nil : waitsSince
    setPositionDeadline()
    effects.append(.emit(.fix(fix, age: fix.time == nil ? .sinceArrival : .sinceFixTime)))
  }

  private func isAccurateEnough(for request: GeoClueRequest?) -> Bool {
    guard let request, let lastAccuracy else { return false }
    return lastAccuracy <= request.accuracy
  }

  /// Starts waiting for a position, unless one that is enough exists or is awaited already.
  mutating func waitForPosition(_ request: GeoClueRequest, at now: Instant) {
    waitsSince = isAccurateEnough(for: request) ? nil : waitsSince ?? now
    setPositionDeadline()
  }

  /// Sets the deadline for requesting more, or for reporting that the service has no position.
  private mutating func setPositionDeadline() {
    guard case .running = phase else { return }
    guard let waitsSince else { return deadline = nil }
    if level < .exact {
      deadline = waitsSince.advanced(by: settings.positionTimeout / 2)
    } else {
      deadline = lastAccuracy != nil ? nil : waitsSince.advanced(by: settings.positionTimeout)
    }
  }

  // MARK: Signals

  mutating func process(_ signal: BusSignal, at now: Instant, into effects: inout [Effect]) {
    switch signal.member {
    case "NameOwnerChanged" where signal.sender == GeoClueBusNames.bus:
      guard signal.values.count == 3, signal.values[0].asText == GeoClueBusNames.service,
        let owner = signal.values[2].asText
      else { return }
      handleChange(owner: owner, at: now, into: &effects)
    case "LocationUpdated":
      guard let client = client(of: signal), signal.values.count == 2, let path = signal.values[1].asPath,
        path != "/"
      else { return }
      effects.append(
        .call(.properties(of: GeoClueBusNames.location, at: path, on: client.service), .location))
    case "PropertiesChanged":
      guard case .running = phase, client(of: signal) != nil, signal.values.count > 1,
        let isActive = signal.values[1].properties?["Active"]?.asBool
      else { return }
      handleChange(isActive: isActive, at: now, into: &effects)
    default: break
    }
  }

  /// Returns our client if the signal concerns it and was sent by the service that created it.
  private func client(of signal: BusSignal) -> Client? {
    switch phase {
    case .starting(let client), .running(let client):
      client.path == signal.path && client.service == signal.sender ? client : nil
    case .off, .waitingForBus, .waitingForService, .requestingClient, .denied: nil
    }
  }

  private mutating func handleChange(owner: String, at now: Instant, into effects: inout [Effect]) {
    switch phase {
    case .waitingForService where !owner.isEmpty: requestClient(at: now, into: &effects)
    case .starting(let client), .running(let client):
      guard owner != client.service else { return }
      // A service that is back at once is not reported: the source resumes, with a gap.
      wasOff = true
      guard owner.isEmpty else { return requestClient(at: now, into: &effects) }
      markUnavailable(GeoClueProblems.stopped(), at: now, into: &effects)
    case .requestingClient where owner.isEmpty:
      markUnavailable(GeoClueProblems.stopped(), at: now, into: &effects)
    case .off, .waitingForBus, .waitingForService, .requestingClient, .denied: break
    }
  }

  /// Handles a client's activity: the agent stops and starts clients when the user switches location off and on.
  private mutating func handleChange(isActive: Bool, at now: Instant, into effects: inout [Effect]) {
    if isActive {
      reportAuthorization(GeoClueProblems.allowed(), into: &effects)
      if let request = GeoClueRequest(demand) { waitForPosition(request, at: now) }
    } else {
      wasOff = true
      deadline = nil
      // The wait for a position begins anew when location is on again.
      waitsSince = nil
      reportAuthorization(GeoClueProblems.switchedOff(), into: &effects)
    }
  }

  mutating func handleConnectionLoss(_ failure: DBusError, at now: Instant, into effects: inout [Effect]) {
    switch phase {
    case .off, .waitingForBus, .denied: return
    case .waitingForService, .requestingClient, .starting, .running: break
    }
    phase = .waitingForBus
    wasOff = true
    deadline = backoff.nextAttempt(after: now, isLocal: true)
    reportProblem(GeoClueProblems.unreachableBus(failure), into: &effects)
  }

  // MARK: Time

  mutating func handleTimer(at now: Instant, into effects: inout [Effect]) {
    guard let due = deadline, now >= due else { return }
    deadline = nil
    switch phase {
    case .off, .denied: break
    case .waitingForBus: connect(at: now, into: &effects)
    case .waitingForService: requestClient(at: now, into: &effects)
    // The reply is still awaited: it arrives when there is an agent, or when the user has decided.
    case .requestingClient: reportAuthorization(GeoClueProblems.noAgent(), into: &effects)
    case .starting:
      reportAuthorization(GeoClueProblems.awaitingPermission(settings.desktopID), into: &effects)
    case .running(let client):
      if level < .exact {
        isEscalated = true
        restart(client, at: .exact, at: now, into: &effects)
      } else if lastAccuracy == nil {
        reportProblem(GeoClueProblems.noPosition(level: level), into: &effects)
      }
    }
  }
}
