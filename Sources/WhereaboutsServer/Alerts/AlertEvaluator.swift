import Foundation
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsStore

/// The evaluation of every stored crossing by the alerts, each exactly once.
///
/// The position, the progress and the notifications are stored in one transaction. A kill before it repeats the whole
/// evaluation; a kill after it repeats nothing.
struct AlertEvaluator {
  /// The number of records that are evaluated in one transaction.
  private static let pageSize = 200
  /// The number of newest records that are read for the fences that a device is in.
  private static let presenceRecords = 10_000

  private let core: ServerCore
  private let settings: AlertSettings
  private var presence = AlertPresence()
  private var position: UInt64
  /// The serials of the areas of the fences whose sides are needed.
  private var serials: [FenceID: UInt64] = [:]
  /// The last attempts to learn sides of devices.
  private var attempts: [DeviceID: SideAttempt] = [:]

  /// An attempt to learn the sides of a device. As long as it is the same, another attempt learns nothing more.
  private struct SideAttempt: Equatable {
    /// The fences whose sides were not known.
    var fences: Set<FenceID>
    /// The number of the device's last fix; `nil` for none.
    var lastFix: UInt64?
    /// The revision of all fences.
    var revision: UInt64
  }

  /// Loads the stored position, and the fences that the devices were in there.
  init(_ core: ServerCore, _ settings: AlertSettings) throws(StoreError) {
    self.core = core
    self.settings = settings
    position = try core.store.alertPosition()
    guard settings.needsPresence else { return }
    for device in try core.store.devices() { try loadPresence(of: device) }
  }

  /// Evaluates the records that the store has since the last call.
  ///
  /// - Returns: whether there are new notifications, or waiting ones may be withdrawn.
  mutating func evaluateNews() async throws(StoreError) -> Bool {
    var hasNews = false
    while true {
      let fences = core.fences.snapshot, erasures = core.alerts.erasures
      forgetChangedFences(fences.registry)
      let page = try core.store.fenceRecords(afterPosition: position, of: nil, limit: Self.pageSize)
      guard let last = page.last else { return hasNews }
      if settings.needsPresence { try await updatePresence(before: page, fences) }
      let now = UTCTime.now
      // Read from the store each time: an erased progress must not return.
      var state = AlertState(settings, presence: presence), results = AlertState.Results()
      let known = try core.store.alertProgress(of: Set(page.map(\.device)))
      for stored in known { state.restore(stored) }
      for entry in page { try evaluate(entry, at: now, &state, &results) }
      let isStored = try core.store.commitAlerts(
        through: last.position, of: page, by: known, progress: Self.rows(results.progress),
        notifications: results.notifications, revoked: results.revoked, at: now)
      // A record or a progress was erased meanwhile.
      guard isStored else { continue }
      presence = state.presence
      position = last.position
      core.alerts.append(results.decisions, since: erasures)
      hasNews = hasNews || !results.notifications.isEmpty || !results.revoked.isEmpty
    }
  }

  // MARK: Presence

  /// Forgets the sides of fences that no longer exist, and of those that were moved: a device that was in the former
  /// area need not be in the new one.
  private mutating func forgetChangedFences(_ registry: FenceRegistry) {
    let known = serials
    presence.retainFences { id in
      guard let serial = registry.fenceWithSerial(id)?.serial else { return false }
      return serial == known[id] ?? serial
    }
    for id in settings.presenceFences(of: nil) { serials[id] = registry.fenceWithSerial(id)?.serial }
  }

  /// Forgets devices that no longer exist, and learns the sides of fences that no crossing before a page has shown: a
  /// device may be in a fence since before its first crossing.
  private mutating func updatePresence(
    before page: [OrderedFenceRecord], _ fences: SharedFences.Snapshot
  ) async throws(StoreError) {
    let devices = try core.store.devices(), needed = settings.presenceFences(of: nil)
    presence.retainDevices(Set(devices))
    let isNeeded = page.contains { entry in
      if case .event(let event) = entry.record.record { needed.contains(event.fence) } else { false }
    }
    guard isNeeded else { return }
    let crossing = Set(page.map(\.device))
    for device in devices {
      let crosses = crossing.contains(device)
      let unknown = presence.unknown(
        settings.presenceFences(of: device, crosses: crosses), of: device
      ).filter { fences.registry.fence($0) != nil }
      guard !unknown.isEmpty else { continue }
      // An attempt loads the device's engine. A device that sends nothing is not loaded for each crossing of others.
      let attempt = SideAttempt(
        fences: unknown, lastFix: try core.store.lastFix(of: device)?.seq, revision: fences.revision)
      guard crosses || attempts[device] != attempt else { continue }
      attempts[device] = attempt
      try await learnSides(of: unknown, device)
    }
  }

  /// Learns the sides of a device at the position: the next crossing shows the side before it, and without one the
  /// engine's side is that of the position.
  private mutating func learnSides(of fences: Set<FenceID>, _ device: DeviceID) async throws(StoreError) {
    let session = await core.devices.retain(device)
    // A fence may just have been moved.
    await session.applyFences()
    var sides: [FenceID: FenceState.Side] = [:]
    for fence in fences {
      let state = await session.manager.fences.state(of: fence)
      guard let state, state.side != .unknown else { continue }
      sides[fence] = state.side
    }
    // The crossings that the engine knows are in the store before the records are read.
    if !sides.isEmpty { _ = await session.manager.save() }
    await core.devices.release(session)
    var next: [FenceID: FenceEvent.Kind] = [:], read = position, isAtEnd = false
    while !isAtEnd, next.count < fences.count {
      let records = try core.store.fenceRecords(afterPosition: read, of: device, limit: Self.pageSize)
      for entry in records {
        guard case .event(let event) = entry.record.record, fences.contains(event.fence),
          next[event.fence] == nil
        else { continue }
        next[event.fence] = event.kind
      }
      read = records.last?.position ?? read
      isAtEnd = records.count < Self.pageSize
    }
    for fence in fences {
      let isInside = next[fence].map { $0 != .enter } ?? sides[fence].map { $0 == .inside }
      if let isInside { presence.learn(fence, of: device, isInside: isInside) }
    }
  }

  // MARK: Records

  private func evaluate(
    _ entry: OrderedFenceRecord, at now: UTCTime, _ state: inout AlertState,
    _ results: inout AlertState.Results
  ) throws(StoreError) {
    let device = entry.device, number = entry.record.number
    switch entry.record.record {
    case .event(let event):
      state.evaluate(
        event, of: device, number: number, position: entry.position, at: now, &results)
    case .revised(let id, let event):
      let before = try core.store.fenceEvent(id, beforeNumber: number, of: device)
      try state.revise(
        id, of: device, to: event, from: before, number: number, at: now, &results
      ) { alert, channel throws(StoreError) in
        if core.alerts.isDelivering(id, of: device, by: channel, alert: alert) { return true }
        return try core.store.wasDelivered(id, of: device, by: channel, alert: alert)
      }
    case .decided, .removed: break
    }
  }

  private static func rows(_ progress: [AlertProgressKey: AlertProgress?]) -> [StoredAlertProgress] {
    progress.map { key, progress in
      let text = progress.flatMap { try? JSONEncoder().encode($0) }
      return StoredAlertProgress(
        alert: key.alert, device: key.device, progress: text.map { String(decoding: $0, as: UTF8.self) })
    }
  }

  /// Reads the fences that a device was in at the position.
  private mutating func loadPresence(of device: DeviceID) throws(StoreError) {
    let last = try core.store.lastRecord(of: device, upToPosition: position)
    var events: [FenceEvent.ID: FenceEvent] = [:]
    for record in try core.store.fenceRecords(newest: Self.presenceRecords, of: device)
    where record.number <= last {
      switch record.record {
      case .event(let event):
        presence.apply(event, of: device)
        events[event.id] = event
      case .revised(let id, nil):
        if let event = events[id] { presence.revert(event, of: device) }
      case .revised, .removed, .decided: break
      }
    }
  }
}
