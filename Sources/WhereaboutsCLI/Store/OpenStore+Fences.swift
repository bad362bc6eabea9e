import Whereabouts
import WhereaboutsCore
import WhereaboutsStore

extension OpenStore {
  /// The fences of a store; none where there is no store.
  static func fences(of options: StoreOptions) throws(CommandFailure) -> [Fence] {
    guard let store = try readingIfThere(options) else { return [] }
    defer { store.close() }
    return try store.fences()
  }

  /// The fences, with what others have changed.
  func fences() throws(CommandFailure) -> [Fence] {
    do throws(StoreTrouble) { return try base.fences(of: device) } catch { throw CommandFailure(error) }
  }

  /// Changes the fences while no other command does, and returns when that is on the disk; nothing can be done
  /// with the store from then on.
  ///
  /// - Parameter change: changes them; where they stay the same, nothing is written.
  func changeFences<Result>(
    _ change: (inout [Fence]) throws(CommandFailure) -> Result
  ) throws(CommandFailure) -> Result {
    let lock = try FolderLock(around: base.path)
    defer {
      withExtendedLifetime(lock) {}
      base.close()
    }
    let before = try fences()
    var fences = before
    let result = try change(&fences)
    let changes = FenceEdit.Change.from(before, to: fences)
    guard !changes.isEmpty else { return result }
    do throws(StoreTrouble) { try base.edit(changes, of: device) } catch { throw CommandFailure(error) }
    return result
  }

  /// Everything that was told of the fences, in the order in which it was.
  func toldEvents() async throws(CommandFailure) -> [ToldEvent] {
    var events = ToldEvents(), told: [ToldEvent] = []
    var last: UInt64 = 0
    do throws(StoreTrouble) {
      while let notes = try await page(after: last) {
        told += notes.compactMap { events.event(of: $0.note) }
        last = notes.last?.number ?? last
      }
      return told
    } catch {
      throw CommandFailure(error)
    }
  }

  /// What was told until now, and how far.
  func toldBefore() async throws(CommandFailure) -> FenceSession.Before {
    var before = FenceSession.Before()
    do throws(StoreTrouble) {
      let cursor = try await base.cursor(of: FenceVoice.consumer, device: device)
      // Those that came just before may be revised yet.
      before.last = cursor > Self.page ? cursor - Self.page : 0
      while let notes = try await page(after: before.last) {
        for note in notes { _ = before.events.event(of: note.note) }
        before.last = notes.last?.number ?? before.last
      }
    } catch {
      throw CommandFailure(error)
    }
    return before
  }

  private static let page: UInt64 = 1000

  private func page(after number: UInt64) async throws(StoreTrouble) -> [NumberedNote]? {
    let notes = try await base.notes(of: device, after: number, limit: Int(Self.page))
    return notes.isEmpty ? nil : notes
  }

  // MARK: Where the device is

  /// Where the device was last seen of each fence.
  func fenceStates() async throws(CommandFailure) -> [FenceID: FenceState] {
    let record: DeviceRecord
    do throws(StoreTrouble) { record = try await base.load(device) } catch {
      // The fences are there all the same.
      StandardError.say(
        "whereabouts: \(error); `whereabouts fence watch --anew` forgets where the device was")
      return [:]
    }
    var engine = Engine()
    _ = engine.handle(.restore(Restoration(of: record)), at: Moment(instant: .start, wall: nil))
    var states: [FenceID: FenceState] = [:]
    for fence in engine.allFences { states[fence.id] = engine.fenceState(of: fence.id) }
    return states
  }

  /// Forgets where the device was last seen of the fences; the next watch finds it out anew.
  ///
  /// - Parameter settings: how it is watched from then on.
  func forgetWatch(_ settings: FenceSettings) async throws(CommandFailure) {
    do throws(StoreTrouble) {
      guard let record = try? await base.load(device) else {
        // What can't be read is not gone on with, trips neither.
        try base.forget(.state(of: device))
        return
      }
      var commit = StoreCommit(device: device)
      commit.snapshot = EngineSnapshot(watch: FenceWatch(settings), trips: record.snapshot?.trips ?? [])
      commit.durability = .power
      try await base.commit(commit)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Sees that what was kept of the device can be gone on with.
  func check() async throws(CommandFailure) {
    do throws(StoreTrouble) { _ = try await base.load(device) } catch {
      throw CommandFailure(
        "\(error). `whereabouts fence watch --anew` forgets where the device was",
        code: CommandFailure(error).code)
    }
  }
}

extension FenceEdit.Change {
  /// What makes some fences into others.
  static func from(_ before: [Fence], to after: [Fence]) -> [Self] {
    let old = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
    let there = Set(after.map(\.id))
    return before.filter { !there.contains($0.id) }.map { .removed($0.id) }
      + after.filter { old[$0.id] != $0 }.map { .set($0) }
  }
}

extension Restoration {
  /// What a store has of the fences of a device.
  fileprivate init(of record: DeviceRecord) {
    self.init(since: record.snapshot == nil ? [] : record.since, passed: record.passed)
    guard !record.fences.isEmpty else { return }
    fences = FenceSnapshot(
      fences: record.fences.map(\.fence), serials: record.fences.map(\.serial), lastSerial: record.lastSerial,
      watch: record.snapshot?.watch ?? FenceWatch())
  }
}
