import Foundation
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsStore

/// The loaded devices of a server.
///
/// A device is loaded when it is first needed and put to rest when it has not been used for a time. Memory therefore
/// follows the active devices.
actor DeviceRegistry {
  /// The time without use after which a device is put to rest.
  static let restAfter = Duration.seconds(600)

  private let store: SQLiteStore
  private let fences: SharedFences
  private let syncer: StoreSyncer
  private let hub: StreamHub
  private let zone: TimeZone
  private var loaded: [DeviceID: LoadedDevice] = [:]

  /// A loaded device with its uses.
  private struct LoadedDevice {
    let session: DeviceSession
    let store: SharedFenceStore
    var users = 0
    var lastUse = ContinuousClock.now

    /// Whether the device has not been used for a time.
    func isIdle(for time: Duration) -> Bool { users == 0 && ContinuousClock.now - lastUse >= time }
  }

  init(store: SQLiteStore, fences: SharedFences, hub: StreamHub, zone: TimeZone) {
    self.store = store
    self.fences = fences
    self.hub = hub
    self.zone = zone
    syncer = StoreSyncer(store: store)
  }

  /// The number of loaded devices.
  var count: Int { loaded.count }

  /// Returns the session of a device, and loads it if needed. The session stays loaded until ``release(_:)``.
  func retain(_ device: DeviceID) -> DeviceSession {
    retain(device, syncsCommits: true) { store in
      LocationManager(source: PhoneSource(), settings: Self.settings, store: store, device: device)
    }
  }

  /// Ends a use of a session.
  func release(_ session: DeviceSession) {
    loaded[session.device]?.users -= 1
    loaded[session.device]?.lastUse = .now
  }

  /// Returns the session of a device if it is loaded.
  func loadedSession(of device: DeviceID) -> DeviceSession? { loaded[device]?.session }

  /// Loads a device whose fixes come from a source of this machine. The source starts with
  /// `LocationManager.startSource()`.
  func retain(_ device: DeviceID, source: any LocationSource) -> DeviceSession {
    retain(device, syncsCommits: false) { store in
      LocationManager(
        source: source, settings: Self.settings, store: store, device: device, startsSource: false)
    }
  }

  private func retain(
    _ device: DeviceID, syncsCommits: Bool, _ manager: (SharedFenceStore) -> LocationManager
  ) -> DeviceSession {
    var entry = loaded[device] ?? load(device, syncsCommits: syncsCommits, manager)
    entry.users += 1
    entry.lastUse = .now
    loaded[device] = entry
    return entry.session
  }

  private func load(
    _ device: DeviceID, syncsCommits: Bool, _ manager: (SharedFenceStore) -> LocationManager
  ) -> LoadedDevice {
    let shared = SharedFenceStore(store, fences: fences, syncsCommits: syncsCommits) { [hub] in
      hub.crossingsWereStored()
    }
    let session = DeviceSession(
      device, manager: manager(shared), store: store, syncer: syncsCommits ? nil : syncer, zone: zone)
    return LoadedDevice(session: session, store: shared)
  }

  private static var settings: ManagerSettings {
    ManagerSettings(power: .unrestricted, unsavedEvents: .heldBack)
  }

  // MARK: Fences

  /// Gives changed fences to the loaded devices until the task is cancelled.
  func applyFenceChanges() async {
    for await changed in fences.changeStream {
      for entry in loaded.values { await apply(changed, to: entry.session, entry.store) }
    }
  }

  private func apply(
    _ changed: SharedFences.Snapshot, to session: DeviceSession, _ store: SharedFenceStore
  ) async {
    // The manager loads its fences before anything else.
    await session.manager.waitUntilProcessed()
    guard changed.revision > store.loadedRevision else { return }
    // The states that the command changes are stored again with the next fix.
    try? await session.manager.fences.apply(.share(changed.registry))
  }

  // MARK: Rest

  /// Puts devices to rest that have not been used for a time.
  ///
  /// - Parameter age: the time without use.
  func restIdleDevices(after age: Duration = DeviceRegistry.restAfter) async {
    for (device, entry) in loaded where entry.isIdle(for: age) {
      // A stay may complete, or an event may wait, without a further fix.
      guard await !entry.session.manager.hasPendingDeadline else { continue }
      _ = await entry.session.manager.save()
      // A request may have come meanwhile.
      if loaded[device]?.isIdle(for: age) == true { loaded[device] = nil }
    }
  }

  /// Stores the states of all devices, because the process ends.
  func saveAll() async {
    for entry in loaded.values { _ = await entry.session.manager.save() }
    loaded = [:]
  }
}
