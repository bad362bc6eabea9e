import NIOCore
import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats

/// All that is decided about gpsd: when to connect, what to ask, what to make of what it says.
///
/// A value without a clock or a socket: events in with their instants, effects out in their order.
struct GPSDSession {
  enum Event: Sendable {
    case demand(Demand)
    /// The connection that was asked for is there.
    case connected
    /// It could not be had.
    case refused(GPSDRefusal)
    case bytes(ByteBuffer)
    /// The other side closed it, or it broke.
    case closed
    /// Time has passed; a hint, never proof.
    case woke
  }

  enum Effect: Hashable, Sendable {
    /// Connect. What was open is closed already.
    case connect
    case send(String)
    /// Close what is open, or give up connecting.
    case close
    case tell(SourceSignal)
  }

  enum State {
    /// Nothing is needed.
    case off
    case connecting
    /// It is tried again then.
    case waiting(until: Instant)
    case open(GPSDConnection)
  }

  let words: GPSDWords
  /// The one device that is wanted.
  let device: String?
  /// What a relay of this process says of itself.
  private let ownRelay: String
  private(set) var state = State.off
  private var demand = Demand.off
  private var decoder = GPSDDecoder()
  private var batch = GPSDBatch()
  private var receiver = GPSDReceiver()
  private var retry = GPSDRetry()
  /// What was told last and still stands.
  private var told: SourceTrouble?
  /// How many connections in a row were closed by the other side before there was a fix.
  private var emptyEnds = 0
  /// When it is taken for certain that there is no compass.
  private var headingsMissingAt: Instant?

  init(words: GPSDWords, device: String?, ownRelay: String) {
    self.words = words
    self.device = device
    self.ownRelay = ownRelay
  }

  mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    switch event {
    case .demand(let demand): return take(demand, at: now)
    case .connected:
      guard case .connecting = state else { return [] }
      state = .open(GPSDConnection(at: now))
      return [.send(words.watch(device))]
    case .refused(let refusal):
      guard case .connecting = state else { return [] }
      return tell(words.unreachable(refusal)) + wait(at: now)
    case .bytes(let bytes): return take(bytes, at: now)
    case .closed: return takeEnd(at: now)
    case .woke: return wake(at: now)
    }
  }

  /// The day before which a date is wrong by rounds of 1024 weeks; `nil` believes every date.
  var notBefore: UTCTime? {
    get { decoder.notBefore }
    set { decoder.notBefore = newValue }
  }

  /// When to look again, if nothing else happens; `nil` while nothing is needed.
  var nextWake: Instant? {
    switch state {
    case .off, .connecting: nil
    case .waiting(let until): until
    case .open(let connection):
      [connection.nextWake, connection.closesAt == nil ? headingsMissingAt : nil].compactMap { $0 }.min()
    }
  }

  // MARK: - Demands

  private mutating func take(_ new: Demand, at now: Instant) -> [Effect] {
    let isAgain = new == demand
    if new.headings == nil {
      headingsMissingAt = nil
    } else if demand.headings == nil {
      headingsMissingAt = now.advanced(by: GPSDConnection.longestSearch)
    }
    demand = new
    if new == .off {
      told = nil
      return rest(at: now)
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
      return [.send(words.watch(device))]
    }
  }

  /// Nothing is needed: gpsd may rest the receiver, and soon the connection goes too.
  private mutating func rest(at now: Instant) -> [Effect] {
    switch state {
    case .off: return []
    case .connecting, .waiting:
      state = .off
      return [.close]
    case .open(var connection):
      guard connection.closesAt == nil else { return [] }
      connection.closesAt = now.advanced(by: GPSDConnection.lingering)
      state = .open(connection)
      return [.send(GPSDWords.unwatch)]
    }
  }

  // MARK: - The connection

  private mutating func connect() -> [Effect] {
    state = .connecting
    return [.connect]
  }

  private mutating func reconnect() -> [Effect] {
    decoder.disconnect()
    return [.close] + connect()
  }

  private mutating func wait(at now: Instant) -> [Effect] {
    decoder.disconnect()
    state = .waiting(until: now.advanced(by: retry.next(at: now)))
    return []
  }

  private mutating func takeEnd(at now: Instant) -> [Effect] {
    guard case .open(let connection) = state else { return [] }
    guard connection.closesAt == nil else {
      decoder.disconnect()
      state = .off
      return [.close]
    }
    emptyEnds = now.since(connection.since) < GPSDConnection.shortestHold ? emptyEnds + 1 : 1
    // One that was restarted has its receivers when it is back; one that never comes so far has a reason of its own.
    let isTrouble = !connection.hasReading || emptyEnds > 1
    let trouble = connection.isGreeted ? words.closedAfterGreeting : words.closedAtOnce
    let effects = isTrouble ? tell(trouble) : []
    return [.close] + effects + wait(at: now)
  }

  private mutating func wake(at now: Instant) -> [Effect] {
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
      let verdict = connection.verdict(at: now)
      state = .open(connection)
      return carryOut(verdict, at: now) + tellMissingHeadings(at: now)
    }
  }

  private mutating func carryOut(_ verdict: GPSDConnection.Verdict?, at now: Instant) -> [Effect] {
    switch verdict {
    case nil: return []
    case .stranger: return [.close] + tell(words.stranger) + wait(at: now)
    case .dead: return reconnect()
    case .probe: return [.send(GPSDWords.version)]
    case .inactive: return tell(noReceiver) + reconnect()
    case .askForDevices: return [.send(GPSDWords.devices)]
    case .silent: return tell(words.silent(receiver.device))
    }
  }

  private mutating func tellMissingHeadings(at now: Instant) -> [Effect] {
    guard let at = headingsMissingAt, now >= at else { return [] }
    headingsMissingAt = nil
    return [.tell(.headingsUnavailable(words.noCompass))]
  }

  // MARK: - What gpsd says

  private mutating func take(_ bytes: ByteBuffer, at now: Instant) -> [Effect] {
    guard case .open(var connection) = state else { return [] }
    let problems = batch.problems.total
    batch.removeAll()
    bytes.withUnsafeReadableBytes { decoder.decode($0, into: &batch) }
    connection.heard(at: now)
    state = .open(connection)
    var effects: [Effect] = []
    for report in batch.reports { effects += take(report, at: now) }
    if case .open(let connection) = state, !connection.isGreeted, batch.problems.total > problems {
      effects += carryOut(.stranger, at: now)
    }
    return effects
  }

  private mutating func take(_ report: GPSDReport, at now: Instant) -> [Effect] {
    guard case .open(var connection) = state else { return [] }
    defer { if case .open = state { state = .open(connection) } }
    switch report {
    case .version(let version):
      // Its fixes are those that it takes from here.
      if version.revision == ownRelay { return [.close] + tell(words.ownRelay) + wait(at: now) }
      connection.isGreeted = true
      connection.isRelay = version.revision.hasPrefix(RelayIdentity.prefix)
    case .devices(let devices):
      connection.devices = Dictionary(devices.map { ($0.path, $0.isActive) }) { $0 || $1 }
      if connection.asksForDeviceAt != nil, let device, connection.devices[device] != nil {
        connection.beginWatching(at: now)
        return [.send(words.watch(self.device))]
      }
      return judgeReceivers(&connection, at: now)
    case .device(let changed):
      connection.devices[changed.path] = changed.isActive
      if !changed.isActive { receiver.isGone(changed.path) }
      return judgeReceivers(&connection, at: now)
    case .watch(let watch):
      connection.isWatching = watch.isEnabled
    case .failure(let message) where connection.isRelay && message.hasPrefix(RelayIdentity.troublePrefix):
      return tell(words.relayTrouble(message))
    case .failure:
      // A device that gpsd does not know: it may yet come to know it.
      guard device != nil, !connection.isWatching, connection.closesAt == nil else { return [] }
      connection.asksForDeviceAt = now.advanced(by: retry.pause(at: now))
      return tell(noReceiver)
    case .poll: break
    case .fix, .noPosition, .repetition, .satellites, .heading:
      return takeReading(report, &connection, at: now)
    }
    return []
  }

  /// Whether there is anything to receive with.
  private mutating func judgeReceivers(_ connection: inout GPSDConnection, at now: Instant) -> [Effect] {
    guard connection.closesAt == nil else { return [] }
    let isActive = device.map { connection.devices[$0] ?? false } ?? connection.devices.values.contains(true)
    if isActive {
      connection.inactiveAt = nil
      return []
    }
    let isListed = device.map { connection.devices[$0] != nil } ?? !connection.devices.isEmpty
    // gpsd opens a device that it has lost when somebody new begins to watch.
    if isListed, connection.inactiveAt == nil {
      connection.inactiveAt = now.advanced(by: retry.pause(at: now))
    }
    // One that was never open may be about to be.
    guard !isListed || receiver.wasLost else { return [] }
    return tell(noReceiver)
  }

  private mutating func takeReading(
    _ report: GPSDReport, _ connection: inout GPSDConnection, at now: Instant
  ) -> [Effect] {
    guard connection.closesAt == nil else { return [] }
    connection.lastReading = now
    connection.hasReading = true
    // That gpsd closes each connection stands until one of them holds.
    let isHeld = emptyEnds < 2 || now.since(connection.since) >= GPSDConnection.shortestHold
    switch report {
    case .fix(let fix, let path):
      guard isWanted(path), receiver.takesFix(from: path, at: now) else { return [] }
      retry = GPSDRetry()
      told = nil
      emptyEnds = 0
      let gap: [Effect] = receiver.wasLost ? [.tell(.segmentBegan)] : []
      receiver.wasLost = false
      return gap + [.tell(.fix(fix, age: .sinceArrival))]
    case .noPosition(let path):
      guard isWanted(path), receiver.isOurs(path, at: now), isHeld else { return [] }
      return tell(words.noPosition)
    case .repetition(let path):
      guard isWanted(path), receiver.isOurs(path, at: now),
        now.since(receiver.lastFix ?? connection.since) >= GPSDConnection.longestRepetition
      else { return [] }
      return tell(words.oldPosition)
    case .satellites(let sky, let path):
      guard isWanted(path), receiver.isOurs(path, at: now), receiver.isNews(sky) else { return [] }
      return [.tell(.satellites(sky))]
    case .heading(let heading, let path):
      guard isWanted(path), demand.headings != nil else { return [] }
      headingsMissingAt = nil
      return [.tell(.heading(heading))]
    default:
      return []
    }
  }

  private var noReceiver: SourceTrouble { words.noReceiver(device, lost: receiver.lost) }

  private func isWanted(_ path: String?) -> Bool { device == nil || path == nil || path == device }

  /// Once for each change.
  private mutating func tell(_ trouble: SourceTrouble) -> [Effect] {
    guard told != trouble else { return [] }
    told = trouble
    return [.tell(.unavailable(trouble))]
  }
}
