import Foundation
import Logging
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsStore

/// The loaded devices of a server.
///
/// A device is loaded when it is first needed and unloaded when it has not been used for a time. Memory therefore
/// follows the active devices.
actor DeviceRegistry {
  /// The time without use after which a device is unloaded.
  static let restAfter = Duration.seconds(3600)
  /// The number of devices that are closed at the same time when the process ends.
  private static let closedAtOnce = 64

  private let store: SQLiteStore
  private let fences: SharedFences
  private let syncer: StoreSyncer
  private let hub: StreamHub
  private let logger: Logger
  /// The server's time zone, whose midnights divide the days of trips.
  let zone: TimeZone
  private var loaded: [DeviceID: LoadedDevice] = [:]
  /// The devices whose engine is being closed, for a rest or an erasure of data, with the tasks that wait for the end.
  private var closing: [DeviceID: [CheckedContinuation<Void, Never>]] = [:]
  /// The erasures that wait until the device is unused.
  private var pendingErasures: [DeviceID: CheckedContinuation<Void, Never>] = [:]
  /// The last engine of each device that was loaded, until its end was awaited.
  private var engines: [DeviceID: Task<Void, Never>] = [:]
  /// The revision of the fences that the phone of each device had at the device's last rest.
  private var sentFences: [DeviceID: UInt64] = [:]
  /// The cause for which each device's fixes are not stored at present, so that it is logged once.
  private var storeProblems: [DeviceID: StoreError.Code] = [:]

  /// A loaded device with its uses.
  private struct LoadedDevice {
    let session: DeviceSession
    var users = 0
    /// The number of all uses since the load.
    var uses = 0
    var lastUse = ContinuousClock.now

    /// Returns whether the device has not been used for a time.
    func isIdle(for time: Duration) -> Bool { users == 0 && ContinuousClock.now - lastUse >= time }
  }

  init(store: SQLiteStore, fences: SharedFences, hub: StreamHub, zone: TimeZone, logger: Logger) {
    self.store = store
    self.fences = fences
    self.hub = hub
    self.zone = zone
    self.logger = logger
    syncer = StoreSyncer(store: store)
  }

  /// The number of loaded devices.
  var count: Int { loaded.count }

  /// Returns the session of a device, and loads it if needed. The session stays loaded until ``release(_:)``. Waits
  /// while the device is put to rest, and while its data are erased.
  func retain(_ device: DeviceID) async -> DeviceSession {
    await waitUntilClosed(of: device)
    return retain(device, isOfPhone: true) { store in
      LocationManager(
        source: PhoneSource(), settings: Self.settings(isOfPhone: true), store: store, device: device)
    }
  }

  /// Ends a use of a session. A session whose store could not be loaded is replaced once it is unused.
  func release(_ session: DeviceSession) {
    let isUnusable = session.loadError != nil
    loaded[session.device]?.users -= 1
    loaded[session.device]?.lastUse = .now
    if loaded[session.device]?.users == 0 {
      if isUnusable { loaded[session.device] = nil }
      pendingErasures.removeValue(forKey: session.device)?.resume()
    }
  }

  /// Returns what a body returns for the session of a device. A device that was at rest rests again afterwards, unless
  /// it is used meanwhile or a result is due.
  func withSession<Value: Sendable>(
    of device: DeviceID, _ body: @Sendable (DeviceSession) async -> Value
  ) async -> Value {
    let session = await retain(device)
    let value = await body(session)
    release(session)
    if let entry = loaded[device], entry.session === session { await rest(entry) { $0.uses == 1 } }
    return value
  }

  /// Returns the session of a device if it is loaded.
  func loadedSession(of device: DeviceID) -> DeviceSession? { loaded[device]?.session }

  /// Loads a device whose fixes are from a source of this machine. The source starts with
  /// `LocationManager.startSource()`.
  func retain(_ device: DeviceID, source: any LocationSource) -> DeviceSession {
    retain(device, isOfPhone: false) { store in
      LocationManager(
        source: source, settings: Self.settings(isOfPhone: false), store: store, device: device,
        startsSource: false)
    }
  }

  /// Loads the stored data of a device with a source again if that has failed.
  func repeatLoad(of device: DeviceID) async { await loaded[device]?.session.repeatLoad() }

  private func retain(
    _ device: DeviceID, isOfPhone: Bool, _ manager: (SharedFenceStore) -> LocationManager
  ) -> DeviceSession {
    var entry = loaded[device] ?? load(device, isOfPhone: isOfPhone, manager)
    entry.users += 1
    entry.uses += 1
    entry.lastUse = .now
    loaded[device] = entry
    return entry.session
  }

  private func load(
    _ device: DeviceID, isOfPhone: Bool, _ manager: (SharedFenceStore) -> LocationManager
  ) -> LoadedDevice {
    let shared = SharedFenceStore(store, fences: fences, isOfPhone: isOfPhone) { [hub] in
      hub.crossingsWereStored()
    }
    let session = DeviceSession(
      device, manager: manager(shared), store: store, fences: shared, syncer: isOfPhone ? nil : syncer,
      zone: zone, sentFences: sentFences[device]
    ) { [hub] in hub.publish($0, of: device, isNew: $1) }
    engines[device] = session.manager.loop
    let changes = session.manager.storeHealth
    // The stream ends with the manager.
    Task.detached { [weak self] in
      for await health in changes { await self?.report(health, of: device) }
    }
    return LoadedDevice(session: session)
  }

  /// Logs a change of the store's health, once for each device and cause.
  private func report(_ health: StoreHealth, of device: DeviceID) {
    switch health {
    case .none: break
    case .working:
      guard storeProblems.removeValue(forKey: device) != nil else { return }
      logger.notice("the store works again", metadata: ["device": "\(device)"])
    case .failing(let error), .unusable(let error):
      guard storeProblems.updateValue(error.code, forKey: device) != error.code else { return }
      logger.warning("fixes are not stored: \(error)", metadata: ["device": "\(device)"])
    }
  }

  private static func settings(isOfPhone: Bool) -> ManagerSettings {
    var settings = ManagerSettings(power: .unrestricted, unsavedEvents: .heldBack)
    // No receiver of this machine is on for a phone, and the next fix begins its day again if need be.
    settings.storesStateWithFixes = isOfPhone
    return settings
  }

  // MARK: Fences

  /// Gives changed fences to the loaded devices until the task is cancelled.
  func applyFenceChanges() async {
    for await _ in fences.changeStream {
      for entry in loaded.values {
        // The next process loads the present fences.
        guard !Task.isCancelled else { return }
        await entry.session.applyFences()
      }
    }
  }

  // MARK: Erasure

  /// Erases data of a device while it is unused. New requests for the device wait; running ones end first, and waits
  /// for a fix end at once.
  ///
  /// - Parameter erase: the erasure in the store.
  func erase<Result: Sendable>(
    _ device: DeviceID, _ erase: @escaping @Sendable () throws(StoreError) -> Result
  ) async throws -> Result {
    await waitUntilClosed(of: device)
    closing[device] = []
    defer { endClosing(device) }
    await unload(device)
    sentFences[device] = nil
    // Also of an engine that was given up before.
    await engines.removeValue(forKey: device)?.value
    // The erasure blocks its thread for a while.
    return try await Task.detached { try erase() }.value
  }

  private func unload(_ device: DeviceID) async {
    guard let entry = loaded[device] else { return }
    // A wait for a fix would hold up the erasure for minutes.
    await entry.session.endWaits()
    if let users = loaded[device]?.users, users > 0 {
      await withCheckedContinuation { pendingErasures[device] = $0 }
    }
    // The engine's memory is stored first, so that it is erased too.
    await close(entry)
  }

  /// Stores the state of a device and ends its engine. Its open trip stays open.
  private func close(_ entry: LoadedDevice) async {
    let device = entry.session.device
    await entry.session.manager.close()
    loaded[device] = nil
    await engines.removeValue(forKey: device)?.value
  }

  private func endClosing(_ device: DeviceID) {
    for waiting in closing.removeValue(forKey: device) ?? [] { waiting.resume() }
  }

  private func waitUntilClosed(of device: DeviceID) async {
    while closing[device] != nil {
      await withCheckedContinuation { closing[device, default: []].append($0) }
    }
  }

  // MARK: Rest

  /// Puts devices to rest that have not been used for a time, until the task is cancelled.
  ///
  /// - Parameter age: the time without use.
  func restIdleDevices(after age: Duration = DeviceRegistry.restAfter) async {
    for entry in loaded.values where entry.isIdle(for: age) {
      guard !Task.isCancelled else { return }
      await rest(entry) { $0.isIdle(for: age) }
    }
  }

  /// Puts an unused device to rest, unless a result is due.
  ///
  /// - Parameter isIdle: returns whether the device may still rest. A request may arrive meanwhile.
  private func rest(_ entry: LoadedDevice, while isIdle: (LoadedDevice) -> Bool) async {
    let device = entry.session.device
    guard entry.users == 0, isIdle(entry) else { return }
    // A stay may complete, an event may wait, or the device's fence may expire, without a further fix.
    guard await !entry.session.manager.hasPendingResult else { return }
    // An engine that can't store its data now stays loaded and tries again. An engine that could not load its data
    // has nothing to store, and the next one loads them.
    if case .failing = await entry.session.manager.save() { return }
    guard let now = loaded[device], now.session === entry.session, now.users == 0, isIdle(now),
      closing[device] == nil
    else { return }
    closing[device] = []
    sentFences[device] = entry.session.sentFences
    await close(entry)
    endClosing(device)
  }

  /// Stores the states of all devices and ends their engines, because the process ends.
  ///
  /// - Complexity: O(n) for n devices. Those without new fixes write nothing; the others share transactions and one sync.
  func closeAll() async {
    await withTaskGroup(of: Void.self) { group in
      for (number, entry) in loaded.values.enumerated() {
        // A device that is closed has its state in memory twice, once as JSON.
        if number >= Self.closedAtOnce { await group.next() }
        group.addTask { await entry.session.manager.close() }
      }
    }
    loaded = [:]
    // After a failure a power cut loses states alone, which follow from the stored fixes.
    try? store.sync()
  }
}
