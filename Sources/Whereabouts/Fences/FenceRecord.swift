public import WhereaboutsCore

/// All that must outlive a process of a manager's fences: the fences, what the device has seen of them, and what was
/// told lately.
///
/// Given to another manager it goes on as if nothing had happened, but for what nobody saw meanwhile; and whoever asks
/// for events after the last that it knows gets those that it had not heard of.
public struct FenceRecord: Hashable, Sendable, Codable {
  /// The version of the form that is written; older ones are read.
  public static let currentVersion = 1

  /// The version of the form.
  public let version: Int
  /// The fences, and what the device has seen of them.
  public var snapshot: FenceSnapshot
  /// What was told, the oldest first: the newest 10,000 of it.
  public var told: [FenceNote]

  /// A record.
  public init(snapshot: FenceSnapshot, told: [FenceNote] = []) {
    version = Self.currentVersion
    self.snapshot = snapshot
    self.told = told
  }
}

/// Something of fences that is to be written down before anybody hears of it.
public struct FenceCommit: Sendable {
  /// What was told to the fences; `nil` where something happened by itself.
  public let command: FenceCommand?
  /// What happened, in order.
  public let notes: [FenceNote]
  let book: FenceBook
  /// What the device has seen of the fences, with all of that.
  public let watch: FenceWatch
  let told: [FenceNote]

  /// Everything, with that: what a store that keeps no pieces writes in the place of what it had.
  public var record: FenceRecord {
    FenceRecord(snapshot: FenceSnapshot(book, watch), told: told)
  }
}

/// Where a manager keeps its fences, so that nothing is lost when the process is killed.
///
/// The manager's loop alone owns its store and calls it, in order: with each change of the fences and each event, *after*
/// the engine has decided it and *before* anybody is told. What a killed process had written but not told is in the
/// record, and is told by the next one to whoever asks for events after the last that it knows. What it had not written
/// nobody has heard of, and the fixes that come next tell it again.
public protocol FenceStore: Sendable {
  /// Writes a commit as one: all of it is kept, or nothing.
  ///
  /// - Throws: where it can't be kept. Nobody is told then; the manager says so (``FenceUpdate/notKept(_:)``), and tries
  ///   again with whatever happens next.
  mutating func write(_ commit: FenceCommit) async throws(SourceTrouble)
}
