import HTTPTypes
import Logging
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

/// The parts of a server that its routes share.
struct ServerCore: Sendable {
  /// The greatest number of times that an answer is read anew because of erasures.
  private static let mostReads = 3

  let store: SQLiteStore
  let devices: DeviceRegistry
  let fences: SharedFences
  let tokens: TokenRegistry
  let zones: ZoneRegistry
  let authenticator: Authenticator
  let hub: StreamHub
  let batteries: BatteryRegistry
  let alerts: AlertStatus
  let phones: PhoneRegistry
  let metrics: ServerMetrics
  let liveLimits: LiveLimits
  /// The limit of requests that wait for a fix. Each has a connection.
  let waits: RequestGate
  /// Whether the device `this` has a source of this machine.
  let hasSource: Bool
  /// The limit of warnings of fixes that are ahead of this machine's clock.
  let earlyFixes = HourlyLogLimit<DeviceID>()
  /// The limit of warnings of devices that two phones send as.
  let sharedDevices = HourlyLogLimit<DeviceID>()
  let logger: Logger

  init(
    store: SQLiteStore, devices: DeviceRegistry, fences: SharedFences, tokens: TokenRegistry,
    zones: ZoneRegistry, hub: StreamHub, limits: ServerLimits, hasSource: Bool, alerts: AlertSettings? = nil,
    phones: PhonesSettings = PhonesSettings(), trustedProxies: TrustedProxies = TrustedProxies(),
    logger: Logger
  ) {
    self.store = store
    self.devices = devices
    self.fences = fences
    self.tokens = tokens
    self.zones = zones
    authenticator = Authenticator(tokens: tokens, zones: zones, store: store, proxies: trustedProxies)
    self.hub = hub
    batteries = BatteryRegistry { (try? store.lastFix(of: $0))?.fix.fix.time }
    metrics = ServerMetrics()
    liveLimits = LiveLimits(limits)
    waits = RequestGate(liveLimits) { $0.connections }
    self.hasSource = hasSource
    self.alerts = AlertStatus(alerts)
    self.phones = PhoneRegistry(phones)
    self.logger = logger
  }

  /// The limits of requests now.
  var limits: ServerLimits { liveLimits.current }

  /// Returns what a closure reads from the store in several steps. If an erasure begins or ends meanwhile, the closure
  /// reads again, so that nothing that is erased before its last step is in an answer. Only an erasure that lasts from
  /// before the first step until after the last may be in it in part.
  ///
  /// - Throws: as the closure; ``Problem`` 503 after three erasures.
  func readWithoutErasures<Value>(_ body: () async throws -> Value) async throws -> Value {
    for _ in 0..<Self.mostReads {
      let mark = try store.erasureMark()
      let value = try await body()
      if try store.erasureMark() == mark { return value }
    }
    throw Problem(.serviceUnavailable, "Data are being erased. Try again.", retryAfter: 1)
  }

  /// Returns the newest fix of a device: the last one of its engine, or a later one of an import; `nil` for none.
  func lastFix(of device: DeviceID) async throws(StoreError) -> Fix? {
    guard let loaded = await devices.loadedSession(of: device) else {
      return try store.lastFix(of: device)?.fix.fix
    }
    return try await lastFix(of: device, in: loaded) { await loaded.manager.lastFix?.fix }
  }

  /// Returns the newest fix of a device, as ``lastFix(of:)``.
  ///
  /// - Parameter live: returns the last fix of the session's engine; `nil` without one.
  func lastFix(of device: DeviceID, in session: DeviceSession, live: () async -> Fix?)
    async throws(StoreError)
    -> Fix?
  {
    let live = await live()
    // After all waits, during which the fix may be erased.
    let stored = try store.lastFix(of: device)?.fix.fix
    guard let live, !session.isErasing else { return stored }
    // No engine processes an imported fix.
    guard let time = live.time, let imported = stored?.time, imported > time else { return live }
    return stored
  }

  /// Returns the trips of a device as they are now: the stored ones, and the open ones of its engine.
  func trips(of device: DeviceID) async throws(StoreError) -> [Trip] {
    guard let loaded = await devices.loadedSession(of: device) else {
      return try store.tripsWithAhead(of: device)
    }
    return try await trips(of: device, in: loaded) { await loaded.manager.tripsWithAhead }
  }

  /// Returns the trips of a device, as ``trips(of:)``.
  ///
  /// - Parameter open: returns the open trips of the session's engine.
  func trips(of device: DeviceID, in session: DeviceSession, open: () async -> [Trip])
    async throws(StoreError)
    -> [Trip]
  {
    let open = await open()
    // After all waits, during which trips may be erased.
    var trips = try store.tripsWithAhead(of: device)
    if !session.isErasing { trips.update(with: open) }
    return trips
  }

  /// Returns the devices of the store, in the order of names. Fences that the command adds belong to the device `this`,
  /// which is left out if it has nothing else.
  func storedDevices() throws(StoreError) -> [DeviceID] {
    let devices = try store.devices()
    // The summary reads every fix.
    guard !hasSource, devices.contains(.this), try store.lastFix(of: .this) == nil else { return devices }
    var own = try store.summary(of: .this)
    own.fences = 0
    return own == DeviceSummary() ? devices.filter { $0 != .this } : devices
  }
}

extension [Trip] {
  /// Replaces stored trips by the open ones of a loaded device, whose rows are written only at intervals.
  fileprivate mutating func update(with open: [Trip]) {
    for trip in open {
      if let place = lastIndex(where: { $0.id == trip.id && $0.ended == nil }) {
        self[place] = trip
      } else if !contains(where: { $0.id == trip.id }) {
        append(trip)
      }
    }
  }
}
