import FaultyDisk
import WhereaboutsTesting

/// What a disk may hold after its power was cut, given everything that was written and synced until then.
///
/// What was written to a file before its last completed sync is there. Of what was written since, any sector may be there
/// or not, whatever the order; or everything up to some byte; and where a file has grown, sectors that were never written
/// may hold anything. Truncations and deletions since may have happened or not.
///
/// - Limits: sectors of 512 bytes are written whole or not at all, and writing one leaves its neighbours as they are; a
///   sync is believed when the system says that it is done; what was synced never rots. The name of a file is on disk once
///   it is synced; and with the first sync of a new journal or log the folder is synced, as SQLite's own layer does it, so
///   that deletions until then have happened. Disks that lie about syncing break any database.
struct DiskModel {
  /// What becomes of what was not synced.
  enum Fate: CaseIterable {
    /// Nothing of it is there.
    case lost
    /// All of it is there but for some bytes at the end.
    case cut
    /// Each sector is there or not.
    case scattered
    /// Likewise; and where the file has grown, what is not there is garbage.
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
  /// Journals and logs that were made and not synced since.
  private var unsyncedNames: Set<UInt8> = []
  private var existing: Set<UInt8> = []

  /// Takes the next thing that was done.
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
      // Where the folder is synced with it.
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

  /// What was deleted until now is.
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

  // MARK: The cut

  /// A disk on which that became of it.
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

  /// The file is as long as it was to be, with anything in it.
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
