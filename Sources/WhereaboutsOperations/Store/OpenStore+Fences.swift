package import Whereabouts
import WhereaboutsEngine
package import WhereaboutsModel
package import WhereaboutsReports
import WhereaboutsStore

extension OpenStore {
  /// Returns the fences of a store; an empty list if the store does not exist.
  ///
  /// - Parameter converts: whether a file of an older form may be converted.
  package static func fences(of selection: StoreSelection, converts: Bool = true) throws(CommandError)
    -> [Fence]
  {
    guard let store = try readingIfThere(selection, converts: converts) else { return [] }
    defer { store.close() }
    return try store.fences()
  }

  /// Returns the fences, including edits by other processes.
  package func fences() throws(CommandError) -> [Fence] {
    do throws(StoreError) { return try base.fences(of: device) } catch { throw CommandError(error) }
  }

  /// Returns the fences that only a server on the store monitors: it keeps them for all its devices together, and the
  /// device's own manager does not load them.
  package func serverFences() throws(CommandError) -> [Fence] {
    do throws(StoreError) {
      let own = try base.ownFences().first { $0.device == device }
      var ids = Set((own?.fences ?? []).map(\.id))
      for edit in own?.edits ?? [] {
        switch edit.change {
        case .set(let fence): ids.insert(fence.id)
        case .removed(let id): ids.insert(id)
        }
      }
      return try base.sharedFences().fences.filter { !ids.contains($0.id) }
    } catch { throw CommandError(error) }
  }

  /// Changes the fences under an exclusive lock, and returns when the change is on disk. The store is closed
  /// afterwards.
  ///
  /// - Parameter change: a closure that changes the fences. Unchanged fences are not written.
  package func changeFences<Result>(
    _ change: (inout [Fence]) throws(CommandError) -> Result
  ) throws(CommandError) -> Result {
    let lock = try FolderLock(around: base.path)
    defer {
      withExtendedLifetime(lock) {}
      base.close()
    }
    let before = try fences()
    var fences = before
    let result = try change(&fences)
    let changes = DeviceRecord.FenceEdit.Change.changes(from: before, to: fences)
    guard !changes.isEmpty else { return result }
    do throws(StoreError) { try base.edit(changes, of: device) } catch { throw CommandError(error) }
    return result
  }

  /// Returns all reported events in the order of their reports.
  package func reportedEvents() async throws(CommandError) -> [ReportedFenceEvent] {
    var events = ReportedEventBuilder(), reported: [ReportedFenceEvent] = []
    do throws(StoreError) {
      _ = try await readFenceRecords(after: 0) { record in
        if let event = events.event(of: record) { reported.append(event) }
      }
    } catch {
      throw CommandError(error)
    }
    return reported
  }

  /// The number of records that are read at once.
  static let pageSize: UInt64 = 1000

  /// Reads all fence records after a number, page by page.
  ///
  /// - Returns: the number of the last record; `start` without records.
  func readFenceRecords(
    after start: UInt64, _ process: (FenceRecord) -> Void
  ) async throws(StoreError) -> UInt64 {
    var last = start
    while true {
      let page = try await base.fenceRecords(of: device, after: last, limit: Int(Self.pageSize))
      guard let newest = page.last else { return last }
      for numbered in page { process(numbered.record) }
      last = newest.number
    }
  }

  // MARK: Fence states

  /// Returns the last known state of each fence.
  package func fenceStates() async throws(CommandError) -> [FenceID: FenceState] {
    var record: DeviceRecord
    do throws(StoreError) {
      record = try await base.load(device)
      // A server stores the fences of all its devices together.
      let (shared, serials, lastSerial) = try base.sharedFences()
      if record.fences.isEmpty, !shared.isEmpty {
        record.sharedFences = FenceRegistry(shared, serials: serials, lastSerial: lastSerial)
      }
    } catch {
      // The fences are usable without their states.
      StandardError.print(
        """
        whereabouts: \(error). Run `whereabouts fence watch --anew\(path.options(of: device))` to erase the last known \
        state.
        """)
      return [:]
    }
    var engine = Engine()
    let start = Moment(instant: .start, wall: nil)
    _ = engine.handle(.restore(Restoration(of: record)), at: start)
    // A fence that was moved since has no side yet.
    for (command, _) in record.edits.commands { _ = engine.handle(.fences(command), at: start) }
    var states: [FenceID: FenceState] = [:]
    for fence in engine.allFences { states[fence.id] = engine.fenceState(of: fence.id) }
    return states
  }

  /// Erases the state of the watch, and reports fences that it erases because they can't be read. The next watch
  /// determines each side of a boundary again.
  ///
  /// - Parameter settings: the settings of the next watch.
  package func forgetWatch(_ settings: FenceSettings) async throws(CommandError) {
    do throws(StoreError) {
      let (unreadable, changed) = try base.removeUnreadableFences(of: device)
      if !changed.isEmpty {
        let names = changed.map(\.name).joined(separator: ", ").sanitizedToOneLine
        StandardError.print(
          "whereabouts: erased changes that could not be read; these fences stay as they were before: \(names)"
        )
      }
      if !unreadable.isEmpty {
        let names = unreadable.map(\.name).joined(separator: ", ").sanitizedToOneLine
        StandardError.print(
          "whereabouts: erased fences that could not be read: \(names). Run `whereabouts fence add` to add them again."
        )
      }
      guard let record = try? await base.load(device) else {
        // Unreadable state cannot be resumed. Open trips continue from their stored totals.
        try base.forget(.state(of: device))
        return
      }
      var commit = StoreCommit(device: device)
      commit.snapshot = EngineSnapshot(watch: FenceWatch(settings), trips: record.snapshot?.trips ?? [])
      commit.durability = .power
      try await base.commit(commit)
    } catch {
      throw CommandError(error)
    }
  }

  /// Throws if the stored state of the device cannot be resumed.
  ///
  /// - Parameter isErased: whether ``forgetWatch(_:)`` has erased the state, so that the cause is elsewhere.
  package func requireResumableState(isErased: Bool = false) async throws(CommandError) {
    do throws(StoreError) { _ = try await base.load(device) } catch {
      let remedy =
        isErased
        ? error.code == .corrupt
          ? "" : "Run `whereabouts store check\(path.options())` to find the damage and its remedy."
        : """
        Run `whereabouts fence watch --anew\(path.options(of: device))` to erase the last known state and fences \
        that can't be read.
        """
      throw CommandError(
        "\(error)\(remedy.isEmpty ? "" : ". \(remedy)")", code: CommandError(error).code)
    }
  }
}

extension DeviceRecord.FenceEdit.Change {
  /// Returns the changes from one list of fences to another list.
  package static func changes(from before: [Fence], to after: [Fence]) -> [Self] {
    let old = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
    let there = Set(after.map(\.id))
    return before.filter { !there.contains($0.id) }.map { .removed($0.id) }
      + after.filter { old[$0.id] != $0 }.map { .set($0) }
  }
}

extension Restoration {
  /// Creates the state of the fences from a device's record, without its trips.
  fileprivate init(of record: DeviceRecord) {
    self.init(since: record.snapshot == nil ? [] : record.fixesSinceSnapshot, passed: record.processedUntil)
    guard !record.fences.isEmpty || record.sharedFences != nil else { return }
    fences = record.fenceSnapshot(FenceSettings())
  }
}
