import Foundation
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsStore

/// A device whose engine is loaded.
///
/// Requests of one device are processed one after the other, so that a repetition is recognised.
actor DeviceSession {
  /// The device.
  nonisolated let device: DeviceID
  /// The device's manager.
  nonisolated let manager: LocationManager
  private let store: SQLiteStore
  private let syncer: StoreSyncer
  private var tracker: DayTracker
  /// The last processing of fixes; the next one waits for its end.
  private var lastIngestion: Task<Void, Never>?
  /// The fixes that were processed and could not be stored yet. The manager stores them later; sent again, they must
  /// not be processed twice.
  private var unstored: Set<Fix> = []
  /// The time of the newest fix that was processed.
  private var newestTime: UTCTime?
  /// The revision of the fences that the device's phone has.
  var sentFences: UInt64?

  init(
    _ device: DeviceID, manager: LocationManager, store: SQLiteStore, syncer: StoreSyncer, zone: TimeZone
  ) {
    self.device = device
    self.manager = manager
    self.store = store
    self.syncer = syncer
    tracker = DayTracker(zone: zone)
  }

  // MARK: Fixes

  /// Processes fixes in their order and returns once they are on the disk.
  ///
  /// - Throws: ``IngestionError`` if the store can't be written. Fixes that are sent again are recognised.
  func ingest(_ fixes: [Fix]) async throws(IngestionError) -> IngestionResult {
    let previous = lastIngestion
    let task = Task { () -> Result<IngestionResult, IngestionError> in
      await previous?.value
      do throws(IngestionError) { return .success(try await self.process(fixes)) } catch {
        return .failure(error)
      }
    }
    lastIngestion = Task { _ = await task.value }
    return try await task.value.get()
  }

  private func process(_ fixes: [Fix]) async throws(IngestionError) -> IngestionResult {
    let new = try withoutRepetitions(fixes)
    for run in tracker.days(of: new) {
      await begin(run.first?.time)
      let signals = run.map { SourceSignal.fix($0, age: .sinceTrustedTime) }
      unstored.formUnion(run)
      try Self.check(await manager.process(signals))
      for case let time? in run.map(\.time) { newestTime = max(newestTime ?? time, time) }
    }
    if !unstored.isEmpty, new.isEmpty { try Self.check(await manager.process([])) }
    unstored = []
    do throws(StoreError) { try await syncer.sync() } catch { throw IngestionError(cause: error) }
    let newest = await manager.lastFix?.fix
    return IngestionResult(stored: new.count, repeated: fixes.count - new.count, newest: newest)
  }

  private static func check(_ health: StoreHealth?) throws(IngestionError) {
    switch health {
    case .failing(let error), .unusable(let error): throw IngestionError(cause: error)
    default: break
    }
  }

  /// Returns the fixes that are not stored yet. Only fixes that are not newer than all others are looked up.
  private func withoutRepetitions(_ fixes: [Fix]) throws(IngestionError) -> [Fix] {
    var seen: Set<Fix> = []
    let distinct = fixes.filter { seen.insert($0).inserted && !unstored.contains($0) }
    if newestTime == nil {
      newestTime = (try? store.lastFix(of: device))?.fix.time
    }
    guard let newestTime else { return distinct }
    let old = distinct.filter { $0.time.map { $0 <= newestTime } ?? true }
    guard !old.isEmpty else { return distinct }
    do throws(StoreError) {
      let unknown = Set(try store.withoutStored(old, of: device))
      return distinct.filter { $0.time.map { $0 > newestTime } ?? true || unknown.contains($0) }
    } catch {
      throw IngestionError(cause: error)
    }
  }

  /// Makes the trip of a time's day the one that counts.
  func begin(_ time: UTCTime?) async {
    var tracker = tracker
    await tracker.begin(time, on: manager)
    self.tracker = tracker
  }
}

extension DeviceSession {
  /// Returns whether the device's phone does not have a revision of the fences yet, and notes that it gets it.
  func needsFences(of revision: UInt64) -> Bool {
    defer { sentFences = revision }
    return sentFences != revision
  }
}
