import NIOCore
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsFormats

/// A state machine for gpsd: connections, requests, and the use of replies.
///
/// A value without a clock or a socket: events with their instants are its input, effects in order its output.
struct GPSDSession {
  enum Event: Sendable {
    case demand(Demand)
    /// The requested connection is open.
    case connected
    /// The requested connection failed.
    case connectionFailed(GPSDConnectionFailure)
    case bytes(ByteBuffer)
    /// The peer closed the connection, or the connection broke.
    case closed
    /// Time has passed; a hint, never proof.
    case timerFired
  }

  enum Effect: Hashable, Sendable {
    /// Connect; the previous connection is closed already.
    case connect
    case send(String)
    /// Close the connection, or stop connecting.
    case close
    case emit(SourceSignal)
  }

  enum State {
    /// There is no demand.
    case off
    case connecting
    /// The next attempt is at this time.
    case waiting(until: Instant)
    case open(GPSDConnection)
  }

  let messages: GPSDMessages
  /// The only device to use, if one was requested.
  let device: String?
  /// The revision that a relay of this process states.
  private let ownRelay: String
  private(set) var state = State.off
  private var demand = Demand.off
  private var decoder = GPSDDecoder()
  private var batch = GPSDBatch()
  private var receiver = GPSDReceiver()
  private var retry = GPSDBackoff()
  /// The problem that was reported last and still holds.
  private var reportedProblem: SourceProblem?
  /// The number of consecutive connections that the peer closed before a fix.
  private var closesWithoutFix = 0
  /// The time at which the receiver counts as having no compass.
  private var compassDeadline: Instant?

  init(messages: GPSDMessages, device: String?, ownRelay: String) {
    self.messages = messages
    self.device = device
    self.ownRelay = ownRelay
  }

  mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    switch event {
    case .demand(let demand): return updateDemand(demand, at: now)
    case .connected:
      guard case .connecting = state else { return [] }
      state = .open(GPSDConnection(at: now))
      // Before, no device of gpsd could send a heading.
      if compassDeadline != nil { compassDeadline = now.advanced(by: GPSDConnection.compassTimeout) }
      return [.send(messages.watchRequest(device))]
    case .connectionFailed(let refusal):
      guard case .connecting = state else { return [] }
      return reportProblem(messages.unreachable(refusal)) + scheduleRetry(at: now)
    case .bytes(let bytes): return decode(bytes, at: now)
    case .closed: return handleClose(at: now)
    case .timerFired: return handleTimer(at: now)
    }
  }

  /// The day before which a date is wrong by rounds of 1024 weeks; `nil` accepts every date.
  var notBefore: UTCTime? {
    get { decoder.notBefore }
    set { decoder.notBefore = newValue }
  }

  /// The device whose fixes are used, and the first other one that has had fixes meanwhile; `nil` before.
  var devicesWithFixes: (used: String, other: String)? { receiver.devicesWithFixes }

  /// The time of the next timer event; `nil` without demand.
  var nextWake: Instant? {
    switch state {
    case .off, .connecting: nil
    case .waiting(let until): until
    case .open(let connection):
      [connection.nextWake, connection.closesAt == nil ? compassDeadline : nil].compactMap { $0 }.min()
    }
  }

  // MARK: - Demands

  private mutating func updateDemand(_ new: Demand, at now: Instant) -> [Effect] {
    let isAgain = new == demand
    if new.headings == nil {
      compassDeadline = nil
    } else if demand.headings == nil {
      compassDeadline = now.advanced(by: GPSDConnection.compassTimeout)
    }
    demand = new
    if new == .off {
      reportedProblem = nil
      return stopWatching(at: now)
    }
    switch state {
    case .off, .waiting: return connect()
    case .connecting: return []
    case .open(var connection):
      if isAgain { return reconnect() }
      guard connection.closesAt != nil else { return [] }
      connection.closesAt = nil
      connection.beginWatching(at: now)
      state = .open(connection)
      return [.send(messages.watchRequest(device))]
    }
  }

  /// Ends the watch: gpsd may switch the receiver off, and the connection closes soon.
  private mutating func stopWatching(at now: Instant) -> [Effect] {
    switch state {
    case .off: return []
    case .connecting, .waiting:
      state = .off
      return [.close]
    case .open(var connection):
      guard connection.closesAt == nil else { return [] }
      connection.closesAt = now.advanced(by: GPSDConnection.lingerTime)
      state = .open(connection)
      return [.send(GPSDMessages.unwatchRequest)]
    }
  }

  // MARK: - Connection

  private mutating func connect() -> [Effect] {
    state = .connecting
    return [.connect]
  }

  private mutating func reconnect() -> [Effect] {
    decoder.disconnect()
    return [.close] + connect()
  }

  private mutating func scheduleRetry(at now: Instant) -> [Effect] {
    decoder.disconnect()
    state = .waiting(until: now.advanced(by: retry.nextDelay(at: now)))
    return []
  }

  private mutating func handleClose(at now: Instant) -> [Effect] {
    guard case .open(let connection) = state else { return [] }
    guard connection.closesAt == nil else {
      decoder.disconnect()
      state = .off
      return [.close]
    }
    let wasStable = now.since(connection.openedAt) >= GPSDConnection.stabilityThreshold
    closesWithoutFix = wasStable ? 1 : closesWithoutFix + 1
    // A restarted gpsd has its receivers when it is back. A connection that never gets that far has its own reason.
    let isProblem = !connection.hasReading || closesWithoutFix > 1
    let problem =
      switch (connection.isGreeted, wasStable) {
      case (false, _): messages.closedAtOnce
      case (true, false): messages.closedAfterGreeting
      case (true, true): messages.closed
      }
    let effects = isProblem ? reportProblem(problem) : []
    return [.close] + effects + scheduleRetry(at: now)
  }

  private mutating func handleTimer(at now: Instant) -> [Effect] {
    switch state {
    case .off, .connecting: return []
    case .waiting(let until): return now >= until ? connect() : []
    case .open(var connection):
      if let closesAt = connection.closesAt {
        guard now >= closesAt else { return [] }
        decoder.disconnect()
        state = .off
        return [.close]
      }
      let verdict = connection.dueAction(at: now)
      state = .open(connection)
      return perform(verdict, at: now) + reportMissingCompass(at: now)
    }
  }

  private mutating func perform(_ verdict: GPSDConnection.DueAction?, at now: Instant) -> [Effect] {
    switch verdict {
    case nil: return []
    case .notGreeted: return [.close] + reportProblem(messages.notGreeted) + scheduleRetry(at: now)
    case .timedOut, .watchRefused: return reconnect()
    case .probe: return [.send(GPSDMessages.versionRequest)]
    case .deviceInactive:
      guard case .open(let connection) = state else { return [] }
      return reportProblem(noReceiver(connection)) + reconnect()
    case .listDevices: return [.send(GPSDMessages.devicesRequest)]
    case .silent: return reportProblem(messages.silent(receiver.device))
    case .noReceiverReports: return reportProblem(messages.noReceiverReports)
    }
  }

  private mutating func reportMissingCompass(at now: Instant) -> [Effect] {
    guard let at = compassDeadline, now >= at else { return [] }
    compassDeadline = nil
    return [.emit(.headingsUnavailable(messages.noCompass))]
  }

  // MARK: - Reports

  private mutating func decode(_ bytes: ByteBuffer, at now: Instant) -> [Effect] {
    guard case .open(var connection) = state else { return [] }
    let problems = batch.problems.total, skipped = decoder.skippedObjects
    batch.removeAll()
    bytes.withUnsafeReadableBytes { decoder.decode($0, into: &batch) }
    connection.recordReceipt(at: now)
    if decoder.skippedObjects != skipped { connection.hasOtherReport = true }
    state = .open(connection)
    var effects: [Effect] = []
    for report in batch.reports { effects += process(report, at: now) }
    if case .open(let connection) = state, !connection.isGreeted, batch.problems.total > problems {
      effects += [.close] + reportProblem(messages.notGPSD) + scheduleRetry(at: now)
    }
    return effects
  }

  private mutating func process(_ report: GPSDReport, at now: Instant) -> [Effect] {
    guard case .open(var connection) = state else { return [] }
    defer { if case .open = state { state = .open(connection) } }
    switch report {
    case .version(let version):
      // The fixes of that relay are from this process.
      if version.revision == ownRelay {
        return [.close] + reportProblem(messages.ownRelay) + scheduleRetry(at: now)
      }
      connection.isGreeted = true
      connection.isRelay = version.revision.hasPrefix(RelayIdentity.prefix)
    case .devices(let devices):
      connection.devices = Dictionary(devices.map { ($0.path, $0.isActive) }) { $0 || $1 }
      if connection.retryDeviceAt != nil, let device, connection.devices[device] != nil {
        connection.beginWatching(at: now)
        return [.send(messages.watchRequest(self.device))]
      }
      return checkDevices(&connection, at: now)
    case .device(let changed):
      connection.devices[changed.path] = changed.isActive
      if !changed.isActive { receiver.deviceLost(changed.path) }
      return checkDevices(&connection, at: now)
    case .watch(let watch):
      connection.isWatching = watch.isEnabled
      if watch.isEnabled { connection.watchRefusedUntil = nil }
    case .failure(let message) where connection.isRelay && message.hasPrefix(RelayIdentity.problemPrefix):
      connection.hasRelayProblem = true
      return reportProblem(messages.relayProblem(message))
    case .failure(let message):
      guard !connection.isWatching, connection.closesAt == nil else { return [] }
      guard device != nil else {
        guard !connection.hasReading else { return [] }
        // A server that answers needs no greeting. It may send reports all the same.
        connection.isGreeted = true
        connection.watchRefusedUntil =
          connection.watchRefusedUntil ?? now.advanced(by: GPSDConnection.refusalTimeout)
        return reportProblem(messages.watchRefused(message))
      }
      // gpsd does not know the device, but may find it later.
      connection.retryDeviceAt = now.advanced(by: retry.maxDelay(at: now))
      return reportProblem(noReceiver(connection))
    case .poll: break
    case .fix, .noPosition, .repetition, .satellites, .heading:
      return processReading(report, &connection, at: now)
    }
    return []
  }

  /// Checks whether gpsd has a usable receiver.
  private mutating func checkDevices(_ connection: inout GPSDConnection, at now: Instant) -> [Effect] {
    guard connection.closesAt == nil else { return [] }
    let isActive = device.map { connection.devices[$0] ?? false } ?? connection.devices.values.contains(true)
    if isActive {
      connection.inactiveAt = nil
      return []
    }
    let isListed = device.map { connection.devices[$0] != nil } ?? !connection.devices.isEmpty
    // gpsd opens a lost device when a new client begins to watch.
    if isListed, connection.inactiveAt == nil {
      connection.inactiveAt = now.advanced(by: retry.maxDelay(at: now))
    }
    // A device that was never open may open soon.
    guard !isListed || receiver.wasLost else { return [] }
    return reportProblem(noReceiver(connection))
  }

  private mutating func processReading(
    _ report: GPSDReport, _ connection: inout GPSDConnection, at now: Instant
  ) -> [Effect] {
    guard connection.closesAt == nil else { return [] }
    connection.recordReading(at: now)
    defer { connection.hasRelayProblem = false }
    // The problem that gpsd closes each connection stands until a connection holds.
    let isHeld = closesWithoutFix < 2 || now.since(connection.openedAt) >= GPSDConnection.stabilityThreshold
    switch report {
    case .fix(let fix, let path):
      guard isWanted(path), receiver.acceptFix(from: path, at: now) else { return [] }
      retry = GPSDBackoff()
      reportedProblem = nil
      closesWithoutFix = 0
      let gap: [Effect] = receiver.wasLost ? [.emit(.segmentBegan)] : []
      receiver.wasLost = false
      return gap + [.emit(.fix(fix, age: .sinceArrival))]
    case .noPosition(let path):
      guard isWanted(path), receiver.isSelected(path, at: now), isHeld, !connection.hasRelayProblem
      else { return [] }
      return reportProblem(messages.noPosition)
    case .repetition(let path):
      guard isWanted(path), receiver.isSelected(path, at: now),
        now.since(receiver.lastFix ?? connection.openedAt) >= GPSDConnection.staleFixTimeout
      else { return [] }
      return reportProblem(messages.oldPosition)
    case .satellites(let sky, let path):
      guard isWanted(path), receiver.isSelected(path, at: now), receiver.hasChanged(sky) else { return [] }
      return [.emit(.satellites(sky))]
    case .heading(let heading, let path):
      guard isWanted(path), demand.headings != nil else { return [] }
      compassDeadline = nil
      return [.emit(.heading(heading))]
    default:
      return []
    }
  }

  private func noReceiver(_ connection: GPSDConnection) -> SourceProblem {
    guard let device else { return messages.noReceiver(nil, lost: receiver.lostDevice) }
    // gpsd supports six devices: more are no help.
    let others = connection.devices.keys.filter { $0 != device }.sorted().prefix(6)
    return messages.noReceiver(device, lost: receiver.lostDevice, others: Array(others))
  }

  private func isWanted(_ path: String?) -> Bool { device == nil || path == nil || path == device }

  /// Reports a problem, once for each change.
  private mutating func reportProblem(_ problem: SourceProblem) -> [Effect] {
    guard reportedProblem != problem else { return [] }
    reportedProblem = problem
    return [.emit(.unavailable(problem))]
  }
}
