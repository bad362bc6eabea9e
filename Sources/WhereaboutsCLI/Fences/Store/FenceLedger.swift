import Whereabouts
import WhereaboutsCore

/// Writes what a watch says into a store, and tells it once it is there.
///
/// First goes the state, with the lines that are on their way; then the lines; then they are told. A process that is
/// killed in between has left what is missing in the state, and the next one adds it. What it may have told the next one
/// tells again, marked, under the same id: nothing is lost, and nothing counted twice by whoever looks at ids.
struct FenceLedger: FenceStore {
  /// Events that a later revision can be told of.
  private static let remembered = 1000

  private let folder: FenceFolder
  private let voice: FenceVoice
  /// The events' file.
  private let descriptor: Int32
  /// How long it is as far as it is whole.
  private var size: Int
  private var lines: Int
  private var state: WatchState
  private var recent: [ToldEvent]
  private var lastID: UInt64

  /// What a watch begins with.
  struct Opening {
    var ledger: FenceLedger
    /// What the watch goes on with.
    var record: FenceRecord
    /// The fences as they are in the store.
    var fences: [Fence]
    /// What may not have been told before the process ended.
    var untold: [ToldEvent]
  }

  /// Opens a store for watching: repairs what a kill has torn, and adds what it has left out.
  ///
  /// - Parameters:
  ///   - begins: whether where the device was seen before is forgotten.
  ///   - settings: how a watch that begins anew watches.
  ///   - voice: tells what is written.
  static func open(
    _ folder: FenceFolder, begins: Bool, settings: FenceSettings, voice: FenceVoice
  ) throws(CommandFailure) -> Opening {
    let descriptor: Int32
    var bytes: [UInt8]
    do throws(System.Failure) {
      descriptor = try System.openPrivate(folder.eventsPath, appends: true)
      bytes = try System.contents(of: descriptor)
      let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      if whole < bytes.count {
        try System.cut(descriptor, to: whole)
        bytes.removeSubrange(whole...)
      }
    } catch {
      throw folder.unwritable(error)
    }
    var state = begins ? nil : try WatchState.read(folder)
    if let before = begins ? try? WatchState.read(folder) : state {
      try add(before.outgoing, to: &bytes, descriptor, in: folder)
      try folder.remove(before.over)
    }
    let content = EventLog.content(of: bytes)
    let count = bytes.count { $0 == UInt8(ascii: "\n") }
    let fences = try folder.readTelling()
    let untold = state.map { content.lines.suffix(max(0, count - $0.told)) } ?? []
    var book = state?.snapshot.book ?? FenceBook()
    book.take(fences)
    let snapshot = FenceSnapshot(book, state?.snapshot.watch ?? FenceWatch(settings))
    state = WatchState(
      snapshot: snapshot, base: state?.base ?? content.lastID,
      told: state == nil ? count : count - untold.count)
    let ledger = FenceLedger(
      folder: folder, voice: voice, descriptor: descriptor, size: bytes.count, lines: count,
      state: state ?? WatchState(snapshot: snapshot), recent: content.lines.suffix(remembered),
      lastID: content.lastID)
    return Opening(
      ledger: ledger, record: FenceRecord(snapshot: snapshot), fences: fences, untold: Array(untold))
  }

  /// Adds the lines that were on their way and did not arrive.
  private static func add(
    _ outgoing: [String], to bytes: inout [UInt8], _ descriptor: Int32, in folder: FenceFolder
  ) throws(CommandFailure) {
    // They arrive in their order, at the end.
    let arrived = bytes.split(separator: UInt8(ascii: "\n")).suffix(outgoing.count)
      .map { String(decoding: $0, as: UTF8.self) + "\n" }
    let missing = outgoing.filter { !arrived.contains($0) }.flatMap(\.utf8)
    guard !missing.isEmpty else { return }
    do throws(System.Failure) {
      try System.write(descriptor, missing)
      try System.synchronize(descriptor)
    } catch {
      throw folder.unwritable(error)
    }
    bytes += missing
  }

  // MARK: What happens

  mutating func write(_ commit: FenceCommit) throws(SourceTrouble) {
    do throws(CommandFailure) { try keep(commit) } catch {
      throw SourceTrouble(.unwritable, message: String(error.message.trimmingPrefix("could not ")))
    }
  }

  private mutating func keep(_ commit: FenceCommit) throws(CommandFailure) {
    let events = commit.notes.compactMap(told)
    for case .removed(let id, _) in commit.notes {
      state.over += state.snapshot.fences.filter { $0.id == id && !state.over.contains($0) }
    }
    state.snapshot = commit.record.snapshot
    state.outgoing = events.map { event in
      var bytes: [UInt8] = []
      FenceEventJSON.append(event, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    try state.write(folder)
    try append(state.outgoing)
    for event in events {
      lastID = max(lastID, event.id)
      recent.append(event)
    }
    if recent.count > 2 * Self.remembered { recent.removeFirst(recent.count - Self.remembered) }
    // A fence that is over is over, even where the store can't be changed for now: it is taken out later.
    if (try? folder.remove(state.over)) != nil { state.over = [] }
    voice.tell(events)
    lines += events.count
    state.told = lines
  }

  private func told(_ note: FenceNote) -> ToldEvent? {
    switch note {
    case .event(let event): return ToldEvent(event, id: event.id.number + state.base)
    case .revised(let id, let event?): return ToldEvent(event, id: id.number + state.base, news: .revised)
    case .revised(let id, nil):
      var event = recent.last { $0.id == id.number + state.base }
      event?.news = .revoked
      return event
    case .decided, .removed: return nil
    }
  }

  private mutating func append(_ lines: [String]) throws(CommandFailure) {
    guard !lines.isEmpty else { return }
    let bytes = lines.flatMap(\.utf8)
    do throws(System.Failure) {
      try System.write(descriptor, bytes)
      try System.synchronize(descriptor)
      size += bytes.count
    } catch {
      // What of it has arrived would be there twice when it is tried again.
      try? System.cut(descriptor, to: size)
      throw folder.unwritable(error)
    }
  }
}

extension FenceBook {
  /// Makes the fences those of a store: what changed is changed, what is gone is taken out.
  mutating func take(_ fences: [Fence]) {
    let there = Set(fences.map(\.id))
    for id in Array(ids) where !there.contains(id) { remove(id) }
    for fence in fences where self.fence(fence.id) != fence { update(fence) }
  }
}

extension FenceFolder {
  /// What to say where the events can't be written.
  fileprivate func unwritable(_ failure: System.Failure) -> CommandFailure {
    CommandFailure("could not write \(eventsPath): \(failure.reason)", code: failure.code(otherwise: .failed))
  }

  /// Takes fences out of the store that are over, unless somebody has changed them.
  fileprivate func remove(_ over: [Fence]) throws(CommandFailure) {
    guard !over.isEmpty else { return }
    try change { fences throws(CommandFailure) in fences.removeAll { over.contains($0) } }
  }
}
