import SystemPackage
public import Whereabouts
public import WhereaboutsEngine
public import WhereaboutsModel
import WhereaboutsJournal
import WhereaboutsSystem

/// A journal in a file, in the format of docs/journal.md.
///
/// Each entry is appended with one write. A process that is killed, even by SIGKILL, loses no entry that was written.
/// The process leaves at most one torn line at the end, which readers skip. The system writes to the disk later: a
/// power cut or a system crash can lose the last seconds (about 30 on Linux). Some file systems then leave zero bytes
/// in their place.
///
/// Only the owner can read and write the file, since it contains the device's positions. Copies of a value write to
/// the same file.
public struct JournalFile: InputJournal {
  /// The file's path.
  public let path: String
  private let file: AppendOnlyFile
  private var line: [UInt8] = []
  private var digester = EffectDigester()

  /// Creates a journal file.
  ///
  /// - Parameters:
  ///   - path: the path. An existing device or named pipe is written to as it is.
  ///   - replacing: whether an existing file may be replaced; otherwise an existing file is an error.
  /// - Throws: a `SourceProblem` if the file can't be created.
  public init(path: String, replacing: Bool = false) throws(SourceProblem) {
    self.path = path
    file = try AppendOnlyFile(path: path, replacing: replacing)
  }

  /// Writes the header.
  public mutating func begin(_ header: JournalHeader) throws(SourceProblem) {
    line.removeAll(keepingCapacity: true)
    JournalFormat.write(header, to: &line)
    try file.append(line)
  }

  /// Appends an entry.
  public mutating func write(_ input: Input, at now: Moment, effects: [Effect]) throws(SourceProblem) {
    line.removeAll(keepingCapacity: true)
    let entry = JournalEntry(moment: now, input: input, digest: digester.digest(effects))
    JournalFormat.write(entry, to: &line)
    try file.append(line)
  }
}

/// A file that the last reference closes.
private final class AppendOnlyFile: Sendable {
  private let path: String
  private let descriptor: FileDescriptor

  init(path: String, replacing: Bool) throws(SourceProblem) {
    self.path = path
    do {
      descriptor = try FileDescriptor.open(
        FilePath(path), .writeOnly,
        options: replacing ? [.create, .append] : [.create, .exclusiveCreate, .append],
        permissions: .ownerReadWrite)
    } catch {
      throw Self.problem(path, error)
    }
    guard replacing else { return }
    do { try Self.truncate(descriptor) } catch { throw Self.problem(path, error) }
  }

  /// Truncates an existing file, which others may have had open. A device has neither content nor a mode of ours.
  private static func truncate(_ descriptor: FileDescriptor) throws {
    guard try descriptor.stat().type == .regular else { return }
    guard fchmod(descriptor.rawValue, 0o600) == 0 else { throw Errno(rawValue: errno) }
    try descriptor.resize(to: 0)
  }

  // Every write has been checked.
  deinit { try? descriptor.close() }

  func append(_ bytes: [UInt8]) throws(SourceProblem) {
    do {
      try descriptor.writeAll(bytes)
    } catch {
      throw Self.problem(path, error)
    }
  }

  private static func problem(_ path: String, _ error: any Error) -> SourceProblem {
    if error as? Errno == .fileExists {
      return SourceProblem(.unwritable, message: "write \(path): the file exists")
    }
    let reason = "\(error)"
    let isForbidden = [.permissionDenied, .notPermitted, .readOnlyFileSystem].contains(error as? Errno)
    return SourceProblem(
      isForbidden ? .notPermitted : .unwritable,
      message: "write \(path): \(reason.prefix(1).lowercased())\(reason.dropFirst())")
  }
}
