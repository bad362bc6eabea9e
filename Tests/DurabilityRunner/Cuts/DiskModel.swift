import FaultyDisk
import WhereaboutsTesting

/// A model of the possible content of a disk after a power cut, from the writes and syncs before.
///
/// Writes to a file before its last completed sync are on disk. Later writes may be on disk in any subset of sectors,
/// in any order, or up to some byte. In a file that has grown, sectors that were never written may contain anything.
/// Later truncations and deletions may have happened or not.
///
/// - Limits: sectors of 512 bytes are written whole or not at all, and writing one leaves its neighbours as they are; a
///   sync is complete when the system reports it; synced bytes never change. The name of a file is on disk once the
///   file is synced. The first sync of a new journal or log also syncs the folder, as SQLite's own layer does, so that
///   earlier deletions have happened. Disks that report false syncs break any database.
struct DiskModel {
  /// The fate of unsynced writes.
  enum Fate: CaseIterable {
    /// All unsynced writes are lost.
    case lost
    /// The writes are on disk up to some byte.
    case cut
    /// Each sector is on disk or lost.
    case scattered
    /// Each sector is on disk or lost; lost sectors of a file that has grown are garbage.
    case scatteredOverGarbage
  }

  private enum Change {
    case write(at: Int, [UInt8])
    case truncate(Int)
    case delete
  }

  private struct File {
    var synced: [UInt8]?
    var changes: [Change] = []
  }

  private static let sector = 512

  private var files: [UInt8: File] = [:]
  /// Journals and logs created since their last sync.
  private var unsyncedNames: Set<UInt8> = []
  private var existing: Set<UInt8> = []

  /// Applies the next entry of the write log.
  mutating func applyEntry(_ entry: WriteLog.Entry) {
    switch entry.operation {
    case WriteLog.write:
      if existing.insert(entry.file).inserted, entry.file != UInt8(FAULTY_DISK_DATABASE) {
        unsyncedNames.insert(entry.file)
      }
      files[entry.file, default: File()].changes.append(.write(at: Int(entry.offset), entry.bytes))
    case WriteLog.truncate: files[entry.file, default: File()].changes.append(.truncate(Int(entry.offset)))
    case WriteLog.sync:
      sync(entry.file)
      if unsyncedNames.remove(entry.file) != nil { syncFolder() }
    case WriteLog.delete:
      files[entry.file, default: File()].changes.append(.delete)
      existing.remove(entry.file)
      // The folder is synced with the deletion.
      if entry.offset != 0 { sync(entry.file) }
    default: break
    }
  }

  private mutating func sync(_ file: UInt8) {
    guard var state = files[file] else { return }
    for change in state.changes { Self.apply(change, to: &state.synced) }
    state.changes = []
    files[file] = state
  }

  /// Completes all earlier deletions.
  private mutating func syncFolder() {
    for (kind, file) in files {
      guard let last = file.changes.lastIndex(where: { if case .delete = $0 { true } else { false } }) else {
        continue
      }
      files[kind] = File(synced: nil, changes: Array(file.changes[(last + 1)...]))
    }
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]?) {
    switch change {
    case .write(let offset, let new): overwrite(&bytes, at: offset, with: new[...])
    case .truncate(let size):
      if let count = bytes?.count, count > size { bytes?.removeLast(count - size) }
    case .delete: bytes = nil
    }
  }

  private static func overwrite(_ bytes: inout [UInt8]?, at offset: Int, with new: ArraySlice<UInt8>) {
    var all = bytes ?? []
    bytes = nil
    if all.count < offset + new.count { all += [UInt8](repeating: 0, count: offset + new.count - all.count) }
    all.replaceSubrange(offset..<offset + new.count, with: new)
    bytes = all
  }

  // MARK: Power cut

  /// Returns the files of a disk after a power cut with this fate.
  func diskAfterCut(_ fate: Fate, using random: inout SeededGenerator) -> [UInt8: [UInt8]] {
    var disk: [UInt8: [UInt8]] = [:]
    for (kind, file) in files.sorted(by: { $0.key < $1.key }) {
      disk[kind] = Self.bytes(of: file, fate, using: &random)
    }
    return disk
  }

  private static func bytes(of file: File, _ fate: Fate, using random: inout SeededGenerator) -> [UInt8]? {
    var bytes = file.synced
    switch fate {
    case .lost: break
    case .cut:
      let count = Int.random(in: 0...file.changes.count, using: &random)
      for change in file.changes.prefix(count) { apply(change, to: &bytes) }
      if count < file.changes.count, case .write(let offset, let new) = file.changes[count] {
        overwrite(&bytes, at: offset, with: new.prefix(Int.random(in: 0...new.count, using: &random)))
      }
    case .scattered, .scatteredOverGarbage:
      if fate == .scatteredOverGarbage { extend(&bytes, with: file.changes, using: &random) }
      for change in file.changes { scatter(change, over: &bytes, using: &random) }
    }
    return bytes
  }

  /// Extends the file to its final length with random bytes.
  private static func extend(
    _ bytes: inout [UInt8]?, with changes: [Change], using random: inout SeededGenerator
  ) {
    let ends = changes.map { if case .write(let offset, let new) = $0 { offset + new.count } else { 0 } }
    let end = ends.max() ?? 0, count = bytes?.count ?? 0
    guard end > count else { return }
    overwrite(
      &bytes, at: count, with: (count..<end).map { _ in UInt8.random(in: 0...255, using: &random) }[...])
  }

  private static func scatter(
    _ change: Change, over bytes: inout [UInt8]?, using random: inout SeededGenerator
  ) {
    guard case .write(let offset, let new) = change else {
      if Bool.random(using: &random) { apply(change, to: &bytes) }
      return
    }
    var start = 0
    while start < new.count {
      let end = min(new.count, (offset + start) / sector * sector + sector - offset)
      if Bool.random(using: &random) { overwrite(&bytes, at: offset + start, with: new[start..<end]) }
      start = end
    }
  }
}
