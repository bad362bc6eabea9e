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
  private var sessions: [DeviceID: DeviceSession] = [:]
  private var stores: [DeviceID: SharedFenceStore] = [:]

  init(store: SQLiteStore, fences: SharedFences, hub: StreamHub, zone: TimeZone) {
    self.store = store
    self.fences = fences
    self.hub = hub
    self.zone = zone
    syncer = StoreSyncer(store: store)
  }

  /// The number of loaded devices.
  var count: Int { sessions.count }

  /// Returns the session of a device, and loads it if needed. The session stays loaded until
  /// ``DeviceSession/release()``.
  func retain(_ device: DeviceID) async -> DeviceSession {
    let session = sessions[device] ?? load(device) { store in
      LocationManager(source: PhoneSource(), settings: Self.settings, store: store, device: device)
    }
    await session.retain()
    return session
  }

  /// Returns the session of a device if it is loaded.
  func loaded(_ device: DeviceID) -> DeviceSession? { sessions[device] }

  /// Loads a device whose fixes come from a source of this machine. The source starts with
  /// `LocationManager.startSource()`.
  func load(_ device: DeviceID, source: any LocationSource) async -> DeviceSession {
    let session = load(device) { store in
      LocationManager(
        source: source, settings: Self.settings, store: store, device: device, startsSource: false)
    }
    await session.retain()
    return session
  }

  private func load(_ device: DeviceID, _ manager: (SharedFenceStore) -> LocationManager) -> DeviceSession {
    let shared = SharedFenceStore(store, fences: fences) { [hub] in hub.crossingsWereStored() }
    let session = DeviceSession(
      device, manager: manager(shared), store: store, syncer: syncer, zone: zone)
    sessions[device] = session
    stores[device] = shared
    return session
  }

  private static var settings: ManagerSettings {
    ManagerSettings(power: .unrestricted, unsavedEvents: .heldBack)
  }

  // MARK: Fences

  /// Applies the changes of the shared fences to the loaded devices until the task is cancelled.
  func applyFenceChanges() async {
    for await change in fences.changeStream {
      for (device, session) in sessions { await apply(change, to: session, stores[device]) }
    }
  }

  private func apply(
    _ change: SharedFences.Change, to session: DeviceSession, _ store: SharedFenceStore?
  ) async {
    // The manager loads its fences before anything else.
    await session.manager.waitUntilProcessed()
    guard let store, change.revision > store.loadedRevision else { return }
    // The states that the commands change are stored again with the next fix.
    if !change.removed.isEmpty { try? await session.manager.fences.apply(.remove(change.removed)) }
    if !change.updated.isEmpty { try? await session.manager.fences.apply(.update(change.updated)) }
  }

  // MARK: Rest

  /// Puts devices to rest that have not been used for a time.
  ///
  /// - Parameter age: the time without use.
  func restIdleDevices(after age: Duration = DeviceRegistry.restAfter) async {
    for (device, session) in sessions where await session.isIdle(for: age) {
      _ = await session.manager.save()
      // A request may have come meanwhile.
      guard await session.isIdle(for: age) else { continue }
      sessions[device] = nil
      stores[device] = nil
    }
  }

  /// Stores the states of all devices, because the process ends.
  func saveAll() async {
    for session in sessions.values { _ = await session.manager.save() }
    sessions = [:]
    stores = [:]
  }
}
